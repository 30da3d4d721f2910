// A field of a form in words: what goes into it, what can be chosen, and what is
// wrong with what was given. Whether it is, the engine says.

import { plainLine } from "./plain.js"
import { member, string } from "./raw-json.js"

/** @import { Field, QuestionForm } from "./parley.js" */

/** Fields that are being filled in: of a question, or of a call's arguments. @typedef {Pick<QuestionForm, "fields" | "enter" | "choose" | "accept">} Filling */

/** Something to choose: `value` is JSON text; `ours` says that the label is our own word. @typedef {{value: string, label: string, ours?: boolean}} Choice */

/** Said of a field that starts with less than the server gave. */
export const takenOut = "The suggested text has hidden characters; they were taken out."

/** @param {Field} field */
export function titleOf({ title, name }) {
  return title || name
}

/** What an answer gives for a field, JSON text; empty if it is left out. @param {Field} field @param {string} answer an ElicitResult */
export function given({ name }, answer) {
  return member(member(answer, "content") ?? "{}", name) ?? ""
}

/** A value as it stands in a box: a string's text, or a number as it is written. @param {string} json empty for none */
export function typedOf(json) {
  return string(json) ?? json
}

/** What is wrong, as a sentence. @param {Field} field @param {string} problem goes on after the title */
export function complaint(field, problem) {
  return plainLine(`${titleOf(field)} ${problem}`, 400)
}

/** The options of a field. Those of one name are told apart by their values. @param {Field} field @returns {Choice[]} */
export function choices({ kind, options = [] }) {
  if (kind === "boolean") {
    return [
      { value: "true", label: "Yes", ours: true },
      { value: "false", label: "No", ours: true },
    ]
  }
  const names = options.map(({ value, title }) => title || value || "(empty)")
  return options.map(({ value }, i) => {
    const name = names[i] ?? value
    const ambiguous = names.indexOf(name) !== names.lastIndexOf(name)
    return { value: JSON.stringify(value), label: ambiguous ? `${name} (${value})` : name }
  })
}

/** @type {Record<string, string>} */
const formats = {
  email: "An e-mail address.",
  uri: "A web or other address, such as https://example.com/.",
  date: "A date, such as 2026-07-28.",
  "date-time": "A date and time, such as 2026-07-28T09:30:00Z.",
}

/** What goes into a field, in our own words. @param {Field} field */
export function hint({ kind, format, minLength, maxLength, minimum, maximum, minItems, maxItems, options }) {
  switch (kind) {
    case "string":
      return format === undefined ? bounds("", minLength, maxLength, " characters") : (formats[format] ?? "")
    case "integer":
      return bounds("A whole number, ", minimum, maximum) || "A whole number."
    case "number":
      return bounds("A number, ", minimum, maximum) || "A number."
    case "choices":
      return bounds("Choose ", minItems, maxItems ?? (minItems && options?.length)) || "Choose any."
  }
  return ""
}

/** @param {string} what @param {string | number | undefined} least @param {string | number | undefined} most @param {string} [unit] */
function bounds(what, least, most, unit = "") {
  let range = ""
  if (least && most) range = least === most ? `exactly ${least}` : `${least} to ${most}`
  else if (least) range = `at least ${least}`
  else if (most) range = `at most ${most}`
  if (!range) return ""
  const text = `${what}${range}${unit}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}
