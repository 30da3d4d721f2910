// The arguments of a call as a form. A tool's inputSchema may be any JSON
// Schema, of which a form can ask for a part only: what it cannot ask for is
// typed as JSON, and what it cannot check the server does.

import { Form } from "./form.js"
import { elements, member, members, object, string } from "./raw-json.js"
import { lines } from "./words.js"

/** @import { Engine } from "@parley-mcp/parley" */
/** @import { Member } from "./raw-json.js" */
/** @import { Offer } from "./server.js" */
/** @import { Line } from "./words.js" */

export class ArgumentsForm {
  #form
  #offer
  /** The fields that are typed as JSON. */
  #json = new Set()

  /**
   * @param {Engine} engine
   * @param {Offer} offer
   * @param {string} [initial] arguments to start from, JSON text
   */
  constructor(engine, offer, initial = "{}") {
    this.#offer = offer
    const required = new Set(elements(member(offer.schema, "required") ?? "[]").map(string))
    const properties = members(member(offer.schema, "properties") ?? "{}").map(({ name, value }) => {
      const property = [value, reduced(value)].find((one) => engine.form(whole([{ name, value: one }])).fields)
      if (property === undefined) this.#json.add(name)
      return { name, value: property ?? asJson(name, value) }
    })
    const schema = whole(
      properties,
      properties.map(({ name }) => name).filter((name) => required.has(name)),
    )
    const start = members(initial).map(({ name, value }) => /** @type {[string, string]} */ ([name, this.#json.has(name) ? JSON.stringify(value) : value]))
    this.#form = new Form(engine, schema, engine.form(schema).fields ?? [], { initial: new Map(start), multiline: true })
    this.element = this.#form.element
  }

  focus() {
    this.#form.focus()
  }

  /**
   * The params of the request as JSON text and the arguments in words, or
   * nothing where something is wrong.
   *
   * @returns {{params: string, lines: Line[]} | undefined}
   */
  check() {
    const checked = this.#form.check()
    if (!checked) return
    /** @type {Member[]} */
    const values = []
    for (const { field, value } of checked.entries) {
      if (value === "") continue
      const json = this.#json.has(field.name) ? string(value) : value
      if (json === undefined || !isJson(json)) {
        this.#form.complain(field.name, 'must be JSON, such as ["a", 1] or {"key": true}')
        return
      }
      values.push({ name: field.name, value: json })
    }
    const { method, name } = this.#offer
    const params =
      method === "resources/read"
        ? object([{ name: "uri", value: JSON.stringify(name) }])
        : object([
            { name: "name", value: JSON.stringify(name) },
            { name: "arguments", value: object(values) },
          ])
    return { params, lines: lines(checked.entries.filter(({ value }) => value !== "")) }
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
