// The canonical form of JSON that a Guard binds: members sorted by UTF-16 code
// units, strings as in RFC 8785, numbers exact. Read from the text itself,
// because JSON.parse would round numbers and drop duplicate members.
//
// As a command it reads lines of {"json":hex of the text} and writes
// {"canonical":"..."}, or {"error":true} where there is no canonical form.
import { fromHex } from "./bytes.mjs"
import { serve } from "./lines.mjs"

const maxDepth = 64
const maxExponent = 9999

/** A leaf is its canonical text. @typedef {string | Tree[] | Map<string, Tree>} Tree */

/** Why a text has no canonical form. */
export class NotCanonical extends Error {}

/**
 * @param {Uint8Array} json
 * @returns {string}
 * @throws {NotCanonical}
 */
export const canon = (json) => write(read(json))

/**
 * @param {Uint8Array} json
 * @returns {Tree}
 * @throws {NotCanonical}
 */
export function read(json) {
  let text
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(json)
  } catch {
    throw new NotCanonical("bad UTF-8")
  }
  const reader = new Reader(text)
  const tree = reader.value(0)
  reader.token(/$/y, "something after the value")
  return tree
}

/** @param {Tree} tree @returns {string} */
export function write(tree) {
  if (typeof tree === "string") return tree
  if (Array.isArray(tree)) return `[${tree.map(write).join(",")}]`
  // "<" compares strings by UTF-16 code units.
  const members = [...tree].sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, value]) => `${quote(name)}:${write(value)}`).join(",")}}`
}

/**
 * Whether an object has two names that are one to a parser that ignores letter
 * case. It folds the letters of ASCII, and what Unicode folds to one of them.
 * @param {Tree} tree
 * @returns {boolean}
 */
export function ambiguous(tree) {
  if (typeof tree === "string") return false
  if (Array.isArray(tree)) return tree.some(ambiguous)
  const folded = new Set([...tree.keys()].map(fold))
  return folded.size < tree.size || [...tree.values()].some(ambiguous)
}

const fold = (/** @type {string} */ name) =>
  name.replace(/[A-Z\u017f\u212a]/g, (c) => (c === "\u017f" ? "s" : c === "\u212a" ? "k" : c.toLowerCase()))

// RFC 8785 defines its strings as what JSON.stringify makes of them.
const quote = (/** @type {string} */ text) => JSON.stringify(text)

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text
    this.at = 0
  }

  /** The next token, if pattern (sticky) matches it. @param {RegExp} pattern */
  match(pattern) {
    const space = /[ \t\n\r]*/y
    space.lastIndex = this.at
    space.test(this.text)
    pattern.lastIndex = space.lastIndex
    const found = pattern.exec(this.text)
    if (found) this.at = pattern.lastIndex
    return found
  }

  /** @param {RegExp} pattern @param {string} problem */
  token(pattern, problem) {
    const found = this.match(pattern)
    if (!found) throw new NotCanonical(problem)
    return found
  }

  /** @param {number} depth containers around it @returns {Tree} */
  value(depth) {
    const [start] = this.token(/[{["\-0-9tfn]/y, "no value")
    if (start === "{" || start === "[") {
      if (depth === maxDepth) throw new NotCanonical("nested too deeply")
      return start === "{" ? this.object(depth + 1) : this.array(depth + 1)
    }
    this.at--
    if (start === '"') return quote(this.string())
    const word = this.match(/true|false|null/y)
    return word ? word[0] : this.number()
  }

  /** @param {number} depth */
  object(depth) {
    const members = new Map()
    if (this.match(/}/y)) return members
    do {
      const name = this.string()
      if (members.has(name)) throw new NotCanonical("duplicate member")
      this.token(/:/y, "no colon")
      members.set(name, this.value(depth))
    } while (this.match(/,/y))
    this.token(/}/y, "object not closed")
    return members
  }

  /** @param {number} depth */
  array(depth) {
    const items = /** @type {Tree[]} */ ([])
    if (this.match(/]/y)) return items
    do items.push(this.value(depth))
    while (this.match(/,/y))
    this.token(/]/y, "array not closed")
    return items
  }

  string() {
    const [literal] = this.token(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y, "bad string")
    const text = JSON.parse(literal) // exact for a string; every other kind is read here
    if (!text.isWellFormed()) throw new NotCanonical("lone surrogate")
    return text
  }

  // d×10^x, d without trailing zeros: no digit of a number is ever lost.
  number() {
    const [, sign, whole, fraction = "", power = "0"] = this.token(/(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/y, "bad number")
    const written = bounded(BigInt(power.replace("+", "")))
    const digits = (whole + fraction).replace(/^0+/, "")
    if (digits === "") return "0" // -0 too
    const d = digits.replace(/0+$/, "")
    const x = bounded(BigInt(written - fraction.length + digits.length - d.length))
    return sign + d + (x === 0 ? "" : `e${x}`)
  }
}

/** @param {bigint} exponent */
function bounded(exponent) {
  if (exponent > maxExponent || exponent < -maxExponent) throw new NotCanonical("exponent out of range")
  return Number(exponent)
}

await serve(import.meta.url, ({ json }) => {
  const text = fromHex(json)
  try {
    return { canonical: canon(text) }
  } catch (error) {
    if (error instanceof NotCanonical) return { error: true }
    throw error
  }
})
