import { choices, given, titleOf } from "./field.js"
import { t } from "./language.js"
import { elements, string } from "./raw-json.js"

/** @import { Choice } from "./field.js" */
/** @import { FormField } from "./parley.js" */

/** A line of an answer, as it is shown: both are as they came. @typedef {{label: string, value: string, ours?: boolean}} Line `ours` says that the value is our own word */

/** An answer in words, without what was only shown. @param {FormField[]} fields @param {string} answer an ElicitResult @returns {Line[]} */
export function lines(fields, answer) {
  return fields.filter(({ readOnly }) => !readOnly).map((field) => ({ label: titleOf(field), ...words(field, given(field, answer)) }))
}

/** What stands in a field that is only shown. @param {FormField} field @returns {Line} */
export function shownOnly(field) {
  return { label: titleOf(field), ...words(field, field.initial ?? "null") }
}

/** @param {FormField} field @param {string} value JSON text, empty if it is left out @returns {{value: string, ours?: boolean}} */
function words(field, value) {
  if (value === "") return { value: field.default === undefined ? t`left out` : t`left out: the server may use its default`, ours: true }
  if (value === "null") return { value: t`left empty`, ours: true }
  const all = [field, ...(field.alternatives ?? [])].flatMap(choices)
  if (!value.startsWith("[")) return word(all, value)
  const chosen = elements(value).map((one) => inList(word(all, one).value))
  return chosen.length ? { value: chosen.join(", ") } : { value: t`none`, ours: true }
}

/** @param {Choice[]} all that there is to choose from @param {string} value JSON text @returns {{value: string, ours?: boolean}} */
function word(all, value) {
  const choice = all.find((one) => one.value === value)
  if (choice) return { value: choice.label, ...(choice.ours && { ours: true }) }
  const text = string(value) ?? value
  return text === "" ? { value: t`empty`, ours: true } : { value: text }
}

/** A text between commas: in quotation marks where it could be taken for several, or for none. @param {string} text */
function inList(text) {
  return /[,"\n]|^\s|\s$/.test(text) ? JSON.stringify(text) : text
}

/** What a call is of, in our words. @type {Record<string, string>} */
export const kinds = { "tools/call": t`Tool`, "prompts/get": t`Prompt`, "resources/read": t`Resource` }

/** Words that may continue something else, on their own. @param {string} text */
export function asSentence(text) {
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`
}

/** @param {number} n @param {string} one @param {string} [more] */
export function count(n, one, more = `${one}s`) {
  return `${n} ${n === 1 ? one : more}`
}
