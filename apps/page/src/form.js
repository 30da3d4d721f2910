import { el } from "./element.js"
import { FieldView } from "./field.js"
import { object } from "./raw-json.js"

/** @import { Engine, Field } from "@parley-mcp/parley" */
/** @import { Draft } from "./controls.js" */

/** What was filled in, by the names of the fields. @typedef {Record<string, Draft>} Drafts */

/** An answer in the words of the form: values are JSON text, empty if left out. @typedef {{field: Field, value: string}} Entry */

/**
 * The fields of a schema, to be filled in. What a value has to be, and whether
 * it is, the engine says.
 */
export class Form {
  #fields
  #views

  /** @type {HTMLElement} */
  element

  /**
   * @param {Engine} engine
   * @param {string} schema JSON text, as it came
   * @param {Field[]} fields of the schema
   * @param {{initial?: Map<string, string>, multiline?: boolean}} [options] `initial` are values to start from
   *   instead of the defaults, as JSON text by the names of the fields
   */
  constructor(engine, schema, fields, { initial, multiline } = {}) {
    this.#fields = fields
    this.#views = fields.map((field) => new FieldView(engine, schema, field, { initial: initial?.get(field.name), multiline }))
    this.element = el(
      "div",
      { class: "fields" },
      this.#views.map((view) => view.element),
    )
  }

  /**
   * The content to send and its entries; or nothing, where something is wrong:
   * then that shows, and the first such field has the focus.
   *
   * @returns {{content: string, entries: Entry[]} | undefined}
   */
  check() {
    const checked = this.#views.map((view) => ({ view, ...view.complain() }))
    const wrong = checked.find(({ problem }) => problem !== undefined)
    if (wrong) {
      wrong.view.focus()
      return
    }
    const entries = this.#fields.map((field, i) => ({ field, value: checked[i]?.value ?? "" }))
    const content = object(entries.filter(({ value }) => value !== "").map(({ field, value }) => ({ name: field.name, value })))
    return { content, entries }
  }

  /** Shows what is wrong with a field, and goes there. @param {string} name @param {string} problem */
  complain(name, problem) {
    const view = this.#views.find((one) => one.name === name)
    view?.show(problem)
    view?.focus()
  }

  focus() {
    this.#views[0]?.focus()
  }

  /** @returns {Drafts} */
  get drafts() {
    return Object.fromEntries(this.#views.map((view) => [view.name, view.draft]))
  }

  /** @param {Drafts} drafts */
  restore(drafts) {
    for (const view of this.#views) {
      const draft = Object.hasOwn(drafts, view.name) ? drafts[view.name] : undefined
      if (draft !== undefined) view.restore(draft)
    }
  }
}
