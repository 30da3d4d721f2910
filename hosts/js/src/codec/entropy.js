import { CodecError, internal, Reason } from "./errors.js"

/** Fills bytes with random ones. @typedef {(bytes: Uint8Array<ArrayBuffer>) => void} Random */

/** The platform's cryptographic source. @type {Random} */
export const platform = (bytes) => void globalThis.crypto.getRandomValues(bytes)

/** Fresh random bytes for one call of the codec. @param {Random} random @param {number} size */
export function draw(random, size) {
  const bytes = new Uint8Array(size)
  try {
    random(bytes)
  } catch (cause) {
    throw new CodecError(Reason.random, "no randomness", internal, { cause })
  }
  return bytes
}
