// Text from a server is shown as text. VS Code makes links of [words](address)
// and icons of $(name) in most places where an extension can put text, so both
// are taken apart; what cannot be seen is spelled out.

import { plainLine } from "../../shared-js/plain.js"

/** A text as one line. @param {string} text @param {number} [limit] in characters */
export function line(text, limit = 200) {
  return inert(plainLine(text, limit)).replaceAll("$(", "$ (")
}

/**
 * A text without links, whatever is around it: a blank between "]" and "(".
 * For the words of others that stand in a sentence of our own, it is used on
 * the whole sentence, or the parts could make a link together.
 *
 * @param {string} text
 */
export function inert(text) {
  return text.replaceAll("](", "] (")
}
