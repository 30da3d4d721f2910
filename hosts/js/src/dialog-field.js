import { el } from "./dialog-element.js"

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

/** @type {Record<string, string>} */
const types = { email: "email", uri: "url", date: "date" }

/** @type {Record<string, string>} */
const keyboards = { integer: "numeric", number: "decimal" }

/** @param {QuestionForm} form @param {FormField} field @param {string} id @returns {Control} */
function text(form, field, id) {
  const { kind, format = "", initial, required } = field
  const placeholder = format === "date-time" && "2026-07-28T12:00:00Z"
  const input = el("input", { id, type: types[format] ?? "text", inputmode: keyboards[kind], autocomplete: "off", placeholder, required: required && "" })
  input.value = initial?.startsWith('"') ? JSON.parse(initial) : (initial ?? "")
  const start = input.value // which the browser may have made something else of
  const enter = () => {
    if (input.validity.badInput) return "is not whole"
    return initial !== undefined && input.value === start ? form.choose(field, initial) : form.enter(field, input.value)
  }
  return { element: input, inputs: [input], enter }
}

/** One of several, or none. @param {QuestionForm} form @param {FormField} field @param {string} id @returns {Control} */
function choice(form, field, id) {
  const options = field.kind === "boolean" ? [{ value: "true", title: "Yes" }, { value: "false", title: "No" }] : listed(field)
  const none = el("option", { value: "" }, field.required ? "Choose…" : "–")
  const select = el("select", { id, required: field.required && "" }, none, ...options.map(({ value, title }) => el("option", { value }, title)))
  select.value = field.initial ?? ""
  const enter = () => (select.value ? form.choose(field, select.value) : form.enter(field, ""))
  return { element: select, inputs: [select], enter }
}

/** Some of several. @param {QuestionForm} form @param {FormField} field @returns {Control} */
function choices(form, field) {
  /** @type {unknown[]} */
  const start = JSON.parse(field.initial ?? "[]")
  const inputs = listed(field).map(({ value, title }) => {
    const input = el("input", { type: "checkbox", value })
    input.checked = start.includes(JSON.parse(value))
    return { input, element: el("div", {}, el("label", {}, input, " ", title)) }
  })
  const enter = () => {
    const values = inputs.filter(({ input }) => input.checked).map(({ input }) => input.value)
    return values.length ? form.choose(field, `[${values}]`) : form.enter(field, "")
  }
  return { element: el("div", {}, ...inputs.map(({ element }) => element)), inputs: inputs.map(({ input }) => input), enter }
}

/** The options of a field, their values as JSON text. @param {FormField} field */
function listed({ options = [] }) {
  return options.map(({ value, title }) => ({ value: JSON.stringify(value), title: title || value }))
}
