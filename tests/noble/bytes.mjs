// Bytes as the codec's definition writes them.

/** @param {string} text @returns {Uint8Array} UTF-8 */
export const utf8 = (text) => new TextEncoder().encode(text)

/** `a|b|c`: one after the other. @param {...Uint8Array} parts */
export function concat(...parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** @param {Uint8Array} a @param {Uint8Array} b */
export const equal = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i])

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Buffer.from(bytes).toString("hex")

/**
 * @param {unknown} text
 * @returns {Uint8Array}
 * @throws {TypeError} if text is not the hex of whole bytes
 */
export function fromHex(text) {
  if (typeof text !== "string" || !/^([0-9a-fA-F]{2})*$/.test(text)) throw new TypeError("not hex of whole bytes")
  return Uint8Array.from(Buffer.from(text, "hex"))
}
