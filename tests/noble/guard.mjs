// Reads what a Guard put into a token, and recomputes what it binds.
//
// As a command it reads lines of {"plaintext":hex,"audience":"...","method":"...",
// "target":"...","arguments":hex of the JSON text or null,"principal":"..." or null,
// "questions":[["key",hex of the JSON text of the request],...]} and writes the
// claims with a list of what "differs" from that binding, or {"error":true} if the
// plaintext is malformed. Without "questions" the pins are not compared.
import { sha256 } from "@noble/hashes/sha2.js"
import { concat, equal, fromHex, toHex, utf8 } from "./bytes.mjs"
import { NotCanonical, ambiguous, read, write } from "./canon.mjs"
import { serve } from "./lines.mjs"

const flag = { flowStart: 0x10, pins: 0x20, noState: 0x40, reserved: 0x80 }
const format = 1
const maxMinutes = 43200
const maxPins = 64
const fixedSize = 38

/**
 * @typedef {object} Claims
 * @property {number} rounds so far with questions
 * @property {number} iat Unix seconds
 * @property {number} ttl minutes
 * @property {number} flowStart Unix seconds; iat in a flow's first token
 * @property {boolean} first whether it is that one
 * @property {boolean} noState whether the handler set no state
 * @property {{key: Uint8Array, question: Uint8Array}[] | null} pins null if the token has none
 * @property {Uint8Array} rand
 * @property {Uint8Array} tag
 * @property {Uint8Array} hints T[:2]|A[:2]|P[:2]
 * @property {Uint8Array} state
 */

/** @typedef {{audience: string, method: string, target: string, arguments: Uint8Array | null, principal: string | null}} Binding */

/** @param {Uint8Array} plaintext @returns {Claims | null} null if it is malformed */
export function readClaims(plaintext) {
  if (plaintext.length < fixedSize) return null
  const view = new DataView(plaintext.buffer, plaintext.byteOffset, plaintext.length)
  const flags = plaintext[0]
  const ttl = view.getUint16(6)
  if ((flags & 0x0f) !== format || flags & flag.reserved || ttl < 1 || ttl > maxMinutes) return null
  const iat = view.getUint32(2)
  let at = fixedSize
  const room = (/** @type {number} */ size) => plaintext.length - at >= size

  let flowStart = iat
  if (flags & flag.flowStart) {
    if (!room(4)) return null
    flowStart = view.getUint32(at)
    at += 4
  }
  let pins = null
  if (flags & flag.pins) {
    const count = room(1) ? plaintext[at++] : Infinity
    if (count > maxPins || !room(24 * count)) return null
    pins = Array.from({ length: count }, (_, i) => ({
      key: plaintext.slice(at + 24 * i, at + 24 * i + 8),
      question: plaintext.slice(at + 24 * i + 8, at + 24 * i + 24),
    }))
    at += 24 * count
  }
  return {
    rounds: plaintext[1], iat, ttl, flowStart, pins,
    first: !(flags & flag.flowStart),
    noState: (flags & flag.noState) !== 0,
    rand: plaintext.slice(8, 16),
    tag: plaintext.slice(16, 32),
    hints: plaintext.slice(32, 38),
    state: plaintext.slice(at),
  }
}

const hash = (/** @type {(string | Uint8Array)[]} */ ...parts) => sha256(concat(...parts.map((p) => (typeof p === "string" ? utf8(p) : p))))

/** Length-prefixed, so that no two lists of fields read alike. @param {string} text */
function lp(text) {
  const size = new Uint8Array(4)
  new DataView(size.buffer).setUint32(0, utf8(text).length)
  return concat(size, utf8(text))
}

/** T, A and P. @param {Binding} b */
export function digests(b) {
  return {
    target: hash("T", lp(b.audience), lp(b.method), lp(b.target)),
    arguments: argumentsDigest(b.method === "resources/read" ? null : b.arguments),
    principal: b.principal === null ? hash("P", Uint8Array.of(0)) : hash("P", Uint8Array.of(1), lp(b.principal)),
  }
}

/** @param {Uint8Array | null} json */
function argumentsDigest(json) {
  if (json === null) return hash("A", "{}")
  try {
    const tree = read(json)
    if (ambiguous(tree)) return hash("R", json)
    return hash("A", tree === "null" ? "{}" : write(tree))
  } catch (error) {
    if (error instanceof NotCanonical) return hash("R", json)
    throw error
  }
}

/** @param {Uint8Array} rand @param {Binding} binding */
export function bindingTag(rand, binding) {
  const d = digests(binding)
  return hash("parley-guard/1 bind", rand, d.target, d.arguments, d.principal).slice(0, 16)
}

/**
 * K8 and Q16 of a question.
 * @param {string} key
 * @param {Uint8Array} request JSON text with method and params
 * @throws {NotCanonical}
 */
export function pin(key, request) {
  const tree = read(request)
  if (!(tree instanceof Map)) throw new NotCanonical("not an object")
  const asked = new Map([...tree].filter(([name]) => name === "method" || name === "params"))
  const params = asked.get("params")
  if (params instanceof Map) params.delete("_meta")
  return { key: hash("K", key).slice(0, 8), question: hash("Q", lp(key), write(asked)).slice(0, 16) }
}

/** What a store of consumed tokens knows this one by, and until when. @param {Uint8Array} plaintext @param {Claims} c */
export const replay = (plaintext, c) => ({
  id: hash("parley-guard/1 id", plaintext).slice(0, 16),
  expires: c.iat + c.ttl * 60 + 60,
})

/**
 * What of the token is not as the binding and the questions have it.
 * @param {Claims} c
 * @param {Binding} binding
 * @param {[string, Uint8Array][]} [questions]
 */
export function differences(c, binding, questions) {
  const d = digests(binding)
  const found = []
  if (!equal(c.hints.slice(0, 2), d.target.slice(0, 2))) found.push("target")
  if (!equal(c.hints.slice(2, 4), d.arguments.slice(0, 2))) found.push("arguments")
  if (!equal(c.hints.slice(4, 6), d.principal.slice(0, 2))) found.push("principal")
  if (!equal(c.tag, bindingTag(c.rand, binding))) found.push("tag")
  if (questions && !samePins(c.pins ?? [], questions)) found.push("pins")
  return found
}

/** @param {{key: Uint8Array, question: Uint8Array}[]} pins @param {[string, Uint8Array][]} questions */
function samePins(pins, questions) {
  return pins.length === questions.length && questions.every(([key, request], i) => {
    const want = pin(key, request)
    return equal(pins[i].key, want.key) && equal(pins[i].question, want.question)
  })
}

await serve(import.meta.url, (request) => {
  for (const name of ["audience", "method", "target"]) {
    if (typeof request[name] !== "string") throw new TypeError(`${name} must be a string`)
  }
  if (request.principal !== null && typeof request.principal !== "string") throw new TypeError("principal must be a string or null")
  const plaintext = fromHex(request.plaintext)
  const binding = { ...request, arguments: request.arguments === null ? null : fromHex(request.arguments) }
  const questions = request.questions?.map((/** @type {[string, string]} */ [key, json]) => [key, fromHex(json)])
  const c = readClaims(plaintext)
  if (!c) return { error: true }
  const { id, expires } = replay(plaintext, c)
  return {
    ...c,
    pins: c.pins && c.pins.map((p) => ({ key: toHex(p.key), question: toHex(p.question) })),
    rand: toHex(c.rand), tag: toHex(c.tag), hints: toHex(c.hints), state: toHex(c.state),
    id: toHex(id), expires,
    differs: differences(c, binding, questions),
  }
})
