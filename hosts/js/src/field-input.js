import { say } from "./sentence.js"

/** @import { FormField, QuestionForm } from "./question-form.js" */

/** What a person puts into a field: what was typed, or the value that was chosen as JSON text, "" for none; of several choices all of them. @typedef {string | string[]} Entry */

/** @type {Record<string, string>} */
const types = { email: "email", uri: "url", date: "date" }

/** @type {Record<string, "numeric" | "decimal">} */
const keyboards = { integer: "numeric", number: "decimal" }

/** What is wrong where the browser has only half of an entry: the field never gets it. */
export const half = { code: -1, message: "is not whole", sentence: say`is not whole` } // ProblemCode.partial, whose table the entries for pages need not load

/** How a field looks that is typed into. @param {FormField} field */
export function inputLook({ kind, format }) {
  return { type: (format && types[format]) ?? "text", inputMode: keyboards[kind], placeholder: format === "date-time" ? "2026-07-28T12:00:00Z" : undefined }
}

/** What there is to choose from in a field, the values as JSON text; undefined if it is typed into. @param {FormField} field */
export function choicesOf({ kind, options }) {
  if (kind === "boolean") return [{ value: "true", title: "Yes" }, { value: "false", title: "No" }]
  return options?.map(({ value, title }) => ({ value: JSON.stringify(value), title: title || value }))
}

/** What stands in a field before anybody touches it. @param {FormField} field @returns {Entry} */
export function startOf(field) {
  const { kind, initial } = field
  if (kind === "choices") return JSON.parse(initial ?? "[]").map((/** @type {unknown} */ value) => JSON.stringify(value))
  if (initial === undefined) return ""
  if (choicesOf(field)) return JSON.stringify(JSON.parse(initial)) // spelled as the choice is
  return initial.startsWith('"') ? JSON.parse(initial) : initial
}

/**
 * Takes an entry into the form, and returns what is wrong with it. `start` is
 * what stood there first: left alone, it goes out as it was spelled.
 *
 * @param {QuestionForm} form @param {FormField} field @param {Entry} entry @param {Entry} [start]
 */
export function take(form, field, entry, start) {
  if (typeof entry !== "string") return entry.length ? form.choose(field, `[${entry}]`) : form.enter(field, "")
  if (choicesOf(field)) return entry ? form.choose(field, entry) : form.enter(field, "")
  return field.initial !== undefined && entry === start ? form.choose(field, field.initial) : form.enter(field, entry)
}
