import { Context } from "./context.js"
import { CodecError, internal, Reason, refused } from "./errors.js"

/** @import { ErrorResponse } from "./errors.js" */

/**
 * A codec of your own for a Guard: with keys from a key service, or in hardware.
 * It must encrypt, not only sign: what a Guard seals holds a salted hash whose
 * secrecy depends on it. `testCodec` of `@parley-mcp/parley/codec-test` checks
 * one. Neither argument belongs to it once it has answered. It bounds its own
 * time: a request waits for it.
 *
 * @typedef {object} OwnCodec
 * @property {(plaintext: Uint8Array, context: Uint8Array) => string | Promise<string>} seal
 *   Turns bytes into a token that cannot be read or changed. `context` is
 *   authenticated and not stored. A token has 262,144 characters at most.
 * @property {(token: string, context: Uint8Array) => Uint8Array | Promise<Uint8Array>} open
 *   Gives back the plaintext of a token that was sealed under this context, and
 *   throws for every other text. What it throws is for the server's log only.
 */

/** The codec of a Guard, as what the rules ask for and the client's answers. */
export class Own {
  #codec

  /** @param {OwnCodec} codec */
  constructor(codec) {
    if (typeof codec?.seal !== "function" || typeof codec.open !== "function") {
      throw new CodecError(Reason.options, "unusable options: codec is an object with the functions seal and open", internal)
    }
    this.#codec = codec
  }

  /** The token of a plaintext, which is wiped. @param {Uint8Array} plaintext */
  async seal(plaintext) {
    try {
      const token = await this.#codec.seal(plaintext, context())
      if (typeof token !== "string") throw new TypeError(`parley: seal of the Guard's codec gave ${kind(token)}, not a string`)
      return token
    } catch (cause) {
      throw failed(cause, Reason.result, "unusable result: the Guard's codec did not seal", internal)
    } finally {
      if (plaintext.length > 0) plaintext.fill(0) // a codec in a worker may have taken it away
    }
  }

  /** The plaintext of a token. @param {string} token */
  async open(token) {
    try {
      const plaintext = await this.#codec.open(token, context())
      if (kind(plaintext) !== "Uint8Array") throw new TypeError(`parley: open of the Guard's codec gave ${kind(plaintext)}, not a Uint8Array`)
      return plaintext
    } catch (cause) {
      throw failed(cause, Reason.forged, "forged: the Guard's codec did not open it", refused)
    }
  }
}

/** A new one each time, since a codec could change it. */
const context = () => new TextEncoder().encode(Context.guard)

/** What kind of value it is, from whatever realm: never the value, which may be a secret. @param {unknown} value */
const kind = (value) => Object.prototype.toString.call(value).slice("[object ".length, -1)

/**
 * The client's answer depends on nothing but the direction; a CodecError keeps its reason for the log.
 *
 * @param {unknown} cause @param {number} code @param {string} reason @param {ErrorResponse} response
 */
function failed(cause, code, reason, response) {
  return cause instanceof CodecError ? new CodecError(cause.code, cause.reason, response, { cause }) : new CodecError(code, reason, response, { cause })
}
