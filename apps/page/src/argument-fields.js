// The arguments of a call as fields. A tool's inputSchema may be any JSON
// Schema, of which a form can ask for a part only: what it cannot ask for is
// typed as JSON, and what it cannot check the server does.

import { elements, member, members, object, string } from "./raw-json.js"

/** @import { Engine, Field } from "@parley-mcp/parley" */
/** @import { Member } from "./raw-json.js" */

/** The fields of a schema of arguments; `json` are those that are typed as JSON. @typedef {{schema: string, fields: Field[], json: Set<string>}} ArgumentFields */

/** @param {Engine} engine @param {string} schema of the arguments, JSON text @returns {ArgumentFields} */
export function argumentFields(engine, schema) {
  const required = new Set(elements(member(schema, "required") ?? "[]").map(string))
  const json = new Set()
  const properties = members(member(schema, "properties") ?? "{}").map(({ name, value }) => {
    const property = [value, reduced(value)].find((one) => engine.form(whole([{ name, value: one }])).fields)
    if (property === undefined) json.add(name)
    return { name, value: property ?? asJson(name, value) }
  })
  const asked = whole(
    properties,
    properties.map(({ name }) => name).filter((name) => required.has(name)),
  )
  return { schema: asked, fields: engine.form(asked).fields ?? [], json }
}

/** The params of a request. @param {string} method @param {string} name or a resource's address @param {string} values JSON text */
export function paramsOf(method, name, values) {
  return method === "resources/read"
    ? object([{ name: "uri", value: JSON.stringify(name) }])
    : object([
        { name: "name", value: JSON.stringify(name) },
        { name: "arguments", value: values },
      ])
}

/** What is wrong with what was typed as JSON, in words; nothing if it is. @param {string} text */
export function jsonProblem(text) {
  try {
    JSON.parse(text)
  } catch {
    return 'must be JSON, such as ["a", 1] or {"key": true}'
  }
}

/** @param {Member[]} properties @param {string[]} [required] */
function whole(properties, required = []) {
  return `{"type":"object","properties":${object(properties)},"required":${JSON.stringify(required)}}`
}

/** A property without the keywords that a form cannot honour. @param {string} property */
function reduced(property) {
  return object(members(property).filter(({ name, value }) => known.has(name) && (name !== "format" || formats.has(value))))
}

const known = new Set(
  "type title description default enum enumNames oneOf anyOf const items minLength maxLength minimum maximum minItems maxItems format".split(" "),
)
const formats = new Set(['"email"', '"uri"', '"date"', '"date-time"'])

/** A property to be typed as JSON. @param {string} name @param {string} property */
function asJson(name, property) {
  const title = string(member(property, "title")) ?? name
  const about = string(member(property, "description")) ?? ""
  return JSON.stringify({ type: "string", title, description: `${about} (as JSON)`.trim(), maxLength: 1_000_000 })
}
