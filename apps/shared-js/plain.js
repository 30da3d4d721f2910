// Text from a server is shown as text. What could be taken for something else,
// or cannot be seen at all, is spelled out: control characters as their Unicode
// pictures (ESC is ␛), others as <U+202E>.

import { t } from "./language.js"

/** A line break counts as so many characters, so that a short text cannot push everything else off the screen. */
const newlineCost = 40

/** How many combining marks may sit on one character: stacks of them draw over the lines around. */
const mostMarks = 4

/**
 * A part of a text: as it came, or spelled out.
 *
 * @typedef {{text: string, hidden: boolean}} Piece
 */

/** A text as one line, where nothing but text can stand. @param {string} text @param {number} [limit] in characters */
export function plainLine(text, limit = 200) {
  return joined(pieces(text, limit, "␤"))
}

/** A text of many lines. @param {string} text @param {number} [limit] in characters */
export function plainText(text, limit = 1_000_000) {
  return joined(pieces(text, limit, "\n"))
}

/** Whether anything in a text has to be spelled out. @param {string} text */
export function hasHidden(text) {
  return [...walk(normal(text))].some(({ seen }) => !seen)
}

/** A text without what has to be spelled out, for a field that the person goes on to edit. @param {string} text */
export function stripped(text) {
  return [...walk(normal(text))].map(({ char, seen }) => (seen ? char : "")).join("")
}

/** @param {string} text */
function normal(text) {
  return text.replaceAll("\r\n", "\n")
}

/** @param {Piece[]} list */
function joined(list) {
  return list.map(({ text }) => text).join("")
}

/**
 * A text in pieces, cut after about `limit` characters.
 *
 * @param {string} text
 * @param {number} limit
 * @param {string} newline what a line break shows as
 * @returns {Piece[]}
 */
export function pieces(text, limit, newline) {
  /** @type {Piece[]} */
  const list = []
  const add = (/** @type {string} */ part, hidden = false) => {
    const last = list.at(-1)
    if (last && last.hidden === hidden && !hidden) last.text += part
    else list.push({ text: part, hidden })
  }
  let done = 0
  for (const { char, seen } of walk(normal(text))) {
    limit -= char === "\n" && newline === "\n" ? newlineCost : 1
    if (limit < 0) {
      add(t`… (${normal(text).length - done} more characters)`, true)
      break
    }
    done += char.length
    if (char === "\n") add(newline, newline !== "\n")
    else if (char === "\t") add("    ")
    else if (seen) add(char)
    else add(spell(char), true)
  }
  return list
}

/** @param {string} char */
function spell(char) {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return "␡"
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`
}

/**
 * Each character of a text, and whether it shows as itself.
 *
 * @param {string} text
 */
function* walk(text) {
  let last = "" // the last character; empty at the start of a line or after a hidden one
  let marks = 0
  const chars = [...text] // by code point; a lone surrogate stands alone
  for (const [i, char] of chars.entries()) {
    let seen = visible.test(char) && !ignorable.test(char)
    if (mark.test(char)) {
      const variant = char === "\uFE0E" || char === "\uFE0F" // text or emoji style
      seen = (seen || variant) && last !== "" && last !== " " && ++marks <= mostMarks
    } else if (char === "\u200C" || char === "\u200D") {
      seen = joins.test(last) && joins.test(chars[i + 1] ?? "") // which scripts and emoji need
    } else {
      marks = 0
    }
    yield { char, seen: seen || char === "\n" || char === "\t" }
    last = seen ? char : ""
  }
}

const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]$/u
const ignorable = /^[\p{Default_Ignorable_Code_Point}\u2800]$/u // U+2800 is a Braille cell without dots
const mark = /^[\p{Mn}\p{Me}]$/u
const joins = /^[\p{L}\p{M}\p{S}]$/u
