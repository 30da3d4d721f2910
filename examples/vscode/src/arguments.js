// The arguments of a call as fields. A tool's inputSchema may be any JSON
// Schema, of which a form can ask for a part only: what it cannot ask for is
// typed as JSON, and what it cannot check the server does.

import { elements, member, members, object, string } from "../../browser-chat/src/raw-json.js"
import { askField } from "./field.js"
import { BACK } from "./leaving.js"

/** @import { Engine, Field } from "@parley-mcp/parley" */
/** @import { Member } from "../../browser-chat/src/raw-json.js" */
/** @import { Offer } from "../../browser-chat/src/server.js" */
/** @import { Draft } from "./field.js" */
/** @import { Sheet } from "./sheet.js" */

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

/**
 * Asks for the arguments of what a server offers and returns the params of the
 * request, JSON text.
 *
 * @param {Engine} engine @param {Offer} offer @param {Sheet} sheet
 * @returns {Promise<string | typeof BACK>} back from the first step
 */
export async function askArguments(engine, { method, name, schema }, sheet) {
  const { schema: asked, fields, json } = argumentFields(engine, schema)
  /** @type {Draft[]} */
  const drafts = fields.map(() => ({}))
  for (let i = 0; i < fields.length; ) {
    const [field, draft] = [/** @type {Field} */ (fields[i]), /** @type {Draft} */ (drafts[i])]
    const place = { step: i + 1, total: fields.length, back: true }
    if (await askField(checking(engine, json), asked, field, draft, sheet, place)) i++
    else if (i-- === 0) return BACK
  }
  const values = fields.flatMap(({ name }, i) => {
    const value = drafts[i]?.value
    return value ? [{ name, value: json.has(name) ? (string(value) ?? "null") : value }] : []
  })
  return paramsOf(method, name, object(values))
}

/** The params of a request. @param {string} method @param {string} name or a resource's address @param {string} values JSON text */
function paramsOf(method, name, values) {
  return method === "resources/read"
    ? object([{ name: "uri", value: JSON.stringify(name) }])
    : object([
        { name: "name", value: JSON.stringify(name) },
        { name: "arguments", value: values },
      ])
}

/** The engine's check, and for what is typed as JSON one of our own. @param {Engine} engine @param {Set<string>} json @returns {Pick<Engine, "formCheck">} */
function checking(engine, json) {
  return {
    formCheck(check) {
      const checked = engine.formCheck(check)
      if (!json.has(check.field) || checked.problem || isJson(string(checked.value) ?? "")) return checked
      return { problem: { property: check.field, message: 'must be JSON, such as ["a", 1] or {"key": true}' } }
    },
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

/** @param {string} text */
function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
