// Mints tokens of suite 0x11.
//
// As a command it reads lines of {"secret":hex,"context":hex,"plaintext":hex}
// and writes {"token":"..."}, or {"error":true} if the token would exceed the cap.
// "cap" is the longest token in characters, 16384 by default.
import { xchacha20poly1305 } from "@noble/ciphers/chacha.js"
import { concat, fromHex } from "./bytes.mjs"
import { associatedData, deriveKey, suite, syntheticNonce } from "./key.mjs"
import { serve } from "./lines.mjs"
import { capOf, encodeToken } from "./token.mjs"

/**
 * @param {import("./key.mjs").Key} key
 * @param {Uint8Array} context
 * @param {Uint8Array} plaintext
 * @param {Uint8Array} [nonce] another one than openers accept, for their tests
 * @returns {Uint8Array} suite|kid|nonce|ciphertext|tag
 */
export function sealRaw(key, context, plaintext, nonce = syntheticNonce(key, context, plaintext)) {
  const box = xchacha20poly1305(key.encryption, nonce, associatedData(key, context)).encrypt(plaintext)
  return concat(Uint8Array.of(suite), key.kid, nonce, box)
}

await serve(import.meta.url, ({ secret, context, plaintext, cap }) => {
  const raw = sealRaw(deriveKey(fromHex(secret)), fromHex(context), fromHex(plaintext))
  const limit = capOf(cap)
  try {
    return { token: encodeToken(raw, limit) }
  } catch {
    return { error: true }
  }
})
