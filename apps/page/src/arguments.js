// The arguments of a call as a form.

import { argumentFields, jsonProblem, paramsOf } from "./argument-fields.js"
import { Form } from "./form.js"
import { members, object, string } from "./raw-json.js"
import { lines } from "./words.js"

/** @import { Engine } from "@parley-mcp/parley" */
/** @import { Member } from "./raw-json.js" */
/** @import { Offer } from "./server.js" */
/** @import { Line } from "./words.js" */

export class ArgumentsForm {
  #form
  #offer
  /** The fields that are typed as JSON. */
  #json

  /**
   * @param {Engine} engine
   * @param {Offer} offer
   * @param {string} [initial] arguments to start from, JSON text
   */
  constructor(engine, offer, initial = "{}") {
    this.#offer = offer
    const { schema, fields, json } = argumentFields(engine, offer.schema)
    this.#json = json
    const start = members(initial).map(({ name, value }) => /** @type {[string, string]} */ ([name, json.has(name) ? JSON.stringify(value) : value]))
    this.#form = new Form(engine, schema, fields, { initial: new Map(start), multiline: true })
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
      const json = this.#json.has(field.name) ? (string(value) ?? "") : value
      const problem = jsonProblem(json)
      if (problem !== undefined) {
        this.#form.complain(field.name, problem)
        return
      }
      values.push({ name: field.name, value: json })
    }
    const { method, name } = this.#offer
    const params = paramsOf(method, name, object(values))
    return { params, lines: lines(checked.entries.filter(({ value }) => value !== "")) }
  }
}
