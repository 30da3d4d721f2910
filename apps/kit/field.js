// A field of a form in words: what goes into it, what can be chosen, and what is
// wrong with what was given. Whether it is, the engine says.

import { t } from "./language.js"
import { plainLine } from "./plain.js"
import { member, string } from "./raw-json.js"

/** @import { Field, QuestionForm } from "./parley.js" */

/** Fields that are being filled in: of a question, or of a call's arguments. @typedef {Pick<QuestionForm, "fields" | "enter" | "choose" | "problemOf" | "accept">} Filling */

/** `json` is an example where a field is typed as JSON. @typedef {{json?: string}} AsJson */

/** Something to choose: `value` is JSON text; `ours` says that the label is our own word. @typedef {{value: string, label: string, ours?: boolean}} Choice */

/** Said of a field that starts with less than the server gave. */
export const takenOut = t`The suggested text has hidden characters; they were taken out.`

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
      { value: "true", label: t`Yes`, ours: true },
      { value: "false", label: t`No`, ours: true },
    ]
  }
  const names = options.map(({ value, title }) => title || value || t`(empty)`)
  return options.map(({ value }, i) => {
    const name = names[i] ?? value
    const ambiguous = names.indexOf(name) !== names.lastIndexOf(name)
    return { value: JSON.stringify(value), label: ambiguous ? `${name} (${value})` : name }
  })
}

/** @type {Record<string, string>} */
const formats = {
  email: t`An e-mail address.`,
  uri: t`A web or other address, such as https://example.com/.`,
  date: t`A date, such as 2026-07-28.`,
  "date-time": t`A date and time, such as 2026-07-28T09:30:00Z.`,
}

/** What goes into a field, in our own words. @param {Field & AsJson} field */
export function hint({ kind, format, minLength, maxLength, minimum, maximum, minItems, maxItems, options, json }) {
  if (json !== undefined) return t`As JSON, such as ${json}.`
  switch (kind) {
    case "string":
      return format === undefined ? capital(lengths(minLength, maxLength)) : (formats[format] ?? "")
    case "integer":
      return numbered(range(minimum, maximum), (of) => t`A whole number, ${of}.`, t`A whole number.`)
    case "number":
      return numbered(range(minimum, maximum), (of) => t`A number, ${of}.`, t`A number.`)
    case "choices":
      return numbered(range(minItems, maxItems ?? (minItems && options?.length)), (of) => t`Choose ${of}.`, t`Choose any.`)
  }
  return ""
}

/** @param {number | undefined} least @param {number | undefined} most */
function lengths(least, most) {
  return numbered(range(least, most), (of) => t`${of} characters.`, "")
}

/** A number as the server wrote it: so it can be typed. @param {string | number | undefined} least @param {string | number | undefined} most */
function range(least, most) {
  if (least && most) return least === most ? t`exactly ${String(least)}` : t`${String(least)} to ${String(most)}`
  if (least) return t`at least ${String(least)}`
  return most ? t`at most ${String(most)}` : ""
}

/** @param {string} of what @param {(of: string) => string} words @param {string} none what is said if there is no such thing */
function numbered(of, words, none) {
  return of ? words(of) : none
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
