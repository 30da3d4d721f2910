// The language that an app speaks to its person in. The English texts stand
// where they are said, in the tag t, and are the keys of every other table: what
// a table lacks is said in English.

/** By the English text: {0}, {1} are where something goes in. @typedef {Readonly<Record<string, string>>} Texts */

/** @type {Texts} */
let table = {}

/** A language tag of the person's, for what Intl spells. English of whichever country, unless `speak` says otherwise. */
export let language = "en"

/** Whether texts are other than the English of the code. */
export let translated = false

/**
 * From now on texts are said in a language. Modules may say some while they are
 * loaded, so this comes before them.
 *
 * @param {string} tag @param {Texts} [other] absent for English
 */
export function speak(tag, other) {
  language = tag
  table = other ?? {}
  translated = other !== undefined
}

/** The table of the person's language. */
export const texts = () => table

/** What is said to the person, in their language; a number in its spelling. @param {TemplateStringsArray} strings @param {...(string | number)} values */
export function t(strings, ...values) {
  const text = strings.reduce((all, part, i) => `${all}{${i - 1}}${part}`)
  const said = Object.hasOwn(table, text) ? table[text] ?? text : text
  return said.replace(/\{(\d)\}/g, (_, i) => spelled(values[Number(i)] ?? ""))
}

/** @param {string | number} value */
function spelled(value) {
  return typeof value === "number" ? new Intl.NumberFormat(language).format(value) : value
}
