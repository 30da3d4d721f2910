import { CodecError, internal, Reason } from "./errors.js"

/** @import { ErrorResponse } from "./errors.js" */

// A payload of the codec's boundary is fields: each its length as u32
// little-endian and its bytes. See wasm/CODEC.md.

const absent = 0xffff_ffff

/** A field of a request. @param {Uint8Array | undefined} bytes undefined is absent */
export function field(bytes) {
  return bytes === undefined ? [u32(absent)] : [u32(bytes.length), bytes]
}

/** A number among fields. @param {number} n */
export function u32(n) {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, n, true)
  return bytes
}

/** Reads the fields of an answer, in their order. */
export class FieldReader {
  #bytes
  #view
  #at = 0

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** The next field, as a view of the bytes; undefined if it is absent. */
  field() {
    const size = this.u32()
    if (size === absent) return
    const field = this.#bytes.subarray(this.#at, this.#at + size)
    this.#at += size
    return field
  }

  u32() {
    const n = this.#view.getUint32(this.#at, true)
    this.#at += 4
    return n
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true }) // which keeps U+FEFF: a token with it is another one

/**
 * The UTF-8 of a text. A lone surrogate has none, and what stands in for it
 * would make two texts one.
 *
 * @param {string} text
 * @param {ErrorResponse} [response] what a client gets
 */
export function utf8(text, response = internal) {
  if (/\p{Surrogate}/u.test(text)) throw new CodecError(Reason.malformed, "malformed: text with a lone surrogate", response)
  return encoder.encode(text)
}

/** @param {Uint8Array | undefined} bytes */
export function text(bytes) {
  return decoder.decode(bytes)
}

/**
 * An option that is a number of the boundary.
 *
 * @param {string} name
 * @param {number} n
 */
export function whole(name, n) {
  if (!Number.isInteger(n) || n < 0 || n >= absent) {
    throw new CodecError(Reason.options, `unusable options: ${name} is not a whole number from 0`, internal)
  }
  return u32(n)
}
