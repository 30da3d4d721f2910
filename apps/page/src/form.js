import { furtherHint } from "../../shared-js/field.js"
import { t } from "../../shared-js/language.js"
import { announce } from "./announce.js"
import { el, newId } from "./element.js"
import { FieldView } from "./field.js"

/** @import { Filling } from "../../shared-js/field.js" */
/** @import { ControlOptions, Draft } from "./controls.js" */

/** What was filled in, by the names of the fields. @typedef {Record<string, Draft>} Drafts */

/** How many fields a summary names. */
const maxNamed = 3

/**
 * The fields of a schema, to be filled in. What a value has to be, and whether
 * it is, the engine says.
 */
export class Form {
  #views

  /** Above the button: what keeps it from doing what it says, if there are several fields. */
  #summary = el("p", { class: "problem summary", id: newId("summary"), hidden: true })

  /** @type {HTMLElement} */
  element

  /**
   * @param {Filling} filling gets what is given
   * @param {ControlOptions} [options]
   */
  constructor(filling, options) {
    this.#views = filling.fields.map((field) => new FieldView(filling, field, options))
    const more = furtherHint({ unchecked: filling.unchecked })
    this.element = el(
      "div",
      { class: "fields" },
      this.#views.map((view) => view.element),
      more && el("p", { class: "hint" }, more),
      this.#summary,
    )
    this.element.addEventListener("input", () => {
      if (this.#summary.hidden) return
      this.#summarize(this.#views.map((view) => view.said()))
      if (this.#summary.hidden) announce("") // it does not hold any more
    })
  }

  /** Whether it can be sent. What is wrong shows, and the first such field has the focus. */
  check() {
    const said = this.#views.map((view) => view.complain())
    this.#summarize(said)
    if (!this.#summary.hidden) announce(this.#summary.textContent)
    const wrong = this.#views.find((_, i) => said[i] !== undefined)
    wrong?.focus()
    return wrong === undefined
  }

  /** A button that sends the form, described by what is wrong. @param {HTMLButtonElement} button */
  sentBy(button) {
    button.setAttribute("aria-describedby", this.#summary.id)
    return button
  }

  /** Which keys do what the button does, where that is not plain. */
  get keys() {
    const areas = [...this.element.querySelectorAll("textarea")]
    if (!areas.length) return ""
    return areas.some(({ rows }) => rows === 1) ? t`Shift+Enter begins a new line, Ctrl+Enter sends from any.` : t`Ctrl+Enter sends.`
  }

  /** @param {(string | undefined)[]} said what is wrong with each field */
  #summarize(said) {
    const wrong = said.filter((one) => one !== undefined)
    this.#summary.hidden = wrong.length === 0 || this.#views.length === 1
    const more = wrong.length > maxNamed ? " …" : ""
    this.#summary.textContent = wrong.length ? t`Nothing is sent yet. ${wrong.slice(0, maxNamed).join("; ") + more}` : ""
  }

  focus() {
    this.#views.find(({ field }) => !field.readOnly)?.focus()
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
