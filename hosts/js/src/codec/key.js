import { draw, platform } from "./entropy.js"

/** @import { Random } from "./entropy.js" */

/**
 * A line of a key file with a new key of 32 random bytes, as UTF-8. Append it
 * to a file that only the server can read, or give it to one process that
 * shares its states with no other; then wipe it.
 *
 * @param {{suite?: "11" | "21" | "22", random?: Random}} [options] 21 and 22 make age tokens
 */
export function newKey({ suite = "11", random = platform } = {}) {
  const secret = draw(random, 32)
  const line = new TextEncoder().encode(`parley-key/1 ${suite} ${base64url(secret)}\n`)
  secret.fill(0)
  return line
}

/**
 * The lines of a key file that hold a key of a box, one by one: wipe them.
 *
 * @param {Uint8Array} keys
 */
export function boxKeys(keys) {
  const begin = new TextEncoder().encode("parley-key/1 11 ")
  /** @type {Uint8Array[]} */
  const lines = []
  for (let at = 0; at < keys.length; ) {
    const end = keys.indexOf(0x0a, at)
    const line = keys.slice(at, end < 0 ? keys.length : end)
    if (begin.every((byte, i) => line[i] === byte)) lines.push(line)
    at += line.length + 1
  }
  return lines
}

/** Without padding. @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
}
