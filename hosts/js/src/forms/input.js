import { formHints } from "./hints.js"
import { elementsOf, typedOf } from "../texts/raw-json.js"
import { say, translate } from "../texts/sentence.js"

/** @import { FormField, QuestionForm } from "./question.js" */

/** What a person puts into a field: what was typed, of a list a value on each line; or the value that was chosen as JSON text, "" for none; of several choices all of them. @typedef {string | string[]} Entry */

/** @type {Record<string, string>} */
const types = { email: "email", uri: "url", date: "date" }

/** @type {Record<string, "numeric" | "decimal">} */
const keyboards = { integer: "numeric", number: "decimal" }

/** By what a person picks one of several types. @type {Record<string, string>} */
const kindWords = { string: "Text", number: "A number", integer: "A whole number", boolean: "Yes or no", choice: "One of some choices", choices: "Some of some choices", list: "A list of values" }

/** @type {Record<string, string>} */
const formatWords = { email: "An email address", uri: "An address", date: "A date", "date-time": "A date and time" }

/** What is wrong where the browser has only half of an entry: the field never gets it. */
export const half = { code: -1, message: "is not whole", sentence: say`is not whole` } // ProblemCode.partial, whose table the entries for pages need not load

/** How a field looks that is typed into. @param {FormField} field */
export function inputLook({ kind, format, items }) {
  if (kind === "list") ({ kind, format } = /** @type {FormField} */ (items))
  return { type: (format && types[format]) ?? "text", inputMode: keyboards[kind], placeholder: format === "date-time" ? "2026-07-28T12:00:00Z" : undefined }
}

/** Whether the person has to fill it in: where null is an answer, too, left empty is that. @param {FormField} field */
export function needed({ required = false, nullable }) {
  return required && !nullable
}

/** What there is to choose from in a field, the values as JSON text; undefined if it is typed into. @param {FormField} field */
export function choicesOf({ kind, options }) {
  if (kind === "boolean") return [{ value: "true", title: "Yes" }, { value: "false", title: "No" }]
  return options && toldApart(options.map(({ value, title }) => ({ value, title: title === value ? (yesNo[value] ?? value) : title || value })))
}

/** @type {Record<string, string>} */
const yesNo = { true: "Yes", false: "No" }

/** What there is to pick from first in a union: the values are indexes. @param {FormField} field */
export function typesOf({ title, alternatives = [] }) {
  const words = (/** @type {FormField} */ { kind, format }) => (format && formatWords[format]) ?? kindWords[kind] ?? kind
  return toldApart(alternatives.map((one, i) => ({ value: String(i), title: one.title && one.title !== title ? `${one.title} (${words(one)})` : words(one) })))
}

/** Options, of which none looks like another. @param {{value: string, title: string}[]} options */
function toldApart(options) {
  const look = (/** @type {string} */ title) => title.normalize("NFKC").replace(/[\s\p{C}]+/gu, " ").trim()
  /** @type {Map<string, number>} */
  const seen = new Map()
  for (const { title } of options) seen.set(look(title), (seen.get(look(title)) ?? 0) + 1)
  return options.map(({ value, title }) => ({ value, title: (seen.get(look(title)) ?? 0) > 1 ? `${title} (${value})` : title }))
}

/** What else a person is to know of a field, or of the form. @param {Parameters<typeof formHints>[0]} field */
export function hintOf(field) {
  return formHints(field).map((hint) => translate(hint)).join(" ")
}

/** What stands in a field that is only shown. @param {FormField} field */
export function readOnlyText(field) {
  const { initial = "" } = field
  return choicesOf(field)?.find(({ value }) => value === initial)?.title ?? typedOf(initial).replaceAll("\n", ", ")
}

/** Said of a field that the person has cleared. */
export const leftToDefault = { message: "Left empty: the server may use its default.", sentence: say`Left empty: the server may use its default.` }

/** What stands in a field before anybody touches it. @param {FormField} field @returns {Entry} */
export function startOf(field) {
  const { kind, initial, alternatives, alternative } = field
  const of = alternative === undefined ? undefined : alternatives?.[alternative]
  if (of) return startOf(of)
  if (kind === "choices") return elementsOf(initial ?? "[]")
  return initial === undefined ? "" : choicesOf(field) ? initial : typedOf(initial)
}

/**
 * Takes an entry into the form, and returns what is wrong with it. `start` is
 * what stood there first, where a browser made something else of it: left alone, it goes out as it was spelled. `picked` is the
 * index of what the person picked of a union.
 *
 * @param {QuestionForm} form @param {FormField} field @param {Entry} entry @param {Entry} [start] @param {number} [picked]
 */
export function take(form, field, entry, start, picked) {
  const of = field.alternatives ? field.alternatives[picked ?? -1] : field
  if (field.readOnly || !of || !entry.length) return form.enter(field, "")
  if (typeof entry !== "string") return form.choose(field, `[${entry}]`)
  if (choicesOf(of)) return form.choose(field, entry)
  return of.initial !== undefined && entry === (start ?? startOf(of)) ? form.choose(field, of.initial) : form.enter(field, entry, picked)
}
