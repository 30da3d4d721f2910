import { fromJsonSchema, inputRequired } from "@modelcontextprotocol/server"

/**
 * An elicitation/create question. The schema shown to the user is the schema
 * their answer is held against.
 *
 * @typedef {object} Form
 * @property {string} name its key in inputRequests
 * @property {string} message
 * @property {FormSchema} schema
 */

/**
 * The schema of a form, and what checks values with it; made once.
 *
 * @typedef {object} FormSchema
 * @property {any} json the JSON Schema subset of elicitation, in the order to display
 * @property {ReturnType<typeof fromJsonSchema>} check
 */

/** @param {any} json @returns {FormSchema} */
export function formSchema(json) {
  return { json, check: fromJsonSchema(json) }
}

/** A form as an entry of inputRequests. @param {Form} form @param {boolean} again */
export function request({ message, schema }, again) {
  return inputRequired.elicit({
    message: again ? `That answer could not be used. ${message}` : message,
    requestedSchema: schema.json,
  })
}

/**
 * The values of an answer, with the schema's defaults for what the user left
 * out; undefined if they do not fit. Members the form does not have are dropped.
 *
 * @param {FormSchema} schema
 * @param {Record<string, unknown>} content
 * @returns {Record<string, any> | undefined}
 */
export function values({ json, check }, content) {
  const known = Object.entries(content).filter(([name]) => Object.hasOwn(json.properties, name))
  const given = Object.fromEntries(known)
  const outcome = check["~standard"].validate(given)
  if (outcome instanceof Promise || outcome.issues) return
  /** @type {[string, any][]} */
  const properties = Object.entries(json.properties)
  const defaults = properties.filter(([, property]) => property.default !== undefined).map(([name, property]) => [name, property.default])
  return { ...Object.fromEntries(defaults), ...given }
}
