import { complaint, furtherHint, hint, leftToDefault, needed, titleOf } from "../../shared-js/field.js"
import { t } from "../../shared-js/language.js"
import { wording } from "../../shared-js/problem.js"
import { shownOnly } from "../../shared-js/words.js"
import { announce } from "./announce.js"
import { control } from "./controls.js"
import { el, newId } from "./element.js"
import { shown, shownLine } from "./shown.js"

/** @import { FormField } from "@parley-mcp/parley" */
/** @import { Filling } from "../../shared-js/field.js" */
/** @import { Control, ControlOptions } from "./controls.js" */

/** How long a person may go on typing before they are told what is still wrong, in milliseconds. */
const patience = 700

/**
 * One field of a form: label, what the server says about it, what goes into
 * it, the control, and what is wrong. The engine checks it on every input.
 */
export class FieldView {
  #filling
  #problem
  /** That the server may use its default. */
  #cleared = el("p", { class: "hint", hidden: true }, leftToDefault)
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  /** What is wrong was told. */
  #told = false

  field
  /** @type {Control} */
  control

  /** @type {HTMLElement} */
  element

  /**
   * @param {Filling} filling gets what is given
   * @param {FormField} field of it
   * @param {ControlOptions} [options]
   */
  constructor(filling, field, options) {
    this.#filling = filling
    this.field = field
    this.control = control(field, options)
    const name = shownLine(titleOf(field), 120)
    this.#problem = el("p", { class: "problem", id: newId("problem"), hidden: true })
    const about = field.description && el("p", { class: "about theirs", id: newId("about"), dir: "auto" }, shown(field.description, 600))
    const picker = field.format?.startsWith("date") // which has its own way to say so
    const hints = [picker ? furtherHint(field) : hint(field), this.control.note].filter(Boolean).join(" ")
    const note = hints && el("p", { class: "hint", id: newId("hint") }, hints)
    if (field.readOnly) {
      const { label, value, ours } = shownOnly(field)
      this.element = el("div", { class: "field only" }, el("dl", { class: "lines" }, el("div", {}, el("dt", { dir: "auto" }, shownLine(label, 120)), el("dd", { dir: "auto", class: ours && "ours" }, shown(value, 2000)))), about, note)
      return
    }
    const optional = !needed(field) && el("span", { class: "optional" }, t`optional`)
    const described = [about, note, this.#problem].flatMap((part) => (part ? [part.id] : [])).join(" ")
    const { element, inputs, labelled } = this.control
    const single = field.kind === "boolean" && inputs.length === 1
    if (labelled && !single) {
      const radios = field.kind === "choice" || field.kind === "boolean"
      this.element = el(
        "fieldset",
        { class: "field", role: radios && "radiogroup", "aria-describedby": described, "aria-required": radios && needed(field) && "true" },
        el("legend", {}, el("span", { class: "theirs" }, name), optional),
        about,
        note,
        element,
        this.#cleared,
        this.#problem,
      )
    } else {
      for (const input of inputs) {
        input.id = newId("field")
        input.setAttribute("aria-describedby", described)
      }
      const label = !single && el("label", { for: inputs[0]?.id }, el("span", { class: "theirs" }, name), optional)
      this.element = el("div", { class: "field" }, single ? element : [label, about, note, element], single && [about, note], this.#cleared, this.#problem)
    }
    this.element.addEventListener("input", () => this.#typing())
    this.element.addEventListener("keydown", (event) => this.#key(event))
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(/** @type {Node | null} */ (event.relatedTarget))) this.#left()
    })
  }

  /** Takes what stands there, and returns what is wrong with it, in words that go on after the title. */
  check() {
    if (this.field.readOnly) return
    const reading = this.control.read()
    if ("problem" in reading) return reading.problem
    const said = "value" in reading ? this.#filling.choose(this.field, reading.value) : this.#filling.enter(this.field, reading.typed, reading.alternative)
    const cleared = this.#filling.isLeftToDefault(this.field)
    if (cleared && this.#cleared.hidden) announce(leftToDefault)
    this.#cleared.hidden = !cleared
    return said === undefined ? undefined : wording(said, this.#filling.problemOf(this.field))
  }

  /** Checks, and returns what is wrong as a sentence. */
  said() {
    const problem = this.check()
    return problem && complaint(this.field, problem)
  }

  /** The same, and shows it. */
  complain() {
    clearTimeout(this.#timer)
    this.#show(this.check())
    return this.said()
  }

  /** Shows what is wrong, in words that go on after the title. @param {string | undefined} problem */
  #show(problem) {
    const text = problem === undefined ? "" : complaint(this.field, problem)
    if (!text && this.#told) announce("") // it does not hold any more
    this.#told &&= text !== ""
    if (this.#problem.textContent !== text) this.#problem.textContent = text
    this.#problem.hidden = problem === undefined
    this.element.classList.toggle("wrong", problem !== undefined)
    for (const input of this.control.inputs) {
      if (problem === undefined) input.removeAttribute("aria-invalid")
      else input.setAttribute("aria-invalid", "true")
    }
  }

  focus() {
    const { inputs } = this.control
    const checked = inputs.find((input) => input instanceof HTMLInputElement && input.checked)
    ;(checked ?? inputs[0])?.focus()
  }

  /** What is right shows at once; what is wrong once somebody stops to type. */
  #typing() {
    clearTimeout(this.#timer)
    const problem = this.check()
    if (problem === undefined || !this.#problem.hidden) this.#show(problem)
    else this.#timer = setTimeout(() => this.#stopped(), patience)
  }

  /** Somebody has stopped to type: who does not see the screen hears what is wrong. */
  #stopped() {
    const said = this.complain()
    if (said === undefined) return
    announce(said)
    this.#told = true
  }

  /**
   * Enter sends the form from a text of one line, as browsers have it where there
   * can be one only, and Ctrl+Enter from any text. What begins a new line without a
   * keyboard stays as it is.
   *
   * @param {KeyboardEvent} event
   */
  #key(event) {
    const { target, key, isComposing, ctrlKey, metaKey, shiftKey, altKey, defaultPrevented } = event
    if (key !== "Enter" || isComposing || defaultPrevented || shiftKey || altKey || !(target instanceof HTMLTextAreaElement)) return
    const one = target.rows === 1 && !target.value.includes("\n") && !matchMedia("(pointer: coarse)").matches
    if (!one && !ctrlKey && !metaKey) return
    event.preventDefault()
    target.form?.requestSubmit()
  }

  /** What was not touched is not complained about before it is to be sent. */
  #left() {
    const draft = this.control.draft()
    if (draft.length > 0) this.complain()
  }
}
