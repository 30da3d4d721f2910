/** The ways in which a token that only signs would show a plaintext. @param {Uint8Array} plaintext */
export function readable(plaintext) {
  const hex = Array.from(plaintext, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return [plaintext, new TextEncoder().encode(hex), new TextEncoder().encode(hex.toUpperCase())]
}

/** A token, and what its parts decode to as base64, wherever they begin. @param {string} token */
export function texts(token) {
  const all = [new TextEncoder().encode(token)]
  for (const part of token.match(/[A-Za-z0-9+/_-]+/g) ?? []) {
    for (let skip = 0; skip < Math.min(4, part.length); skip++) {
      const whole = part.slice(skip).replaceAll("-", "+").replaceAll("_", "/")
      const decoded = atob(whole.length % 4 === 1 ? whole.slice(0, -1) : whole)
      all.push(Uint8Array.from(decoded, (character) => character.charCodeAt(0)))
    }
  }
  return all
}

/** The length of the longest run that is in both. @param {Uint8Array | string} a @param {Uint8Array | string} b */
export function longestShared(a, b) {
  let longest = 0
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      let n = 0
      while (i + n < a.length && j + n < b.length && a[i + n] === b[j + n]) n++
      longest = Math.max(longest, n)
    }
  }
  return longest
}

/**
 * What an error holds that an unverified plaintext may be, if it does: bytes, or
 * the text. Its members and those of its causes count.
 *
 * @param {unknown} error @param {string} secret
 * @returns {string | undefined}
 */
export function leak(error, secret) {
  /** @type {any} */
  let cause = error
  for (let depth = 0; cause && depth < 10; depth++, cause = cause.cause) {
    const members = typeof cause === "object" ? Reflect.ownKeys(cause).map((name) => Reflect.get(cause, name)) : []
    for (const value of [cause, ...members]) {
      if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return "bytes, which were not verified"
      if (typeof value === "string" && value.includes(secret)) return "the plaintext"
    }
  }
}
