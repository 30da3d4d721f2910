import { el } from "./element.js"
import { FieldView } from "./field.js"

/** @import { Filling } from "../../kit/field.js" */
/** @import { ControlOptions, Draft } from "./controls.js" */

/** What was filled in, by the names of the fields. @typedef {Record<string, Draft>} Drafts */

/**
 * The fields of a schema, to be filled in. What a value has to be, and whether
 * it is, the engine says.
 */
export class Form {
  #views

  /** @type {HTMLElement} */
  element

  /**
   * @param {Filling} filling gets what is given
   * @param {ControlOptions} [options]
   */
  constructor(filling, options) {
    this.#views = filling.fields.map((field) => new FieldView(filling, field, options))
    this.element = el(
      "div",
      { class: "fields" },
      this.#views.map((view) => view.element),
    )
  }

  /** Whether it can be sent. What is wrong shows, and the first such field has the focus. */
  check() {
    const wrong = this.#views.filter((view) => view.complain() !== undefined)
    wrong[0]?.focus()
    return wrong.length === 0
  }

  focus() {
    this.#views[0]?.focus()
  }

  /** @returns {Drafts} */
  get drafts() {
    return Object.fromEntries(this.#views.map((view) => [view.field.name, view.control.draft()]))
  }

  /** @param {Drafts} drafts */
  restore(drafts) {
    for (const view of this.#views) {
      const draft = Object.hasOwn(drafts, view.field.name) ? drafts[view.field.name] : undefined
      if (draft !== undefined) view.control.restore(draft)
    }
  }
}
