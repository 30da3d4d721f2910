// The text form of a token: base64url (RFC 4648, section 5) without padding,
// in its one canonical spelling.

export const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** The longest token by default, in characters. */
export const defaultCap = 16384

/** The longest token any cap may allow, in characters. */
export const largestCap = 256 * 1024

/**
 * A configured cap, checked.
 * @param {unknown} [cap] in characters
 * @returns {number}
 */
export function capOf(cap = defaultCap) {
  if (typeof cap === "number" && Number.isInteger(cap) && cap > 0 && cap <= largestCap) return cap
  throw new RangeError(`cap must be 1 to ${largestCap} characters`)
}

/**
 * @param {Uint8Array} raw
 * @param {number} [cap] in characters
 * @returns {string}
 * @throws {RangeError} if the token would be longer than cap
 */
export function encodeToken(raw, cap = defaultCap) {
  const length = Math.ceil((raw.length * 8) / 6)
  if (length > cap) throw new RangeError(`a token of ${length} characters exceeds the cap of ${cap}`)
  let token = ""
  let bits = 0
  let held = 0
  for (const byte of raw) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 6) {
      bits -= 6
      token += alphabet[(held >> bits) & 63]
    }
    held &= (1 << bits) - 1
  }
  if (bits > 0) token += alphabet[(held << (6 - bits)) & 63]
  return token
}

/**
 * @param {string} token
 * @param {number} [cap] in characters
 * @returns {Uint8Array | null} null if it is not a token's canonical spelling
 */
export function decodeToken(token, cap = defaultCap) {
  if (token.length > cap || token.length % 4 === 1) return null
  const raw = new Uint8Array(Math.floor((token.length * 6) / 8))
  let bits = 0
  let held = 0
  let at = 0
  for (const char of token) {
    const value = alphabet.indexOf(char)
    if (value < 0) return null
    held = (held << 6) | value
    bits += 6
    if (bits >= 8) {
      bits -= 8
      raw[at++] = held >> bits
      held &= (1 << bits) - 1
    }
  }
  return held === 0 ? raw : null // unused bits must be zero
}
