
/** @import { Instance } from "./instance.js" */
/** @import { Sentence } from "./sentence.js" */

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

/**
 * What is wrong with a field's entry, or with a schema. `code` is one of
 * ProblemCode and stable; `message` is English and not, and `sentence` the same to
 * be translated. It continues after the field's title; with `property` "" it is a
 * sentence of its own.
 *
 * @typedef {{property: string, code: number, message: string, sentence?: Sentence}} Problem
 */

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
  return instance.read("parley_form", schema)
}

/** @param {Instance} instance @param {FieldCheck} check @returns {Checked} */
export function checkField(instance, check) {
  return instance.give("parley_form_check", check)
}
