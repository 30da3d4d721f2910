// Makes tokens that an opener must accept and tokens it must refuse.
//
// As a command, node generate.mjs [seed] [rounds], it writes lines of
// {"name","secrets":[hex...],"context":hex,"token","plaintext":hex}, with
// "error":true in place of the plaintext where the token must be refused. The
// same seed gives the same lines.
import { sha256 } from "@noble/hashes/sha2.js"
import { concat, toHex, utf8 } from "./bytes.mjs"
import { deriveKey, kidSize, nonceSize } from "./key.mjs"
import { isMain } from "./lines.mjs"
import { sealRaw } from "./seal.mjs"
import { alphabet, encodeToken, largestCap } from "./token.mjs"

const contexts = ["parley-guard/1", "parley-sdk/1", "parley-snapshot/1flow-7"].map(utf8)
const sizes = [0, 1, 31, 32, 33, 63, 64, 65, 100, 1000, 12243]
const foreign = ["\r", "\n", " ", "=", "+", "/", "\0", "é", "\ud83d\ude00"]

/**
 * @typedef {{name: string, secrets: string[], context: string, token: string, plaintext?: string, error?: true}} Case
 */

/**
 * @param {string} [seed]
 * @param {number} [rounds] every round has other keys, another context and another plaintext
 * @returns {Generator<Case>}
 */
export function* generate(seed = "parley", rounds = 20) {
  for (let round = 0; round < rounds; round++) {
    const draw = source(`${seed}/${round}`)
    const secrets = Array.from({ length: 1 + draw.below(4) }, () => draw.bytes(32 + draw.below(33)))
    const active = draw.below(secrets.length)
    const context = round % 4 < 3 ? contexts[round % 4] : draw.bytes(draw.below(100))
    const plaintext = draw.bytes(round < sizes.length ? sizes[round] : draw.below(200))
    yield* casesOf({ draw, secrets, active, context, plaintext })
  }
}

/** @param {{draw: Source, secrets: Uint8Array[], active: number, context: Uint8Array, plaintext: Uint8Array}} given */
function* casesOf({ draw, secrets, active, context, plaintext }) {
  const key = deriveKey(secrets[active])
  const raw = sealRaw(key, context, plaintext)
  const token = encodeToken(raw)
  const given = { secrets: secrets.map(toHex), context: toHex(context), token }
  const refuse = (/** @type {string} */ name, /** @type {Partial<Case>} */ change) => ({ name, ...given, ...change, error: /** @type {const} */ (true) })
  const refuseRaw = (/** @type {string} */ name, /** @type {Uint8Array} */ changed) => refuse(name, { token: encodeToken(changed, largestCap) })

  yield { name: "accepted", ...given, plaintext: toHex(plaintext) }
  yield refuseRaw("valid AEAD, random nonce", sealRaw(key, context, plaintext, draw.bytes(nonceSize)))
  yield refuseRaw("valid AEAD, nonce of another plaintext", sealRaw(key, context, plaintext, sealRaw(key, context, utf8("another")).slice(5, 5 + nonceSize)))
  yield refuse("other context", { context: toHex(concat(context, Uint8Array.of(0))) })
  yield refuse("unknown key", { secrets: [toHex(draw.bytes(32))] })
  const other = draw.bytes(32)
  yield refuse("another key's id", {
    secrets: [...given.secrets, toHex(other)],
    token: encodeToken(concat(raw.slice(0, 1), deriveKey(other).kid, raw.slice(1 + kidSize))),
  })
  yield refuseRaw("sealed with another key", concat(raw.slice(0, 5), sealRaw(deriveKey(other), context, plaintext).slice(5)))
  yield refuseRaw("over the cap", sealRaw(key, context, draw.bytes(12244)))
  yield refuseRaw("a byte more", concat(raw, Uint8Array.of(0)))
  yield refuse("empty", { token: "" })

  // All of a short token; of a long one its head, its end and some between.
  for (const at of places(raw.length, draw)) {
    const changed = raw.slice()
    changed[at] ^= 1 << draw.below(8)
    yield refuseRaw(`byte ${at} flipped`, changed)
    yield refuse(`cut to ${at} bytes`, { token: encodeToken(raw.slice(0, at)) })
  }
  for (const char of foreign) {
    for (const at of [0, token.length >> 1, token.length]) {
      const code = (char.codePointAt(0) ?? 0).toString(16)
      yield refuse(`U+${code} inserted at ${at}`, { token: token.slice(0, at) + char + token.slice(at) })
      if (at < token.length) yield refuse(`U+${code} in place of ${at}`, { token: token.slice(0, at) + char + token.slice(at + 1) })
    }
  }
  yield refuse("padded", { token: token.padEnd(Math.ceil(token.length / 4) * 4 + (token.length % 4 ? 0 : 4), "=") })
  yield refuse("a character more", { token: token + "A" })
  yield* otherSpellings(token).map((spelling) => refuse("unused bits set", { token: spelling }))
}

/** @param {number} length @param {Source} draw */
function places(length, draw) {
  if (length <= 200) return Array.from({ length }, (_, at) => at)
  return [...Array(45).keys(), ...Array.from({ length: 20 }, () => draw.below(length)), ...Array.from({ length: 16 }, (_, i) => length - 16 + i)]
}

// The same bytes for a decoder that ignores the last character's unused bits.
/** @param {string} token */
function otherSpellings(token) {
  const unused = [0, 6, 4, 2][token.length % 4]
  const last = alphabet.indexOf(token.slice(-1))
  return Array.from({ length: (1 << unused) - 1 }, (_, i) => token.slice(0, -1) + alphabet[last + 1 + i])
}

/** @typedef {ReturnType<typeof source>} Source */

// Bytes anybody can draw again: SHA-256 of the seed and a counter.
/** @param {string} seed */
function source(seed) {
  let counter = 0
  const bytes = (/** @type {number} */ size) => {
    const blocks = []
    for (let have = 0; have < size; have += 32) blocks.push(sha256(utf8(`${seed}/${counter++}`)))
    return concat(...blocks).slice(0, size)
  }
  const below = (/** @type {number} */ limit) => new DataView(bytes(4).buffer).getUint32(0) % limit
  return { bytes, below }
}

if (isMain(import.meta.url)) {
  for (const one of generate(process.argv[2], process.argv[3] === undefined ? undefined : Number(process.argv[3]))) {
    process.stdout.write(JSON.stringify(one) + "\n")
  }
}
