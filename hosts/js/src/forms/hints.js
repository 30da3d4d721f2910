import { quoted } from "../texts/plain.js"
import { say } from "../texts/sentence.js"

/** @import { Field } from "./check.js" */
/** @import { Sentence } from "../texts/sentence.js" */

/** How much of a server's text goes into a hint, in characters. */
const most = 60

/** What is said of a keyword whose text is shown. @type {Record<string, (text: string) => Sentence>} */
const shown = {
  pattern: (text) => say`The server wants it to match “${text}”.`,
  format: (text) => say`The server wants the format “${text}”.`,
  contentEncoding: (text) => say`The server wants it encoded as “${text}”.`,
}

/**
 * What a person is to know of a field, or of the form, beyond its title and
 * description: examples, and what only the server checks. What is the server's
 * stands in quotation marks, cut and without hidden characters.
 *
 * @param {Pick<Field, "deprecated" | "examples" | "options" | "format" | "unchecked">} field or a form
 * @returns {Sentence[]}
 */
export function formHints({ deprecated, examples = [], options, format, unchecked = [] }) {
  const [first, ...others] = options ? [] : examples.map((json) => (json.startsWith('"') ? say`“${cited(JSON.parse(json))}”` : cited(json)))
  const more = unchecked.filter(({ value }) => value === undefined).map(({ keyword }) => keyword)
  const hints = [
    deprecated && say`Deprecated.`,
    first && say`Such as ${others.reduce((all, one) => say`${all}, ${one}`, first)}.`,
    // Beside a format that the engine checks, a pattern says nothing more to a person.
    ...unchecked.map(({ keyword, value }) => value !== undefined && !format && shown[keyword]?.(cited(value))),
    more.length > 0 && say`The server checks more: ${more.join(", ")}.`,
  ]
  return hints.filter((hint) => typeof hint === "object")
}

/** A server's text, to stand in quotation marks, which nothing in it ends. @param {string} text */
function cited(text) {
  return quoted((text.length > most ? `${text.slice(0, most)}…` : text).replace(/[“”„‟«»]/g, '"')).slice(1, -1)
}
