import { draw, platform } from "./entropy.js"
import { CodecError, Reason, refused } from "./errors.js"
import { field, text, utf8, whole } from "./fields.js"
import { boxKeys } from "./key.js"
import { Keyed } from "./keyed.js"
import { boundToken } from "./token.js"

export { Context } from "./context.js"
export { CodecError, Reason } from "./errors.js"
export { createGuard, Guard } from "./guard.js"
export { newKey } from "./key.js"
export { principal } from "./principal.js"
export { MemoryReplayStore } from "./replay.js"

/** @typedef {import("./guard.js").GuardOptions} GuardOptions */
/** @typedef {import("./own.js").OwnCodec} OwnCodec */

/** @import { Random } from "./entropy.js" */
/** @import { KeyOptions } from "./keyed.js" */

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
    boundToken(token)
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
   * Seals bytes under a context with each of the keys that can, the one that seals
   * first: the same bytes always alike, so that a store finds what was kept before
   * a rotation.
   *
   * @param {Uint8Array} plaintext
   * @param {string | Uint8Array} context
   */
  tags(plaintext, context) {
    const bound = bytesOf(context)
    return this.#keyed.each(boxKeys, (one) => one.bytes([bound, plaintext], (x, box, size) => x.parley_box_seal(box, bound.length, size)))
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
