// Payloads in the notation of the scripts, and as the frames that cross: by the
// names of wasm/ABI.md alone, token by token, as scripts have flaws that
// JSON.parse would mend.

/** Those of requests that are raw. */
export const asked = new Set(["body", "capabilities", "clientInfo", "params", "raw", "request", "schema", "snapshot", "typed", "value"])

/** Those of answers. */
export const answered = new Set(["body", "capabilities", "defaults", "earlier", "entry", "error", "next", "params", "request", "result", "serverInfo", "snapshot"])

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** A request of a script as a frame. What is no JSON is its head as it is. @param {string} text */
export function requestFrame(text) {
  return toFrame(text, asked)
}

/** An answer as it stands in a script, as the frame it was. @param {string} text */
export function answerFrame(text) {
  return toFrame(text, answered)
}

/** A request as it stands in a script. @param {Uint8Array} frame */
export function requestText(frame) {
  return fromFrame(frame, asked)
}

/** An answer as it stands in a script. @param {Uint8Array} frame */
export function answerText(frame) {
  return fromFrame(frame, answered)
}

/** @param {string} text @param {Set<string>} raw */
function toFrame(text, raw) {
  /** @type {Uint8Array[]} */
  const blobs = []
  let at = 0
  const head = !isJSON(text)
    ? text
    : rewritten(text, raw, /"[^"\\]*(?:\\.[^"\\]*)*"/y, (token) => {
        const value = JSON.parse(token)
        if (/\p{Surrogate}/u.test(value)) return token // there is no UTF-8 of it
        const blob = encoder.encode(value)
        blobs.push(blob)
        at += blob.length
        return `[${at - blob.length},${blob.length}]`
      })
  return framed(head, blobs)
}

/** A frame of a head and blobs. @param {string} text @param {Uint8Array[]} blobs */
export function framed(text, blobs) {
  const head = encoder.encode(text)
  const frame = new Uint8Array(blobs.reduce((size, { length }) => size + length, 4 + head.length))
  new DataView(frame.buffer).setUint32(0, head.length, true)
  let at = 4
  for (const blob of [head, ...blobs]) {
    frame.set(blob, at)
    at += blob.length
  }
  return frame
}

/** @param {Uint8Array} frame @param {Set<string>} raw */
function fromFrame(frame, raw) {
  const blobs = 4 + new DataView(frame.buffer, frame.byteOffset).getUint32(0, true)
  return rewritten(new TextDecoder().decode(frame.subarray(4, blobs)), raw, /\[\d+,\d+\]/y, (token) => {
    const [at, size] = JSON.parse(token)
    return quoted(decoder.decode(frame.subarray(blobs + at, blobs + at + size)))
  })
}

/**
 * Valid JSON with other tokens as the values of raw members.
 *
 * @param {string} text @param {Set<string>} raw @param {RegExp} token sticky
 * @param {(token: string) => string} rewrite
 */
function rewritten(text, raw, token, rewrite) {
  const strings = /"[^"\\]*(?:\\.[^"\\]*)*"/g // outside of them there is no quote
  let out = ""
  let from = 0
  for (let match; (match = strings.exec(text)); ) {
    const value = /\s*:\s*/y
    value.lastIndex = strings.lastIndex
    if (!value.test(text) || !raw.has(JSON.parse(match[0]))) continue
    token.lastIndex = value.lastIndex
    const found = token.exec(text)
    if (!found) continue
    out += text.slice(from, value.lastIndex) + rewrite(found[0])
    from = strings.lastIndex = token.lastIndex
  }
  return out + text.slice(from)
}

/** @param {string} text */
function isJSON(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A string as the engine writes it. @param {string} text */
export function quoted(text) {
  const short = /** @type {Record<string, string>} */ ({ '"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" })
  return `"${text.replace(/["\\\x00-\x1f]/g, (char) => short[char] ?? `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`
}

/** Values as the engine writes them, without the sentences that this package puts beside them. @param {any} value @returns {string} */
export function noted(value) {
  if (typeof value === "string") return quoted(value)
  if (Array.isArray(value)) return `[${value.map(noted).join(",")}]`
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  return `{${Object.entries(value).filter(([name]) => name !== "sentence").map(([name, value]) => `${quoted(name)}:${noted(value)}`).join(",")}}`
}
