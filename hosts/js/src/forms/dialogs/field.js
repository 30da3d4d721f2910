import { el } from "./element.js"
import { choicesOf, half, hintOf, inputLook, leftToDefault, needed, readOnlyText, startOf, take, typesOf } from "../input.js"

/** @import { Entry } from "../input.js" */
/** @import { FormField, QuestionForm } from "../question.js" */

/** A field of a form. `check` takes what stands there into the form, shows what is wrong, and tells whether nothing is. @typedef {{element: HTMLElement, check: () => boolean, focus: () => void}} FieldView */

/**
 * What a person fills a field in with. `read` is what stands there, or what keeps
 * it from being anything; `group` says that each input has a label of its own.
 *
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {() => HTMLElement[]} inputs
 * @property {() => {entry: Entry, start?: Entry, picked?: number} | {wrong: string}} read
 * @property {boolean} [group]
 */

/** A copy of this file may be in the page already. */
const prefix = `parley-${Math.random().toString(36).slice(2)}`
let fields = 0

/** @param {QuestionForm} form @param {FormField} field @returns {FieldView} */
export function fieldView(form, field) {
  const { title, name, description } = field
  const id = `${prefix}-${++fields}`
  const label = [el("bdi", {}, title || name), needed(field) && " *"]
  const hint = hintOf(field)
  const about = description && el("p", { id: `${id}-about`, dir: "auto" }, description)
  const more = hint && el("p", { id: `${id}-hint` }, hint)
  if (field.readOnly) return { element: el("div", {}, el("p", {}, ...label, ": ", el("bdi", {}, readOnlyText(field))), about, more), check: () => true, focus() {} }

  const { element, inputs, read, group } = control(field, id)
  const problem = el("p", { id: `${id}-problem`, role: "alert" })
  const left = el("p", { id: `${id}-left`, role: "status" })
  const described = [about, more, problem].flatMap((one) => (one ? [one.id] : [])).join(" ")
  const told = [about, more]
  const whole = group
    ? el("fieldset", { "aria-describedby": described }, el("legend", {}, ...label), ...told, element, left, problem)
    : el("div", {}, el("label", { for: id }, ...label), " ", element, ...told, left, problem)
  if (!group) element.setAttribute("aria-describedby", described)
  /** Takes what stands there into the form, and returns what is wrong. */
  const enter = () => {
    const given = read()
    return "wrong" in given ? given.wrong : take(form, field, given.entry, given.start, given.picked)
  }
  whole.addEventListener("input", () => {
    enter()
    left.textContent = form.isLeftToDefault(field) ? leftToDefault.message : ""
  })
  return {
    element: whole,
    check() {
      const wrong = enter()
      problem.textContent = wrong === undefined ? "" : `It ${wrong}.`
      for (const input of inputs()) input.setAttribute("aria-invalid", String(wrong !== undefined))
      return wrong === undefined
    },
    focus: () => inputs()[0]?.focus(),
  }
}

/** @param {FormField} field @param {string} id @returns {Control} */
function control(field, id) {
  switch (field.kind) {
    case "boolean":
    case "choice":
      return choice(choicesOf(field) ?? [], field, id, startOf(field))
    case "choices":
      return choices(field)
    case "list":
      return list(field)
    case "union":
      return union(field, id)
    default:
      return text(field, id)
  }
}

/** @param {FormField} field @param {string} [id] @returns {HTMLInputElement} */
function line(field, id) {
  const { type, inputMode, placeholder } = inputLook(field)
  return el("input", { id, type, inputmode: inputMode, autocomplete: "off", placeholder, required: needed(field) && "" })
}

/** @param {FormField} field @param {string} id @returns {Control} */
function text(field, id) {
  const input = line(field, id)
  input.value = String(startOf(field))
  const start = input.value // which the browser may have made something else of
  return { element: input, inputs: () => [input], read: () => (input.validity.badInput ? { wrong: half.message } : { entry: input.value, start }) }
}

/** One of several, or none. @param {{value: string, title: string}[]} options @param {FormField} field @param {string} id @param {Entry} start @returns {Control & {element: HTMLSelectElement}} */
function choice(options, field, id, start) {
  const none = el("option", { value: "" }, needed(field) ? "Choose…" : "–")
  const select = el("select", { id, required: needed(field) && "" }, none, ...options.map(({ value, title }) => el("option", { value }, title)))
  select.value = String(start)
  return { element: select, inputs: () => [select], read: () => ({ entry: select.value }) }
}

/** Some of several. @param {FormField} field @returns {Control} */
function choices(field) {
  const start = startOf(field)
  const inputs = (choicesOf(field) ?? []).map(({ value, title }) => {
    const input = el("input", { type: "checkbox", value })
    input.checked = start.includes(value)
    return { input, element: el("div", {}, el("label", {}, input, " ", el("bdi", {}, title))) }
  })
  const read = () => ({ entry: inputs.filter(({ input }) => input.checked).map(({ input }) => input.value) })
  return { element: el("div", {}, ...inputs.map(({ element }) => element)), inputs: () => inputs.map(({ input }) => input), read, group: true }
}

/** Values, each in an input of its own. @param {FormField} field @returns {Control} */
function list(field) {
  const start = String(startOf(field))
  const rows = el("ol")
  const add = el("button", { type: "button" }, "Add a value")
  const inputs = () => Array.from(rows.querySelectorAll("input"))
  const changed = () => {
    inputs().forEach((input, i) => {
      input.setAttribute("aria-label", `Value ${i + 1}`)
      input.nextElementSibling?.setAttribute("aria-label", `Remove value ${i + 1}`)
    })
    rows.dispatchEvent(new Event("input", { bubbles: true }))
  }
  const row = (/** @type {string} */ value) => {
    const input = line({ ...field, required: false })
    const remove = el("button", { type: "button" }, "Remove")
    const item = el("li", {}, input, " ", remove)
    input.value = value
    remove.addEventListener("click", () => {
      const next = item.nextElementSibling ?? item.previousElementSibling
      item.remove()
      ;(next?.querySelector("input") ?? add).focus()
      changed()
    })
    rows.append(item)
    return input
  }
  add.addEventListener("click", () => {
    const input = row("")
    changed()
    input.focus()
  })
  for (const value of start.split("\n")) row(value)
  changed()
  const whole = inputs().map(({ value }) => value).join("\n")
  /** @returns {ReturnType<Control["read"]>} */
  const read = () => {
    if (inputs().some(({ validity }) => validity.badInput)) return { wrong: half.message }
    const entry = inputs().map(({ value }) => value).join("\n")
    return { entry: entry.trim() && entry, start: whole }
  }
  return { element: el("div", {}, rows, add), inputs: () => [...inputs(), add], read, group: true }
}

/** A value of a type that the person picks first. @param {FormField} field @param {string} id @returns {Control} */
function union(field, id) {
  const { alternatives = [], alternative, title, name } = field
  const types = choice(typesOf(field), field, `${id}-type`, alternative === undefined ? "" : String(alternative))
  const place = el("div")
  /** @type {Control | undefined} */
  let inner
  const fill = () => {
    const of = alternatives[Number(types.element.value || -1)]
    inner = of && control(of, `${id}-value`)
    if (inner && !inner.group) inner.element.setAttribute("aria-label", title || name)
    place.replaceChildren(...(inner ? [inner.element] : []))
  }
  types.element.setAttribute("aria-label", "Type")
  types.element.addEventListener("change", fill)
  fill()
  /** @returns {ReturnType<Control["read"]>} */
  const read = () => {
    const given = inner?.read() ?? { entry: "" }
    return inner && !("wrong" in given) ? { ...given, picked: Number(types.element.value) } : given
  }
  return { element: el("div", {}, types.element, " ", place), inputs: () => [types.element, ...(inner?.inputs() ?? [])], read, group: true }
}
