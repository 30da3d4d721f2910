// What a person fills a field in with, by the field's kind.

import { choices, needed, nothing, takenOut, titleOf, typedOf } from "../../shared-js/field.js"
import { t } from "../../shared-js/language.js"
import { hasHidden, plainLine, stripped } from "../../shared-js/plain.js"
import { elements } from "../../shared-js/raw-json.js"
import { Combobox } from "./combobox.js"
import { list } from "./control-list.js"
import { union } from "./control-union.js"
import { el, newId } from "./element.js"
import { shownLine } from "./shown.js"
import { fromLocal, toLocal } from "./local-time.js"

/** @import { FormField } from "@parley-mcp/parley" */
/** @import { AsJson, Choice } from "../../shared-js/field.js" */
/** @import { Suggestions } from "../../shared-js/suggestions.js" */

/**
 * What stands in a control: text for the engine to make a value of, a value as
 * JSON text, or what keeps it from being either. `alternative` is the index of the
 * type that was picked for what is typed.
 *
 * @typedef {{typed: string, alternative?: number} | {value: string} | {problem: string}} Reading
 */

/** What a control is put back to after a reload; empty if it was not touched. @typedef {string | string[]} Draft */

/**
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {HTMLElement[]} inputs what can be focused and be invalid, as it stands
 * @property {boolean} labelled it has its own label or labels: the field is a group
 * @property {() => Reading} read
 * @property {() => Draft} draft
 * @property {(draft: Draft) => void} restore
 * @property {string} [note] more to know, from the page itself
 */

/**
 * `multiline` lets a text without a bound have several lines; `suggest` is asked
 * what a text could be.
 *
 * @typedef {{multiline?: boolean, suggest?: (field: FormField, signal: AbortSignal) => Promise<Suggestions>}} ControlOptions
 */

/** Up to how many options are shown as radio buttons. */
const mostRadios = 6

/** From how many characters on a text gets several lines. */
const longText = 150

/**
 * The control for a field.
 *
 * @param {FormField} field
 * @param {ControlOptions} [options]
 * @returns {Control}
 */
export function control(field, { multiline = false, suggest } = {}) {
  const { initial } = field
  switch (field.kind) {
    case "boolean":
      return initial === undefined || field.nullable ? options(field, initial) : check(field, initial)
    case "list":
      return list(field)
    case "union":
      return union(field, { multiline, suggest })
    case "choice":
      return (field.options ?? []).length > mostRadios ? select(field, initial) : options(field, initial)
    case "choices":
      return checks(field, initial)
    case "string":
      if (field.format === "date") return date(field, initial)
      if (field.format === "date-time") return dateTime(field, initial)
      return text(field, initial, multiline, suggest)
    default:
      return text(field, initial, false)
  }
}

/** @param {FormField & AsJson} field @param {string | undefined} initial @param {boolean} multiline @param {ControlOptions["suggest"]} [suggest] @returns {Control} */
function text(field, initial, multiline, suggest) {
  const whole = typedOf(initial ?? "")
  const start = stripped(whole)
  const free = field.kind === "string" && !field.format
  const long = start.includes("\n") || (free && Math.max(start.length, field.maxLength ?? (multiline ? Infinity : 0)) > longText)
  const input = long ? el("textarea", { rows: multiline && !field.maxLength && field.json === undefined ? 1 : 3, class: field.json !== undefined && "json" }) : el("input", { type: types[field.format ?? ""] ?? "text" })
  input.value = start
  if (field.json !== undefined) input.spellcheck = false
  if (field.kind === "integer" && !field.minimum?.startsWith("-")) input.inputMode = "numeric"
  if (field.kind === "number") input.inputMode = "decimal"
  input.autocomplete = field.format === "email" ? "email" : "off"
  input.required = needed(field)
  if (field.kind !== "string") input.classList.add("short")
  const same = initial !== undefined && start === whole // nothing hidden was taken out
  const { element } = suggest ? new Combobox(input, (signal) => suggest(field, signal)) : { element: input }
  return {
    ...alone(input),
    element,
    read: () => (same && input.value === start ? { value: initial } : { typed: input.value }),
    note: hasHidden(whole) ? takenOut : undefined,
  }
}

/** @type {Record<string, string>} */
export const types = { email: "email", uri: "url" }

/** @param {FormField} field @param {string | undefined} initial @returns {Control} */
function date(field, initial) {
  const input = el("input", { type: "date", class: "short" })
  input.value = typedOf(initial ?? "")
  input.required = needed(field)
  return {
    ...alone(input),
    read: () => (input.validity.badInput ? { problem: t`must be a whole date: day, month and year` } : { typed: input.value }),
  }
}

/** @param {FormField} field @param {string | undefined} initial @returns {Control} */
function dateTime(field, initial) {
  const input = el("input", { type: "datetime-local", class: "short" })
  input.value = toLocal(typedOf(initial ?? ""))
  const start = input.value // as the browser spells it
  input.required = needed(field)
  return {
    ...alone(input),
    read() {
      if (input.validity.badInput) return { problem: t`must be a whole date and time` }
      if (initial !== undefined && input.value === start) return { value: initial }
      return { typed: input.value && fromLocal(input.value) }
    },
    note: t`In your own time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`,
  }
}

/** A control that is one input. @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} input */
function alone(input) {
  return {
    element: input,
    inputs: [input],
    labelled: false,
    draft: () => input.value,
    restore: (/** @type {Draft} */ draft) => void (input.value = String(draft)),
  }
}

/** A yes or no that starts from one of them. @param {FormField} field @param {string} initial @returns {Control} */
function check(field, initial) {
  const input = el("input", { type: "checkbox" })
  input.checked = initial === "true"
  return {
    element: el("label", { class: "option" }, input, el("span", { class: "theirs" }, shownLine(titleOf(field), 120))),
    inputs: [input],
    labelled: true,
    read: () => ({ value: String(input.checked) }),
    draft: () => String(input.checked),
    restore: (draft) => (input.checked = draft === "true"),
  }
}

/** One of a few, all in sight. @param {FormField} field @param {string | undefined} initial @returns {Control} */
function options(field, initial) {
  return radios(choices(field), field, initial, field.kind === "boolean" ? "options beside" : "options")
}

/**
 * Radio buttons, with one for nothing where that is an answer.
 *
 * @param {Choice[]} from @param {FormField} field @param {string | undefined} initial @param {string} look a class
 * @returns {Control}
 */
export function radios(from, field, initial, look) {
  const name = newId("choice")
  /** @type {{value?: string, label: string, ours?: boolean}[]} */
  const list = [...from]
  if (!needed(field)) list.push({ label: nothing(field), ours: true })
  const inputs = list.map(({ value }, i) => {
    const input = el("input", { type: "radio", name, value: String(i) })
    input.checked = initial === undefined ? value === undefined : value === initial
    input.required = needed(field)
    return input
  })
  const chosen = () => inputs.findIndex((input) => input.checked)
  return {
    element: listed(list, inputs, look),
    inputs,
    labelled: true,
    read() {
      const value = list[chosen()]?.value
      return value === undefined ? { typed: "" } : { value }
    },
    draft: () => (chosen() < 0 ? "" : String(chosen())),
    restore(draft) {
      const input = inputs[Number(draft || -1)]
      if (input) input.checked = true
    },
  }
}

/** One of many. @param {FormField} field @param {string | undefined} initial @returns {Control} */
function select(field, initial) {
  const list = choices(field)
  const none = el("option", { value: "" }, needed(field) ? t`Choose one…` : nothing(field))
  const input = el(
    "select",
    { required: needed(field) },
    none,
    list.map(({ label }, i) => el("option", { value: i }, plainLine(label, 120))),
  )
  const start = list.findIndex(({ value }) => value === initial)
  input.value = start < 0 ? "" : String(start)
  return {
    ...alone(input),
    read() {
      const value = list[Number(input.value)]?.value
      return input.value === "" || value === undefined ? { typed: "" } : { value }
    },
  }
}

/** Some of several. @param {FormField} field @param {string | undefined} initial @returns {Control} */
function checks(field, initial) {
  const list = choices(field)
  const start = elements(initial ?? "[]")
  const inputs = list.map(({ value }, i) => {
    const input = el("input", { type: "checkbox", value: String(i) })
    input.checked = start.includes(value)
    return input
  })
  const chosen = () => list.filter((_, i) => inputs[i]?.checked).map(({ value }) => value)
  return {
    element: listed(list, inputs, "options"),
    inputs,
    labelled: true,
    read() {
      const values = chosen()
      return values.length ? { value: `[${values.join(",")}]` } : { typed: "" }
    },
    draft: () => inputs.filter((input) => input.checked).map((input) => input.value),
    restore(draft) {
      for (const input of inputs) input.checked = draft.includes(input.value)
    },
  }
}

/** @param {{label: string, ours?: boolean}[]} list @param {HTMLElement[]} inputs of each @param {string} name of its class */
function listed(list, inputs, name) {
  const entries = list.map(({ label, ours }, i) => el("label", { class: "option" }, inputs[i], el("span", { class: ours ? "ours" : "theirs" }, ours ? label : shownLine(label, 200))))
  return el("div", { class: name }, entries)
}
