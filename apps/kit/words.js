import { given, titleOf } from "./field.js"
import { t } from "./language.js"
import { elements, string } from "./raw-json.js"

/** @import { Field } from "./parley.js" */

/** A line of an answer, as it is shown: both are as they came. @typedef {{label: string, value: string, ours?: boolean}} Line `ours` says that the value is our own word */

/** An answer in words. @param {Field[]} fields @param {string} answer an ElicitResult @returns {Line[]} */
export function lines(fields, answer) {
  return fields.map((field) => ({ label: titleOf(field), ...words(field, given(field, answer)) }))
}

/** @param {Field} field @param {string} value JSON text, empty if it is left out @returns {{value: string, ours?: boolean}} */
function words(field, value) {
  if (value === "") return { value: t`left out`, ours: true }
  switch (field.kind) {
    case "boolean":
      return { value: value === "true" ? t`Yes` : t`No`, ours: true }
    case "choice":
      return { value: chosenTitle(field, string(value) ?? value) }
    case "choices": {
      const chosen = elements(value).map((one) => chosenTitle(field, string(one) ?? one))
      return chosen.length ? { value: chosen.join(", ") } : { value: t`none`, ours: true }
    }
  }
  const text = string(value) ?? value
  return text === "" ? { value: t`empty`, ours: true } : { value: text }
}

/** @param {Field} field @param {string} value */
function chosenTitle({ options = [] }, value) {
  return options.find((option) => option.value === value)?.title || value
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
