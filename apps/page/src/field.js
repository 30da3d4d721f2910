import { control } from "./controls.js"
import { el, newId } from "./element.js"
import { plainLine, shown, shownLine } from "./plain.js"

/** @import { Engine, Field } from "@parley-mcp/parley" */
/** @import { Control, Draft } from "./controls.js" */

/** How long a person may go on typing before they are told what is still wrong, in milliseconds. */
const patience = 700

/**
 * One field of a form: label, what the server says about it, what goes into
 * it, the control, and what is wrong. The engine checks it on every input.
 */
export class FieldView {
  #engine
  #schema
  #field
  /** @type {Control} */
  #control
  #problem
  #note
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer

  /** @type {HTMLElement} */
  element

  /**
   * @param {Engine} engine
   * @param {string} schema the whole schema as JSON text
   * @param {Field} field
   * @param {{initial?: string, multiline?: boolean}} [options] `initial` is the value to start from, JSON text
   */
  constructor(engine, schema, field, { initial, multiline } = {}) {
    this.#engine = engine
    this.#schema = schema
    this.#field = field
    this.#control = control(field, { initial: initial !== undefined && this.#fits(initial) ? initial : undefined, multiline })
    const name = shownLine(field.title || field.name, 120)
    const optional = !field.required && el("span", { class: "optional" }, "optional")
    this.#problem = el("p", { class: "problem", id: newId("problem"), hidden: true })
    const about = field.description && el("p", { class: "about theirs", id: newId("about") }, shown(field.description, 600))
    const hints = [hint(field), this.#control.note].filter(Boolean).join(" ")
    this.#note = hints && el("p", { class: "hint", id: newId("hint") }, hints)
    const described = [about, this.#note, this.#problem].flatMap((part) => (part ? [part.id] : [])).join(" ")
    const { element, inputs, labelled } = this.#control
    const single = field.kind === "boolean" && inputs.length === 1
    if (labelled && !single) {
      const radios = field.kind !== "choices"
      this.element = el(
        "fieldset",
        { class: "field", role: radios && "radiogroup", "aria-describedby": described, "aria-required": radios && field.required && "true" },
        el("legend", {}, el("span", { class: "theirs" }, name), optional),
        about,
        this.#note,
        element,
        this.#problem,
      )
    } else {
      for (const input of inputs) {
        input.id = newId("field")
        input.setAttribute("aria-describedby", described)
      }
      const label = !single && el("label", { for: inputs[0]?.id }, el("span", { class: "theirs" }, name), optional)
      this.element = el("div", { class: "field" }, single ? element : [label, about, this.#note, element], single && [about, this.#note], this.#problem)
    }
    this.element.addEventListener("input", () => this.#typing())
    this.element.addEventListener("focusout", (event) => {
      if (!this.element.contains(/** @type {Node | null} */ (event.relatedTarget))) this.#left()
    })
  }

  get name() {
    return this.#field.name
  }

  get title() {
    return this.#field.title || this.#field.name
  }

  /**
   * The value as JSON text, empty to leave the field out, or what is wrong in
   * words that go on after the title.
   *
   * @returns {{value: string, problem?: undefined} | {value?: undefined, problem: string}}
   */
  check() {
    const reading = this.#control.read()
    if ("nothing" in reading) return { value: "" }
    if ("problem" in reading) return { problem: reading.problem }
    const check = { schema: this.#schema, field: this.#field.name }
    const { value, problem } = this.#engine.formCheck("typed" in reading ? { ...check, typed: reading.typed } : { ...check, value: reading.value })
    if (!problem) return { value }
    if ("typed" in reading && reading.typed.trim() === "" && !this.#field.required) return { value: "" }
    return { problem: problem.message }
  }

  /** Checks and shows what is wrong. */
  complain() {
    clearTimeout(this.#timer)
    const result = this.check()
    this.show(result.problem)
    return result
  }

  /** Shows what is wrong, in words that go on after the title. @param {string | undefined} problem */
  show(problem) {
    const text = problem === undefined ? "" : plainLine(`${this.title} ${problem}`, 400)
    if (this.#problem.textContent !== text) this.#problem.textContent = text
    this.#problem.hidden = problem === undefined
    this.element.classList.toggle("wrong", problem !== undefined)
    for (const input of this.#control.inputs) {
      if (problem === undefined) input.removeAttribute("aria-invalid")
      else input.setAttribute("aria-invalid", "true")
    }
  }

  focus() {
    const { inputs } = this.#control
    const checked = inputs.find((input) => input instanceof HTMLInputElement && input.checked)
    ;(checked ?? inputs[0])?.focus()
  }

  /** @returns {Draft} */
  get draft() {
    return this.#control.draft()
  }

  /** @param {Draft} draft */
  restore(draft) {
    this.#control.restore(draft)
  }

  /** @param {string} value JSON text */
  #fits(value) {
    return !this.#engine.formCheck({ schema: this.#schema, field: this.#field.name, value }).problem
  }

  /** What is right shows at once; what is wrong once somebody stops to type. */
  #typing() {
    clearTimeout(this.#timer)
    const { problem } = this.check()
    if (problem === undefined || !this.#problem.hidden) this.show(problem)
    else this.#timer = setTimeout(() => this.complain(), patience)
  }

  /** What was not touched is not complained about before it is to be sent. */
  #left() {
    const draft = this.#control.draft()
    if (draft.length > 0 && draft !== "-1") this.complain()
  }
}

/** @type {Record<string, string>} */
const formats = { email: "An e-mail address.", uri: "A web or other address, such as https://example.com/.", date: "", "date-time": "" }

/** What goes into a field, in the page's own words. @param {Field} field */
function hint({ kind, format, minLength, maxLength, minimum, maximum, minItems, maxItems, options }) {
  switch (kind) {
    case "string":
      if (format !== undefined) return formats[format]
      return bounds("", minLength, maxLength, "characters")
    case "integer":
      return bounds("A whole number", minimum, maximum) || "A whole number."
    case "number":
      return bounds("A number", minimum, maximum) || "A number."
    case "choices":
      return bounds("Choose", minItems, maxItems ?? (minItems && options?.length)) || "Choose any."
  }
}

/** @param {string} what @param {string | number | undefined} least @param {string | number | undefined} most @param {string} [unit] */
function bounds(what, least, most, unit = "") {
  const range = [least && most && (least === most ? `exactly ${least}` : `${least} to ${most}`), least && `at least ${least}`, most && `at most ${most}`].find(
    Boolean,
  )
  if (!range) return ""
  const comma = what && what !== "Choose" ? `${what}, ` : what && `${what} `
  const text = `${comma}${range}${unit && ` ${unit}`}.`
  return plainLine(text.charAt(0).toUpperCase() + text.slice(1), 120)
}
