// A field of a form in words: what goes into it, what can be chosen, and what is
// wrong with what was given. Whether it is, the engine says.

import { t } from "./language.js"
import { formHints } from "./parley.js"
import { plainLine } from "./plain.js"
import { member, string } from "./raw-json.js"
import { spoken } from "./spoken.js"

/** @import { Field, FormField, QuestionForm } from "./parley.js" */

/** Fields that are being filled in: of a question, or of a call's arguments. @typedef {Pick<QuestionForm, "fields" | "unchecked" | "enter" | "choose" | "problemOf" | "isLeftToDefault" | "accept">} Filling */

/** `json` is an example where a field is typed as JSON. @typedef {{json?: string}} AsJson */

/** Something to choose: `value` is JSON text; `ours` says that the label is our own word. @typedef {{value: string, label: string, ours?: boolean}} Choice */

/** Said of a field that starts with less than the server gave. */
export const takenOut = t`The suggested text has hidden characters; they were taken out.`

/** Said of a field that has a default and was cleared. */
export const leftToDefault = t`Left empty: the server may use its default.`

/** How much of a number of a server is said, in characters. */
const mostDigits = 40

/** @param {Pick<Field, "title" | "name">} field */
export function titleOf({ title, name }) {
  return title || name
}

/** Whether the person has to fill it in: where nothing is an answer, too, left empty is that. @param {Pick<Field, "required" | "nullable">} field */
export function needed({ required = false, nullable }) {
  return required && !nullable
}

/** What an answer gives for a field, JSON text; empty if it is left out. @param {Pick<Field, "name">} field @param {string} answer an ElicitResult */
export function given({ name }, answer) {
  return member(member(answer, "content") ?? "{}", name) ?? ""
}

/** A value as it stands in a box: a string's text, or a number as it is written. @param {string} json empty for none, and null is none */
export function typedOf(json) {
  return string(json) ?? (json === "null" ? "" : json)
}

/** What is wrong, as a sentence. @param {Field | FormField} field @param {string} problem continues after the title */
export function complaint(field, problem) {
  return plainLine(`${titleOf(field)} ${problem}`, 400)
}

/** The options of a field. Those of one name are told apart by their values. @param {Field | FormField} field @returns {Choice[]} */
export function choices({ kind, options = [] }) {
  if (kind === "boolean") return [yesOrNo("true"), yesOrNo("false")]
  return toldApart(options.map(({ value, title }) => (title === value && isBoolean(value) ? yesOrNo(value) : { value, label: title || string(value) || (value === '""' ? t`(empty)` : value) })))
}

/** What can be picked first of a field of several types: each `value` is an index. @param {Pick<FormField, "title" | "alternatives">} field @returns {Choice[]} */
export function types({ title, alternatives = [] }) {
  return toldApart(
    alternatives.map((one, i) => {
      const type = (one.format && formatTypes[one.format]) ?? kindTypes[one.kind] ?? one.kind
      const own = one.title && one.title !== title
      return { value: String(i), label: own ? `${one.title} (${type})` : type, ours: !own }
    }),
  )
}

/** @param {string} value true or false @returns {Choice} */
function yesOrNo(value) {
  return { value, label: value === "true" ? t`Yes` : t`No`, ours: true }
}

/** @param {string} value JSON text */
function isBoolean(value) {
  return value === "true" || value === "false"
}

/** What it is called to give nothing. @param {Pick<Field, "required" | "nullable">} field */
export function nothing({ required, nullable }) {
  return required || nullable ? t`Leave it empty` : t`Leave it out`
}

/** Labels of which none looks like another, or like what we offer beside them, also where they are cut. @param {Choice[]} list */
function toldApart(list) {
  const look = (/** @type {string} */ label) => plainLine(label.normalize("NFKC").replace(/[\s\p{C}]+/gu, " ").trim(), 100)
  const seen = new Map([t`Leave it empty`, t`Leave it out`].map((label) => [look(label), 1]))
  for (const { label } of list) seen.set(look(label), (seen.get(look(label)) ?? 0) + 1)
  return list.map((one) => ((seen.get(look(one.label)) ?? 0) > 1 ? { value: one.value, label: `${plainLine(one.label, 40)} (${plainLine(one.value, 30)})` } : one))
}

/** @type {Record<string, string>} */
const kindTypes = { string: t`Text`, number: t`A number`, integer: t`A whole number`, boolean: t`Yes or no`, choice: t`One of a few`, choices: t`Some of a few`, list: t`A list` }

/** @type {Record<string, string>} */
const formatTypes = { email: t`An e-mail address`, uri: t`An address`, date: t`A date`, "date-time": t`A date and time` }

/** @type {Record<string, string>} */
const formats = {
  email: t`An e-mail address.`,
  uri: t`A web or other address, such as https://example.com/.`,
  date: t`A date, such as 2026-07-28.`,
  "date-time": t`A date and time, such as 2026-07-28T09:30:00Z.`,
}

/** What goes into a field, and what else there is to know of it, in our own words. @param {Field | FormField & AsJson} field */
export function hint(field) {
  return [inWords(field), furtherHint(field)].filter(Boolean).join(" ")
}

/** What the server gives as examples, and what only it checks, of a field or of a form. @param {Parameters<typeof formHints>[0]} field */
export function furtherHint(field) {
  return formHints(field).map((one) => plainLine(spoken(one), 400)).join(" ")
}

/** @param {Field | FormField & AsJson} field @returns {string} */
function inWords(field) {
  const { kind, format, minLength, maxLength, minItems, maxItems, uniqueItems, options, items } = field
  if ("json" in field && field.json !== undefined) return t`As JSON, such as ${field.json}.`
  switch (kind) {
    case "string":
      return format === undefined ? capital(lengths(minLength, maxLength)) : (formats[format] ?? "")
    case "integer":
      return numbered(bounds(field), (of) => t`A whole number, ${of}.`, t`A whole number.`)
    case "number":
      return numbered(bounds(field), (of) => t`A number, ${of}.`, t`A number.`)
    case "choices":
      return numbered(range(minItems, maxItems ?? (minItems && options?.length)), (of) => t`Choose ${of}.`, t`Choose any.`)
    case "list": {
      const each = items && hint(items)
      return [numbered(range(minItems, maxItems), (of) => t`How many values: ${of}.`, ""), uniqueItems && t`No value twice.`, each && t`Each value: ${each}`].filter(Boolean).join(" ")
    }
  }
  return ""
}

/** What a number has to be, as far as it is said. @param {Pick<Field, "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf">} field */
function bounds({ minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf }) {
  return [range(minimum, maximum), above && t`more than ${cut(above)}`, below && t`less than ${cut(below)}`, multipleOf && t`a multiple of ${cut(multipleOf)}`].filter(Boolean).join(", ")
}

/** @param {number | undefined} least @param {number | undefined} most */
function lengths(least, most) {
  return numbered(range(least, most), (of) => t`${of} characters.`, "")
}

/** A number as the server wrote it: so it can be typed. @param {string | number | undefined} least @param {string | number | undefined} most */
function range(least, most) {
  if (least && most) return least === most ? t`exactly ${cut(least)}` : t`${cut(least)} to ${cut(most)}`
  if (least) return t`at least ${cut(least)}`
  return most ? t`at most ${cut(most)}` : ""
}

/** @param {string | number} number */
function cut(number) {
  return plainLine(String(number), mostDigits)
}

/** @param {string} of what @param {(of: string) => string} words @param {string} none what is said if there is no such thing */
function numbered(of, words, none) {
  return of ? words(of) : none
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
