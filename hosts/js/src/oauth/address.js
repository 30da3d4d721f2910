import { isLoopback } from "../transport/loopback.js"
import { SignInError } from "./error.js"
import { quoted } from "../texts/plain.js"

/** The longest address that is accepted, in characters. */
const longest = 2048

/**
 * An address that a server named, if something may be sent there: https, or of
 * this machine if the server is, too. Another could make this program knock at
 * the doors of the machine that it runs on.
 *
 * @param {unknown} text @param {string} what @param {URL} server
 */
export function address(text, what, server) {
  const refuse = (/** @type {string} */ why) => new SignInError("address", `${what}, ${quoted(String(text))}, ${why}: nothing is sent there. Tell the operator of ${server.host}`)
  const url = parsed(String(text).slice(0, longest))
  if (!url || typeof text !== "string" || text.length > longest) throw refuse("is not a URL, or too long")
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url))) throw refuse("is not https")
  if (isLoopback(url) && !isLoopback(server)) throw refuse("is on this machine, but the server is not")
  if (url.username || url.password) throw refuse("has a user name in it")
  return url
}

/** @param {string} text */
export function parsed(text) {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/**
 * Whether a resource, as its metadata calls it, is the server or has it below
 * it.
 *
 * Source: RFC 9728, 3.3, and MCP 2026-07-28, basic/authorization, Canonical
 * Server URI.
 *
 * @param {URL} resource @param {URL} server
 */
export function covers(resource, server) {
  const above = resource.pathname.endsWith("/") ? resource.pathname : `${resource.pathname}/`
  const whole = resource.pathname === server.pathname && resource.search === server.search
  return resource.origin === server.origin && !resource.hash && (whole || (!resource.search && `${server.pathname}/`.startsWith(above)))
}
