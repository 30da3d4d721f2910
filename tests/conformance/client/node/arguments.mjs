import { entryText } from "./answer.mjs"

/**
 * What a value is made of: the members of a JSON Schema that say which values
 * there are.
 *
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string | string[]} [type]
 * @property {unknown} [const]
 * @property {unknown} [default]
 * @property {unknown[]} [enum]
 * @property {number} [minimum]
 * @property {number} [minLength]
 * @property {string} [format]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 */

/**
 * A schema is in another document.
 *
 * Source: MCP 2026-07-28, basic/index, JSON Schema Usage: implementations MUST
 * NOT fetch it unasked.
 */
class ElsewhereError extends Error {
  constructor() {
    super("its schema is in another document, which is not fetched")
  }
}

const maxDepth = 16 // schemas within schemas

/**
 * Arguments of a tool's inputSchema: every property that can be made, as if a
 * person had filled in all of a form.
 *
 * @param {Schema} inputSchema
 */
export function argumentsFor(inputSchema) {
  return valueFor(inputSchema, inputSchema, 0)
}

/**
 * A value of a schema of the document root.
 *
 * @param {Schema} schema @param {Schema} root @param {number} depth
 * @returns {unknown}
 */
function valueFor(schema, root, depth) {
  if (depth === maxDepth) throw new Error(`its schema is more than ${maxDepth} deep`)
  if (schema.$ref !== undefined) return valueFor(refer(schema.$ref, root), root, depth + 1)
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  if (schema.enum?.length) return schema.enum[0]
  switch (kindOf(schema)) {
    case "object":
      return objectFor(schema, root, depth)
    case "array":
      return []
    case "integer":
    case "number":
      return schema.minimum ?? 1
    case "boolean":
      return true
    case "null":
      return null
  }
  return entryText(schema.format, schema.minLength)
}

/** The type of the value, the first of several. @param {Schema} schema */
function kindOf({ type, properties }) {
  return [type].flat()[0] ?? (properties ? "object" : "string")
}

/**
 * Leaves out what is optional and in another document.
 *
 * @param {Schema} schema @param {Schema} root @param {number} depth
 */
function objectFor({ properties = {}, required = [] }, root, depth) {
  /** @type {Record<string, unknown>} */
  const object = {}
  for (const [name, property] of Object.entries(properties)) {
    try {
      object[name] = valueFor(property, root, depth + 1)
    } catch (error) {
      if (!(error instanceof ElsewhereError) || required.includes(name)) throw error
    }
  }
  return object
}

/**
 * Finds a schema of the same document, such as "#/$defs/id".
 *
 * @param {string} ref @param {Schema} root
 * @returns {Schema}
 */
function refer(ref, root) {
  if (!ref.startsWith("#")) throw new ElsewhereError()
  /** @type {any} */
  let found = root
  for (const step of ref.split("/").slice(1)) found = found?.[step]
  if (found === undefined) throw new Error(`there is no schema ${ref}`)
  return found
}
