// Keys of suite 0x11 and what is derived from them.
import { expand, extract } from "@noble/hashes/hkdf.js"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concat, toHex, utf8 } from "./bytes.mjs"

/** XChaCha20-Poly1305 with a synthetic nonce. */
export const suite = 0x11
export const kidSize = 4
export const nonceSize = 24

const label = utf8("parley-seal/1")

/**
 * @typedef {object} Key
 * @property {Uint8Array} kid names the key in a token
 * @property {Uint8Array} encryption Ke
 * @property {Uint8Array} nonce Kn
 */

/**
 * @param {Uint8Array} secret 32 to 64 bytes
 * @returns {Key}
 */
export function deriveKey(secret) {
  if (secret.length < 32 || secret.length > 64) throw new RangeError(`a secret of ${secret.length} bytes: it must be 32 to 64`)
  const prk = extract(sha256, secret, concat(label, Uint8Array.of(suite)))
  return {
    kid: expand(sha256, prk, utf8("kid"), kidSize),
    encryption: expand(sha256, prk, utf8("enc"), 32),
    nonce: expand(sha256, prk, utf8("nonce"), 32),
  }
}

/**
 * Keys by the hex of their id.
 * @param {Uint8Array[]} secrets
 * @returns {Map<string, Key>}
 */
export function keyRing(secrets) {
  const ring = new Map()
  for (const secret of secrets) {
    const key = deriveKey(secret)
    if (ring.has(toHex(key.kid))) throw new RangeError("two secrets share a key id: list each once")
    ring.set(toHex(key.kid), key)
  }
  return ring
}

/**
 * The only nonce a token of these inputs may have.
 * @param {Key} key @param {Uint8Array} context @param {Uint8Array} plaintext
 */
export function syntheticNonce(key, context, plaintext) {
  const length = new Uint8Array(8)
  new DataView(length.buffer).setBigUint64(0, BigInt(context.length), true)
  return hmac(sha256, key.nonce, concat(Uint8Array.of(suite), key.kid, length, context, plaintext)).slice(0, nonceSize)
}

/**
 * What a token authenticates beside its plaintext.
 * @param {Key} key @param {Uint8Array} context
 */
export const associatedData = (key, context) => concat(label, Uint8Array.of(suite), key.kid, context)
