import { parse } from "./flow.js"

/** @import { Instance } from "./instance.js" */

/**
 * A field of a form. `default` is JSON text, `minimum` and `maximum` are
 * number text.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {"string" | "number" | "integer" | "boolean" | "choice" | "choices"} kind
 * @property {string} [title]
 * @property {string} [description]
 * @property {boolean} [required]
 * @property {"email" | "uri" | "date" | "date-time"} [format]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {string} [minimum]
 * @property {string} [maximum]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {{value: string, title: string}[]} [options]
 * @property {string} [default]
 */

/** @typedef {{property: string, message: string}} Problem for a person to read */

/**
 * The fields of a requestedSchema, to render a form with, and the object of its
 * defaults as JSON text; or what is wrong with the schema.
 *
 * @typedef {{fields: Field[], defaults: string, problem?: undefined} | {fields?: undefined, problem: Problem}} Form
 */

/**
 * What a person typed into a field, or a value a host made itself as JSON text.
 *
 * @typedef {{schema: string, field: string, typed: string} | {schema: string, field: string, value: string}} FieldCheck
 */

/** The JSON text to send, or what is wrong. @typedef {{value: string, problem?: undefined} | {value?: undefined, problem: Problem}} Checked */

/** @param {Instance} instance @param {string} schema @returns {Form} */
export function readForm(instance, schema) {
  return parse(instance.give("parley_form", schema))
}

/** @param {Instance} instance @param {FieldCheck} check @returns {Checked} */
export function checkField(instance, check) {
  return parse(instance.give("parley_form_check", JSON.stringify(check)))
}
