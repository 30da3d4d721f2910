import { Context } from "../codec/context.js"
import { utf8 } from "../codec/fields.js"
import { aboutText, readAbout } from "./about.js"
import { NoBoxError, UnsealedError } from "./faults.js"

/** @import { About } from "./about.js" */

/**
 * Seals bytes at rest: the Box of `createBox`, or anything that does the same.
 * What `seal` makes of one text under one context is always the same, or lists
 * by principal find nothing. `tags` seals it with each key, the one that seals
 * first; without it there is one key.
 *
 * @typedef {object} SealingBox
 * @property {(plaintext: Uint8Array, context: string) => Uint8Array | Promise<Uint8Array>} seal
 * @property {(sealed: Uint8Array, context: string) => Uint8Array | Promise<Uint8Array>} open
 * @property {(plaintext: Uint8Array, context: string) => Uint8Array[] | Promise<Uint8Array[]>} [tags]
 */

/**
 * @typedef {object} SealingOptions
 * @property {SealingBox} [box]
 *   seals snapshots and what is said about them: without its keys nobody can read
 *   or change one, nor pass it off as another call's. An older snapshot of the
 *   same call can be put back unnoticed
 * @property {boolean} [unsealed]
 *   accepts snapshots that are not sealed. Without a box nothing is: whoever can
 *   read the store reads secrets. With one, only what was saved before there was
 *   one; anybody who can write to the store could forge it
 */

/**
 * A call as it lies in a store. `about` is absent if what was said before stays;
 * `tag` stands for the principal, 32 hexadecimal digits, empty for nobody's.
 *
 * @typedef {{snapshot: Uint8Array, about?: Uint8Array, tag: string}} Sealed
 */

const contextAbout = "parley-about/1" // and the call's id
const contextPrincipal = "parley-principal/1" // of what tags are made of

/** How an implementation of a store seals what it keeps. */
export class Sealing {
  #box

  /** @param {SealingOptions} options */
  constructor({ box, unsealed = false }) {
    this.#box = box
    /** Whether what is not sealed is accepted. */
    this.unsealed = unsealed
  }

  /** Throws a {@link NoBoxError}. */
  check() {
    if (!this.#box && !this.unsealed) throw new NoBoxError()
  }

  /** Makes of a call what is stored. @param {string} id @param {string} snapshot @param {About} [about] @returns {Promise<Sealed>} */
  async seal(id, snapshot, about) {
    this.check()
    const box = this.#box
    const [plain, said] = [utf8(snapshot), aboutText(about)]
    const sealed = box ? await box.seal(plain, Context.snapshot + id) : plain
    if (!said) return { snapshot: sealed, tag: "" }
    const principal = about?.principal
    return {
      snapshot: sealed,
      about: box ? await box.seal(said, contextAbout + id) : said,
      tag: principal ? await tagOf(box ? await box.seal(utf8(principal), contextPrincipal) : utf8(contextPrincipal + principal)) : "",
    }
  }

  /**
   * What stands for a principal in a store, under each key that opens, the one
   * that seals first. Without a key nobody can tell whom they stand for.
   *
   * @param {string} principal
   */
  async tags(principal) {
    this.check()
    const box = this.#box
    const plain = utf8(principal)
    if (!box) return [await tagOf(utf8(contextPrincipal + principal))]
    const sealed = box.tags ? await box.tags(plain, contextPrincipal) : [await box.seal(plain, contextPrincipal)]
    return Promise.all(sealed.map(tagOf))
  }

  /** Opens a snapshot as it was stored. @param {string} id @param {Uint8Array} data */
  async openSnapshot(id, data) {
    return text(await this.#open(Context.snapshot, id, data))
  }

  /** Opens what was said about a call as it was stored; nothing is an empty About. @param {string} id @param {Uint8Array} [data] */
  async openAbout(id, data) {
    return data?.length ? readAbout(await this.#open(contextAbout, id, data)) : {}
  }

  /** @param {string} context @param {string} id @param {Uint8Array} data */
  async #open(context, id, data) {
    this.check()
    if (!this.#box) return data
    if (data[0] !== brace) return this.#box.open(data, context + id)
    if (this.unsealed) return data
    throw new UnsealedError()
  }
}

/** What is not sealed begins so, and no suite does. */
const brace = 0x7b

/** @param {Uint8Array} sealed */
async function tagOf(sealed) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(sealed)))
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** @param {Uint8Array} data */
function text(data) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data)
  } catch {
    throw new Error("parley: the snapshot is not text")
  }
}
