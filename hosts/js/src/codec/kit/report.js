import { Context } from "../context.js"
import { leak } from "./texts.js"

/** @import { Tested } from "./index.js" */

/** Bytes as a check writes them. @param {string} text */
export const bytes = (text) => new TextEncoder().encode(text)

/** A check of a codec, and what it finds: a bounded number of lines. */
export class Report {
  /** @type {string[]} */
  found = []
  #count = 0
  #check

  /** @param {Tested} tested @param {string} check its name */
  constructor({ codec, other, maxToken = 16_384 }, check) {
    this.codec = codec
    this.other = other
    this.maxToken = maxToken
    this.#check = check
  }

  /** @param {(report: Report) => Promise<void>} check */
  async run(check) {
    try {
      await check(this)
    } catch (error) {
      this.add(`${error instanceof Error ? error.message : error}`)
    }
  }

  /** @param {string} defect */
  add(defect) {
    if (++this.#count <= 5) this.found.push(`${this.#check}: ${defect}`)
  }

  /** The token of bytes. @param {Uint8Array} plaintext @param {string} [context] */
  async seal(plaintext, context = Context.guard) {
    const token = await this.codec.seal(plaintext, bytes(context))
    if (typeof token !== "string" || /\p{Surrogate}/u.test(token)) throw new Error(`seal of ${plaintext.length} bytes gave no text`)
    return token
  }

  /** The plaintext of a token. @param {string} token @param {string} [context] */
  async open(token, context = Context.guard) {
    const plaintext = await this.codec.open(token, bytes(context))
    if (Object.prototype.toString.call(plaintext) !== "[object Uint8Array]") throw new Error("open gave no Uint8Array")
    return plaintext
  }

  /**
   * Checks that a text does not open, and that nothing of what is in it comes out.
   *
   * @param {string} what @param {string} token
   * @param {{context?: string, codec?: Tested["codec"], secret?: string}} [how] secret is what must not be said
   */
  async refuse(what, token, { context = Context.guard, codec = this.codec, secret = "some state" } = {}) {
    let opened
    try {
      opened = await codec.open(token, bytes(context))
    } catch (error) {
      const shown = leak(error, secret)
      if (shown) this.add(`${what}: the error has ${shown}`)
      return
    }
    this.add(`${what}: opened${opened === undefined || opened === null ? ` as ${opened}: open throws for what it does not open` : ""}`)
  }
}
