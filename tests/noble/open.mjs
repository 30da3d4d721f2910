// Opens tokens of suite 0x11.
//
// As a command it reads lines of {"secrets":[hex...],"context":hex,"token":"..."}
// and writes {"plaintext":hex} or {"error":true}. "cap" is the longest token in
// characters, 16384 by default.
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js"
import { equal, fromHex, toHex } from "./bytes.mjs"
import { associatedData, keyRing, kidSize, nonceSize, suite, syntheticNonce } from "./key.mjs"
import { serve } from "./lines.mjs"
import { capOf, decodeToken, defaultCap } from "./token.mjs"

const headSize = 1 + kidSize
const tagSize = 16

/**
 * @param {Map<string, import("./key.mjs").Key>} ring
 * @param {Uint8Array} context
 * @param {string} token
 * @param {number} [cap] in characters
 * @returns {Uint8Array | null} the plaintext, or null for every token refused
 */
export function open(ring, context, token, cap = defaultCap) {
  const raw = decodeToken(token, cap)
  return raw && openRaw(ring, context, raw)
}

/**
 * @param {Map<string, import("./key.mjs").Key>} ring
 * @param {Uint8Array} context
 * @param {Uint8Array} raw
 */
function openRaw(ring, context, raw) {
  if (raw.length < headSize + nonceSize + tagSize) return null
  const key = ring.get(toHex(raw.subarray(1, headSize)))
  if (!key || raw[0] !== suite) return null
  const nonce = raw.slice(headSize, headSize + nonceSize)
  let plaintext
  try {
    plaintext = xchacha20poly1305(key.encryption, nonce, associatedData(key, context)).decrypt(raw.slice(headSize + nonceSize))
  } catch {
    return null
  }
  // AEAD success alone is not acceptance: without this a token would not
  // commit to key and context.
  return equal(syntheticNonce(key, context, plaintext), nonce) ? plaintext : null
}

await serve(import.meta.url, ({ secrets, context, token, cap }) => {
  if (typeof token !== "string") throw new TypeError("token must be a string")
  const plaintext = open(keyRing(secrets.map(fromHex)), fromHex(context), token, capOf(cap))
  return plaintext ? { plaintext: toHex(plaintext) } : { error: true }
})
