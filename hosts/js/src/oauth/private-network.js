import { SignInError } from "./error.js"

// What a public server names must not lead into the private network that this
// program may stand in (SSRF). In a page only the spelling of an address can be
// judged: what a name leads to the browser does not say. In Node it is the
// address that is dialed, see private-network-node.js.

/** Names that no public server has: of one label, and those of RFC 6761, 6762 and 8375 and of ICANN. */
const locals = /^[^.]+\.?$|\.(localhost|local|internal|home\.arpa)\.?$/

/** Whether an IPv4 address is not reached over the Internet (RFC 6890). @param {number[]} bytes */
export function isPrivate4([a = 0, b = 0, c]) {
  if (a === 100) return b >> 6 === 1
  if (a === 169) return b === 254
  if (a === 172) return b >> 4 === 1
  if (a === 192) return b === 168 || (b === 0 && c === 0)
  if (a === 198) return b >> 1 === 9
  return [0, 10, 127].includes(a) || a > 223
}

/** The bytes of an IPv4 address, which URLs have in one spelling. @param {string} text */
export function bytes4(text) {
  return /^\d+(\.\d+){3}$/.test(text) ? text.split(".").map(Number) : undefined
}

/** Whether a URL is spelled like one of the private network, or in a way that hides it. @param {URL} url */
export function isSpelledPrivate({ hostname }) {
  if (hostname.startsWith("[")) return !/^\[[23]...:/.test(hostname) || /^\[200(2:|1::|1:0:)/.test(hostname)
  const bytes = bytes4(hostname)
  return bytes ? isPrivate4(bytes) : locals.test(hostname)
}

/** @param {URL} url */
export function insideError({ host }) {
  return new SignInError("address", `${host} is in the private network, and the server is not: nothing is sent there`)
}

/**
 * The fetch of a page, which goes nowhere that is spelled like the private
 * network, unless the server is, too.
 *
 * @param {URL} server @returns {typeof fetch}
 */
export function spelledReach(server) {
  return async (input, init) => {
    const url = new URL(String(input))
    if (isSpelledPrivate(url) && !isSpelledPrivate(server)) throw insideError(url)
    return fetch(input, init)
  }
}
