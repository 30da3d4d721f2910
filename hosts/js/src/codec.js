import { draw, platform } from "./codec-entropy.js"
import { CodecError, Reason, refused } from "./codec-errors.js"
import { field, text, utf8, whole } from "./codec-fields.js"
import { Keyed } from "./codec-keyed.js"

export { CodecError, Reason } from "./codec-errors.js"
export { createGuard, Guard, principal } from "./codec-guard.js"
export { newKey } from "./codec-key.js"
export { MemoryReplayStore } from "./codec-replay.js"

/** @import { Random } from "./codec-entropy.js" */
/** @import { KeyOptions } from "./codec-keyed.js" */

/** Contexts keep tokens made for one purpose from being opened for another. */
export const Context = Object.freeze({
  /** What a Guard seals. */
  guard: "parley-guard/1",
  /** A codec plugged into an SDK's own sealing. */
  sdk: "parley-sdk/1",
  /** Followed by the flow's id: a parked call at rest. */
  snapshot: "parley-snapshot/1",
})

/** The longest token any codec opens, in characters. */
const mostToken = 262_144

/**
 * @typedef {object} CodecOptions
 * @property {number} [maxToken] the longest token in characters: 16,384 if absent, 262,144 at most
 * @property {Random} [random] fills bytes with random ones; crypto.getRandomValues if absent
 */

/**
 * A codec: bytes to a token that cannot be read or changed, and back. It knows
 * nothing of MCP, which a Guard does. Fails with a CodecError of Reason.key or
 * Reason.options.
 *
 * @param {KeyOptions & CodecOptions} options
 */
export function createCodec(options) {
  return new Codec(options)
}

/** See {@link createCodec}. */
export class Codec {
  #keyed
  #random

  /** @param {KeyOptions & CodecOptions} options */
  constructor({ maxToken = 0, random = platform, ...options }) {
    this.#random = random
    const most = whole("maxToken", maxToken)
    this.#keyed = new Keyed(options, (instance, keys) => instance.number([...field(keys), most], (x, size) => x.parley_codec_new(size)))
  }

  /**
   * Seals bytes under a context, which is authenticated and not stored; returns
   * the token. Fails with a CodecError of Reason.tooLarge.
   *
   * @param {Uint8Array} plaintext
   * @param {string | Uint8Array} context
   */
  seal(plaintext, context) {
    const bound = bytesOf(context)
    const random = draw(this.#random, 32)
    return text(this.#keyed.bytes([random, bound, plaintext], (x, codec, size) => x.parley_codec_seal(codec, bound.length, size)))
  }

  /**
   * Opens a token under the context it was sealed with. On an error nothing of
   * the plaintext is known; which error it was is for the log only.
   *
   * @param {string} token as it came
   * @param {string | Uint8Array} context
   */
  open(token, context) {
    // Before it is copied: it may be as long as a request may be.
    if (token?.length > mostToken) throw new CodecError(Reason.tooLarge, "too large", refused)
    const bound = bytesOf(context)
    // A lone surrogate becomes another character, which is in no token either.
    const characters = new TextEncoder().encode(token)
    return this.#keyed.bytes([bound, characters], (x, codec, size) => x.parley_codec_open(codec, bound.length, size), refused)
  }

  /** Replaces the keys; if the new ones cannot be used, nothing changes. @param {string | Uint8Array} keys */
  rekey(keys) {
    this.#keyed.rekey(keys)
  }

  /** Wipes the keys: nothing can be sealed or opened any more. */
  close() {
    this.#keyed.close()
  }
}

/**
 * A box: seals bytes at rest, such as the snapshots of parked calls, under keys
 * of its own, never those of tokens. An older copy can still be put back.
 *
 * @param {KeyOptions} options
 */
export function createBox(options) {
  return new Box(options)
}

/** See {@link createBox}. */
export class Box {
  #keyed

  /** @param {KeyOptions} options */
  constructor(options) {
    this.#keyed = new Keyed(options, (instance, keys) => instance.number([keys], (x, size) => x.parley_box_new(size)))
  }

  /**
   * Seals up to 8 MiB under a context, such as Context.snapshot and the flow's
   * id. The result is 45 bytes longer.
   *
   * @param {Uint8Array} plaintext
   * @param {string | Uint8Array} context
   */
  seal(plaintext, context) {
    const bound = bytesOf(context)
    return this.#keyed.bytes([bound, plaintext], (x, box, size) => x.parley_box_seal(box, bound.length, size))
  }

  /**
   * Opens what seal made under the same context. Fails like {@link Codec.open}.
   *
   * @param {Uint8Array} sealed
   * @param {string | Uint8Array} context
   */
  open(sealed, context) {
    const bound = bytesOf(context)
    return this.#keyed.bytes([bound, sealed], (x, box, size) => x.parley_box_open(box, bound.length, size), refused)
  }

  /** Replaces the keys; if the new ones cannot be used, nothing changes. @param {string | Uint8Array} keys */
  rekey(keys) {
    this.#keyed.rekey(keys)
  }

  /** Wipes the keys: nothing can be sealed or opened any more. */
  close() {
    this.#keyed.close()
  }
}

/** @param {string | Uint8Array} context */
function bytesOf(context) {
  return typeof context === "string" ? utf8(context) : context
}
