import { Code, ParleyError } from "./errors.js"

/** Text, or its UTF-8: nothing is done to either. @typedef {string | Uint8Array} Bytes */

/** The members of requests that stand outside the head of a frame, by wasm/ABI.md: their bytes cross as they are. */
const asked = new Set(["body", "capabilities", "clientInfo", "params", "raw", "request", "schema", "snapshot", "typed", "value"])

/** Those of answers. An error of an export is an object, and not of these. */
const answered = new Set(["body", "capabilities", "defaults", "earlier", "entry", "error", "next", "params", "request", "result", "serverInfo", "snapshot"])

const encoder = /* @__PURE__ */ new TextEncoder()
const decoder = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** How long a frame is that is decoded at once: what is small must not keep what is large in memory. */
const atOnce = 4096

/**
 * Writes a request as a frame, into the room that there is for so many bytes,
 * and returns how many they are. Most text is ASCII, and then written where it
 * goes without a copy.
 *
 * @param {object} request @param {(size: number) => Uint8Array} room
 */
export function writeFrame(request, room) {
  return write(request, room, (text) => text) ?? /** @type {number} */ (write(request, room, bytesOf))
}

/** Text as UTF-8, and bytes as they are. @param {Bytes} text @returns {Uint8Array} */
export function bytesOf(text) {
  const bytes = typeof text === "string" ? utf8(text) : text
  if (!bytes) throw new ParleyError(Code.order, "a text has a lone surrogate")
  return bytes
}

/** @param {object} request @param {(size: number) => Uint8Array} room @param {(text: string) => Bytes} as @returns {number | undefined} */
function write(request, room, as) {
  /** @type {Bytes[]} */
  const blobs = []
  const head = as(headOf(request, blobs, as))
  const size = 4 + head.length + lengthOf(blobs)
  const bytes = room(size)
  const n = head.length
  bytes[0] = n
  bytes[1] = n >>> 8
  bytes[2] = n >>> 16
  bytes[3] = n >>> 24
  let at = 4
  if (typeof head === "string" && size < atOnce && blobs.every((blob) => typeof blob === "string")) return put(bytes, head.concat(.../** @type {string[]} */ (blobs)), at) === size ? size : undefined
  for (const blob of [head, ...blobs]) at = put(bytes, blob, at)
  return at === size ? size : undefined
}

/**
 * The head, with spans in place of what is raw. It is written member by member:
 * a copy to be written at once costs twice as much.
 *
 * @param {object} request @param {Bytes[]} blobs @param {(text: string) => Bytes} as
 */
function headOf(request, blobs, as) {
  let head = ""
  for (const name of Object.keys(request)) {
    const value = /** @type {Record<string, unknown>} */ (request)[name]
    if (value === undefined) continue
    const text = name === "options" ? headOf(/** @type {object} */ (value), blobs, as) : asked.has(name) ? spanOf(name, value, blobs, as) : valueOf(name, value)
    if (text !== undefined) head += `${head && ","}${quoted(name)}:${text}`
  }
  return `{${head}}`
}

/** @param {string} name @param {unknown} value @param {Bytes[]} blobs @param {(text: string) => Bytes} as */
function spanOf(name, value, blobs, as) {
  const blob = typeof value === "string" ? as(value) : value
  if (typeof blob !== "string" && !(blob instanceof Uint8Array)) throw new ParleyError(Code.order, `member ${name} is neither text nor bytes`)
  const at = lengthOf(blobs)
  blobs.push(blob)
  return `[${at},${blob.length}]`
}

/** A value as JSON text, if there is one. @param {string} name @param {unknown} value @returns {string | undefined} */
function valueOf(name, value) {
  if (Number.isInteger(value) || typeof value === "boolean") return `${value}`
  return name === "type" ? quoted(String(value)) : JSON.stringify(value)
}
/** @param {Bytes[]} blobs */
const lengthOf = (blobs) => blobs.reduce((all, { length }) => all + length, 0)

/** Names of members and of types as JSON text: there are few. @type {Map<string, string>} */
const names = new Map()

/** @param {string} name */
function quoted(name) {
  let text = names.get(name)
  if (text === undefined) names.set(name, (text = JSON.stringify(name)))
  return text
}

/** Puts a blob at a place, and returns the place behind it: NaN for text that is not ASCII. @param {Uint8Array} bytes @param {Bytes} blob @param {number} at */
function put(bytes, blob, at) {
  if (typeof blob !== "string") bytes.set(blob, at)
  else if (encoder.encodeInto(blob, bytes.subarray(at, at + blob.length)).read < blob.length) return NaN
  return at + blob.length
}

/** The UTF-8 of a text. One with a lone surrogate has none: what would stand in for it is another text. @param {string} text */
function utf8(text) {
  return isWellFormed(text) ? encoder.encode(text) : undefined
}

/** Whether a text has no lone surrogate. @param {string} text */
export const isWellFormed = (text) => !/\p{Surrogate}/u.test(text)

/** The text of bytes that are UTF-8, to the byte. @param {Uint8Array} bytes */
export function textOf(bytes) {
  return decoder.decode(bytes)
}

/** Reads an answer, with text in place of spans. @param {Uint8Array} frame @returns {any} */
export function readFrame(frame) {
  const [a = 0, b = 0, c = 0, d = 0] = [frame[0], frame[1], frame[2], frame[3]]
  const blobs = 4 + ((a | b << 8 | c << 16 | d << 24) >>> 0)
  let all = ""
  if (frame.length < atOnce && (all = textOf(frame.subarray(4))).length === frame.length - 4) { // each byte is a character
    return filled(JSON.parse(all.slice(0, blobs - 4)), (at, size) => all.slice(blobs - 4 + at, blobs - 4 + at + size))
  }
  return filled(JSON.parse(textOf(frame.subarray(4, blobs))), (at, size) => textOf(frame.subarray(blobs + at, blobs + at + size)))
}

/** @param {any} head @param {(at: number, size: number) => string} text */
function filled(head, text) {
  const { actions = [head] } = head
  for (const object of actions) {
    for (const name in object) {
      const span = object[name]
      if (typeof span === "object" && answered.has(name) && Array.isArray(span)) object[name] = text(span[0], span[1])
    }
  }
  return head
}
