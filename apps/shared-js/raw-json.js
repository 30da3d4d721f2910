// JSON text taken apart without changing it. JSON.parse would turn 1.0 into 1
// and 2^53+1 into 2^53; what is sent on, or given to the engine, is cut out of
// the text instead. All functions take well-formed JSON.

/** @typedef {{name: string, value: string}} Member `value` is JSON text */

/**
 * The members of an object, none of anything else.
 *
 * @param {string} object
 * @returns {Member[]}
 */
export function members(object) {
  /** @type {Member[]} */
  const list = []
  const reader = new Reader(object)
  if (!reader.skip("{")) return list
  while (reader.more("}")) {
    const name = JSON.parse(reader.value())
    reader.skip(":")
    list.push({ name, value: reader.value() })
  }
  return list
}

/** The value of an object's member as JSON text. @param {string} object @param {string} name */
export function member(object, name) {
  return members(object).find((one) => one.name === name)?.value
}

/** The elements of an array as JSON text, none of anything else. @param {string} array */
export function elements(array) {
  /** @type {string[]} */
  const list = []
  const reader = new Reader(array)
  if (!reader.skip("[")) return list
  while (reader.more("]")) list.push(reader.value())
  return list
}

/** A string's text, nothing for any other value. @param {string | undefined} json */
export function string(json) {
  return json?.startsWith('"') ? /** @type {string} */ (JSON.parse(json)) : undefined
}

/** An object of members. @param {Member[]} list */
export function object(list) {
  return `{${list.map(({ name, value }) => `${JSON.stringify(name)}:${value}`).join(",")}}`
}

class Reader {
  #text
  #at = 0

  /** @param {string} text */
  constructor(text) {
    this.#text = text
    this.#space()
  }

  /** Whether there is another element before the closing bracket. @param {string} bracket */
  more(bracket) {
    this.skip(",")
    return this.#at < this.#text.length && this.#text[this.#at] !== bracket
  }

  /** Goes over a character, if it is there. @param {string} char */
  skip(char) {
    const is = this.#text[this.#at] === char
    if (is) this.#at++
    this.#space()
    return is
  }

  /** The next value's text. */
  value() {
    const from = this.#at
    for (let depth = 0; this.#at < this.#text.length;) {
      const char = this.#text[this.#at]
      if (char === '"') this.#string()
      else if (char === "{" || char === "[") (depth++, this.#at++)
      else if (char === "}" || char === "]") (depth--, this.#at++)
      else if (depth === 0) this.#word()
      else this.#at++
      if (depth === 0) break
    }
    const text = this.#text.slice(from, this.#at)
    this.#space()
    return text
  }

  #string() {
    for (this.#at++; this.#text[this.#at] !== '"' && this.#at < this.#text.length; this.#at++) {
      if (this.#text[this.#at] === "\\") this.#at++
    }
    this.#at++
  }

  /** A number, true, false or null. */
  #word() {
    word.lastIndex = this.#at
    word.exec(this.#text)
    this.#at = Math.max(word.lastIndex, this.#at + 1)
  }

  #space() {
    space.lastIndex = this.#at
    space.exec(this.#text)
    this.#at = space.lastIndex
  }
}

const word = /[^\s,:\]}]*/y
const space = /[\t\n\r ]*/y
