// The arguments of a call as fields. A tool's inputSchema may be any JSON
// Schema, of which a form can ask for a part only: what it cannot ask for is
// typed as JSON, and what it cannot check the server does.

import { t } from "./language.js"
import { elements, member, members, object, string } from "./raw-json.js"
import { expand } from "./template.js"

/** @import { Filling } from "./field.js" */
/** @import { Offer } from "./offers.js" */
/** @import { Engine, Field } from "./parley.js" */
/** @import { Member } from "./raw-json.js" */

/** The arguments of a call, to be filled in: `params` makes the request's, JSON text. @typedef {Filling & {params: () => string}} ArgumentFields */

/** @param {Engine} engine @param {Offer} offer @param {string} [earlier] arguments to start from, JSON text @returns {ArgumentFields} */
export function argumentFields(engine, { method, name: called, schema, template, task }, earlier = "{}") {
  const required = new Set(elements(member(schema, "required") ?? "[]").map(string))
  /** Those that are typed as JSON, and of which types that may be: of any if there are none. @type {Map<string, string[]>} */
  const json = new Map()
  const shared = members(schema).filter(({ name }) => name === "$defs" || name === "definitions")
  const properties = members(member(schema, "properties") ?? "{}").map(({ name, value }) => {
    const refers = value.includes('"$ref"') ? shared : []
    const property = [value, reduced(value)].find((one) => engine.form(whole([{ name, value: one }], refers)).fields)
    if (property === undefined) json.set(name, typesOf(value))
    return { name, value: property ?? asJson(name, value) }
  })
  const asked = whole(
    properties,
    shared,
    properties.map(({ name }) => name).filter((name) => required.has(name)),
  )
  /** Of each member that is typed as JSON, what `make` makes of its value. @param {string} values @param {(value: string) => string} make */
  const changed = (values, make) => object(members(values).map(({ name, value }) => ({ name, value: json.has(name) ? make(value) : value })))
  const form = engine.questionForm({ params: `{"requestedSchema":${asked}}`, earlier: changed(earlier, JSON.stringify) })
  /** @param {Pick<Field, "name">} field @param {string} typed */
  const wrong = ({ name }, typed) => (typed ? notJson(typed, json.get(name)) : undefined)
  return {
    fields: form.fields.map((field) => (json.has(field.name) ? { ...field, maxLength: undefined, json: exampleOf(json.get(field.name) ?? []) } : field)),
    unchecked: engine.form(schema).unchecked,
    enter: (field, typed, alternative) => form.enter(field, typed, alternative) ?? wrong(field, typed),
    choose: (field, value) => form.choose(field, value) ?? wrong(field, string(value) ?? ""),
    problemOf: (field) => form.problemOf(field),
    isLeftToDefault: (field) => form.isLeftToDefault(field),
    accept: () => form.accept(),
    params() {
      const content = member(form.accept(), "content") ?? "{}"
      if (template) {
        const values = new Map(members(content).map(({ name, value }) => [name, string(value) ?? ""]))
        return `{"uri":${JSON.stringify(expand(called, values))}}`
      }
      const name = JSON.stringify(called)
      const typed = changed(content, (value) => string(value) ?? "")
      return method === "resources/read" ? `{"uri":${name}}` : `{"name":${name},"arguments":${typed}${task ? ',"task":{}' : ""}}`
    },
  }
}

/** The JSON types that a property names. @param {string} property @returns {string[]} */
function typesOf(property) {
  const type = member(property, "type") ?? "[]"
  const one = string(type)
  return (one === undefined ? elements(type).map(string) : [one]).filter((name) => name !== undefined)
}

/** What is wrong with a text that has to be JSON of some types. @param {string} text @param {string[]} [types] nothing if it need be no JSON */
function notJson(text, types) {
  if (!types) return
  const [only] = types.length === 1 ? types : []
  let names
  try {
    names = namesOf(JSON.parse(text))
  } catch {}
  if (names && (!types.length || names.some((name) => types.includes(name)))) return
  const example = exampleOf(types)
  if (only === "object") return t`must be a JSON object, such as ${example}`
  if (only === "array") return t`must be a JSON array, such as ${example}`
  return names ? t`must be JSON of type ${types.join(", ")}` : t`must be JSON, such as ${example}`
}

/** @param {unknown} value of JSON @returns {string[]} */
function namesOf(value) {
  if (value === null) return ["null"]
  if (Array.isArray(value)) return ["array"]
  return Number.isInteger(value) ? ["integer", "number"] : [typeof value]
}

/** JSON of some types. @param {string[]} types */
function exampleOf(types) {
  return examples.find(([type]) => types.includes(type))?.[1] ?? `{"key": true}`
}

const examples = /** @type {const} */ ([
  ["object", `{"key": true}`],
  ["array", `["a", 1]`],
  ["string", `"a text"`],
  ["number", "1.5"],
  ["integer", "42"],
  ["boolean", "true"],
])

/** @param {Member[]} properties @param {Member[]} shared what they may refer to @param {string[]} [required] */
function whole(properties, shared, required = []) {
  const keywords = [{ name: "properties", value: object(properties) }, { name: "required", value: JSON.stringify(required) }]
  return object([{ name: "type", value: '"object"' }, ...keywords, ...shared])
}

/** A property without what no server may ask for in a form, which a tool may have as an argument. @param {string} property */
function reduced(property) {
  return object(members(property).filter(({ name }) => name !== "format" && name !== "writeOnly"))
}

/** A property to be typed as JSON. @param {string} name @param {string} property */
function asJson(name, property) {
  const title = string(member(property, "title")) ?? name
  return JSON.stringify({ type: "string", title, description: string(member(property, "description")), maxLength: 1_000_000 })
}
