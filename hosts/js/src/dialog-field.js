import { el } from "./dialog-element.js"
import { choicesOf, half, inputLook, startOf, take } from "./field-input.js"

/** @import { FormField, QuestionForm } from "./question-form.js" */

/** A field of a form. `check` takes what stands there into the form, shows what is wrong, and tells whether nothing is. @typedef {{element: HTMLElement, check: () => boolean, focus: () => void}} FieldView */

/** What a person fills a field in with. `enter` takes what stands there into the form, and returns what is wrong. @typedef {{element: HTMLElement, inputs: HTMLElement[], enter: () => string | undefined}} Control */

/** A copy of this file may be in the page already. */
const prefix = `parley-${Math.random().toString(36).slice(2)}`
let fields = 0

/** @param {QuestionForm} form @param {FormField} field @returns {FieldView} */
export function fieldView(form, field) {
  const { title, name, description, required, kind } = field
  const id = `${prefix}-${++fields}`
  const { element, inputs, enter } = control(form, field, id)
  const about = description && el("p", { id: `${id}-about`, dir: "auto" }, description)
  const problem = el("p", { id: `${id}-problem`, role: "alert" })
  const label = [el("bdi", {}, title || name), required && " *"]
  const described = `${about ? about.id : ""} ${problem.id}`.trim()
  const whole =
    kind === "choices"
      ? el("fieldset", { "aria-describedby": described }, el("legend", {}, ...label), about || undefined, element, problem)
      : el("div", {}, el("label", { for: id }, ...label), " ", element, about || undefined, problem)
  if (kind !== "choices") element.setAttribute("aria-describedby", described)
  return {
    element: whole,
    check() {
      const wrong = enter()
      problem.textContent = wrong === undefined ? "" : `It ${wrong}.`
      for (const input of inputs) input.setAttribute("aria-invalid", String(wrong !== undefined))
      return wrong === undefined
    },
    focus: () => inputs[0]?.focus(),
  }
}

/** @param {QuestionForm} form @param {FormField} field @param {string} id @returns {Control} */
function control(form, field, id) {
  switch (field.kind) {
    case "boolean":
    case "choice":
      return choice(form, field, id)
    case "choices":
      return choices(form, field)
    default:
      return text(form, field, id)
  }
}

/** @param {QuestionForm} form @param {FormField} field @param {string} id @returns {Control} */
function text(form, field, id) {
  const { type, inputMode, placeholder } = inputLook(field)
  const input = el("input", { id, type, inputmode: inputMode, autocomplete: "off", placeholder, required: field.required && "" })
  input.value = String(startOf(field))
  const start = input.value // which the browser may have made something else of
  const enter = () => (input.validity.badInput ? half.message : take(form, field, input.value, start))
  return { element: input, inputs: [input], enter }
}

/** One of several, or none. @param {QuestionForm} form @param {FormField} field @param {string} id @returns {Control} */
function choice(form, field, id) {
  const none = el("option", { value: "" }, field.required ? "Choose…" : "–")
  const select = el("select", { id, required: field.required && "" }, none, ...listed(field).map(({ value, title }) => el("option", { value }, title)))
  select.value = String(startOf(field))
  return { element: select, inputs: [select], enter: () => take(form, field, select.value) }
}

/** Some of several. @param {QuestionForm} form @param {FormField} field @returns {Control} */
function choices(form, field) {
  const start = startOf(field)
  const inputs = listed(field).map(({ value, title }) => {
    const input = el("input", { type: "checkbox", value })
    input.checked = start.includes(value)
    return { input, element: el("div", {}, el("label", {}, input, " ", title)) }
  })
  const enter = () => take(form, field, inputs.filter(({ input }) => input.checked).map(({ input }) => input.value))
  return { element: el("div", {}, ...inputs.map(({ element }) => element)), inputs: inputs.map(({ input }) => input), enter }
}

/** @param {FormField} field */
function listed(field) {
  return choicesOf(field) ?? []
}
