
/** @import { Instance } from "../engine/instance.js" */
/** @import { Sentence } from "../texts/sentence.js" */

/**
 * A field of a form. `default` and `examples` are JSON text; `minimum`, `maximum`,
 * `exclusiveMinimum`, `exclusiveMaximum` and `multipleOf` are number text.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {"string" | "number" | "integer" | "boolean" | "choice" | "choices" | "list" | "union"} kind
 * @property {string} [title]
 * @property {string} [description]
 * @property {boolean} [required] it is in every answer
 * @property {boolean} [nullable] `null` is an answer, too: what a required field goes out as that is left empty
 * @property {boolean} [readOnly] it is shown, and neither asked for nor sent; never with `required`
 * @property {boolean} [deprecated]
 * @property {string[]} [examples] of an answer, three at most
 * @property {"email" | "uri" | "date" | "date-time"} [format]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {string} [minimum]
 * @property {string} [maximum]
 * @property {string} [exclusiveMinimum]
 * @property {string} [exclusiveMaximum]
 * @property {string} [multipleOf]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {boolean} [uniqueItems] of a list: no value is in it twice
 * @property {{value: string, title: string}[]} [options] of a choice or choices: `value` is JSON text, which is sent as it is
 * @property {Field} [items] of a list: what each value is
 * @property {Field[]} [alternatives] of a union: the person picks one, which is never guessed from what they type
 * @property {string} [default]
 * @property {Unchecked[]} [unchecked] what only the server checks
 */

/** A keyword of the schema that only the server checks; `value` is the server's text, of pattern, format and contentEncoding. @typedef {{keyword: string, value?: string}} Unchecked */

/**
 * What is wrong with a field's entry, or with a schema. `code` is one of
 * ProblemCode and stable; `message` is English and not, and `sentence` the same to
 * be translated. It continues after the field's title; with `property` "" it is a
 * sentence of its own.
 *
 * @typedef {{property: string, code: number, message: string, sentence?: Sentence}} Problem
 */

/**
 * The fields of a requestedSchema, to render a form with, the object of its
 * defaults as JSON text, and what only the server checks of the whole answer; or
 * what is wrong with the schema.
 *
 * @typedef {{fields: Field[], defaults: string, unchecked?: Unchecked[], problem?: undefined} | {fields?: undefined, unchecked?: undefined, problem: Problem}} Form
 */

/**
 * What a person typed into a field, or a value a host made itself as JSON text.
 * `alternative` is the index of the one of a union that the person picked.
 *
 * @typedef {{schema: string, field: string, typed: string, alternative?: number} | {schema: string, field: string, value: string}} FieldCheck
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
