// What MCP 2026-07-28 lets a field of a form have (PrimitiveSchemaDefinition), and what to do about the rest.

/** @typedef {Record<string, any>} Schema */

/** Whether a keyword's value may be there, beside the others. @typedef {Record<string, (value: any, schema: Schema) => boolean>} Keywords */

const isText = (/** @type {unknown} */ value) => typeof value === "string"
const isCount = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= 0
/** Bounds that are no numbers are refused by themselves. @param {number} value @param {unknown} [least] @param {unknown} [most] */
const isWithin = (value, least, most) => !(typeof least === "number" && value < least) && !(typeof most === "number" && value > most)

/** A number that was not rounded, where that matters. @param {unknown} value @param {Schema} schema */
const isNumber = (value, { type }) => typeof value === "number" && (type === "number" || Math.abs(value) <= Number.MAX_SAFE_INTEGER)

/** @param {Schema} schema @returns {string[]} */
const valuesOf = ({ enum: values, oneOf, anyOf = oneOf }) => values ?? anyOf.map((/** @type {Schema} */ option) => option.const)

/** A table with these members and no others, such as constructor. @template T @param {Record<string, T>} members @returns {Record<string, T>} */
const table = (members) => Object.assign(Object.create(null), members)

/** @type {Keywords} */
const any = { type: isText, title: isText, description: isText }
const number = table(/** @type {Keywords} */ ({
  ...any,
  minimum: isNumber,
  maximum: (value, schema) => isNumber(value, schema) && isWithin(value, schema.minimum),
  default: (value, schema) => isNumber(value, schema) && isWithin(value, schema.minimum, schema.maximum) && (schema.type === "number" || Number.isInteger(value)),
}))

/** By the type of a field; of one with choices, choice. @type {Record<string, Keywords>} */
export const kinds = table({
  number,
  integer: number,
  boolean: table(/** @type {Keywords} */ ({ ...any, default: (value) => typeof value === "boolean" })),
  string: table(/** @type {Keywords} */ ({
    ...any,
    format: (value) => ["email", "uri", "date", "date-time"].includes(value),
    minLength: isCount,
    maxLength: (value, { minLength }) => isCount(value) && value > 0 && isWithin(value, minLength),
    default: (value, { minLength, maxLength }) => isText(value) && isWithin([...value].length, minLength, maxLength),
  })),
  choice: table(/** @type {Keywords} */ ({
    ...any,
    enum: () => true, // both were read before
    oneOf: () => true,
    enumNames: (names, { enum: values }) => Array.isArray(names) && names.length === values?.length && names.every(isText),
    default: (value, schema) => valuesOf(schema).includes(value),
  })),
  array: table(/** @type {Keywords} */ ({
    ...any,
    items: () => true, // as above
    minItems: (value, { items }) => isCount(value) && value <= valuesOf(items).length,
    maxItems: (value, { minItems }) => isCount(value) && value > 0 && isWithin(value, minItems),
    default: (value, { items, minItems, maxItems }) =>
      Array.isArray(value) && value.every((one) => valuesOf(items).includes(one)) && isWithin(value.length, minItems, maxItems),
  })),
})

const bound = "it must be a number, go with the type and leave something to answer"
const choices = "choices are one list of texts, each there once, with nothing but titles beside them"
const oneType = `a field has one type, or choices; ${choices}`
const text = "it must be text"

export const secret = "a form must not ask for a secret; have the person open a page, with a url"
export const rounded = "JavaScript rounds whole numbers beyond 2^53-1; ask for such a number as text"
const otherwise = "leave it out, and say in the description what is needed"

/** @type {Record<string, string>} */
const known = table({
  $ref: "it must lead to the $defs of the same schema, and to nothing that differs from what is beside it",
  type: "a form is an object, and each field a string, a number, an integer, a boolean or an array of choices",
  properties: "it must be an object of at most 128 fields",
  required: "it must list fields of the form, each once",
  items: "only choices can be listed; give the items an enum of texts",
  default: "it must be an answer to the field; leave it out beside null",
  format: "it must be email, uri, date or date-time",
  writeOnly: secret,
  exclusiveMinimum: "use minimum",
  exclusiveMaximum: "use maximum",
  const: choices, enum: choices, anyOf: oneType, oneOf: oneType,
  enumNames: "it must be a list of texts, one for each choice of an enum",
  title: text, description: text, $schema: text,
  minLength: bound, maxLength: bound, minItems: bound, maxItems: bound, minimum: bound, maximum: bound,
})

/** What to do about a keyword that cannot be there. @param {string} keyword */
export const advice = (keyword) => known[keyword] ?? otherwise
