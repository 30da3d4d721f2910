import { lookup as ask } from "node:dns/promises"
import { Agent as PlainAgent, request as plain } from "node:http"
import { Agent as SecureAgent, request as secure } from "node:https"
import { Readable } from "node:stream"

import { bytes4, insideError, isPrivate4 } from "./private-network.js"

/** @import { LookupAddress } from "node:dns" */
/** @import { IncomingMessage } from "node:http" */

/** Asks for all addresses of a name. @typedef {(name: string, options: {all: true}) => Promise<LookupAddress[]>} Lookup */

/**
 * The fetch of Node, which connects to no address in the private network, unless
 * the MCP server is in there: then it may name others. What is judged is what is
 * dialed: a name cannot lead elsewhere in between. Behind a proxy it is the proxy
 * that connects. Redirects are not followed.
 *
 * @param {string | URL} server @param {Lookup} [lookup]
 * @returns {typeof fetch}
 */
export function dialedReach(server, lookup = ask) {
  /** @type {Promise<boolean> | undefined} */
  let inside
  const isInside = () => (inside ??= addresses(new URL(server), lookup).then(
    (found) => found.length > 0 && found.every(({ address }) => isPrivate(address)),
    () => false,
  ))
  /** What of them may be dialed. @param {URL} url @param {LookupAddress[]} found */
  const reached = async (url, found) => {
    const outside = found.filter(({ address }) => !isPrivate(address))
    if (outside.length === found.length || (await isInside())) return found
    if (!outside.length) throw insideError(url)
    return outside
  }
  return async (input, init) => {
    const url = new URL(String(input))
    if (isLiteral(url) && !usesProxy()) await reached(url, await addresses(url, lookup))
    return send(url, new Request(url, init), (name, { all }, found) => {
      const looked = lookup(name, { all: true }).then((found) => (name === url.hostname ? reached(url, found) : found)) // the other name is the proxy's
      looked.then(
        (some) => (all || !some[0] ? found(null, some) : found(null, some[0].address, some[0].family)),
        (error) => found(error, "", 0),
      )
    })
  }
}

/** Whether a URL names an IP address. @param {URL} url */
const isLiteral = ({ hostname }) => hostname.startsWith("[") || bytes4(hostname) !== undefined

/** @param {URL} url @param {Lookup} lookup @returns {Promise<LookupAddress[]>} */
async function addresses(url, lookup) {
  const { hostname } = url
  if (!isLiteral(url)) return lookup(hostname, { all: true })
  return [{ address: hostname.replace(/^\[|\]$/g, ""), family: bytes4(hostname) ? 4 : 6 }]
}

/** Whether Node sends requests by the proxy that its environment names. */
const usesProxy = () => process.env.NODE_USE_ENV_PROXY === "1" || process.execArgv.includes("--use-env-proxy")

/** @param {URL} url @param {Request} request @param {import("node:net").LookupFunction} lookup */
async function send(url, request, lookup) {
  const body = request.body && Buffer.from(await request.arrayBuffer())
  const [make, Agent] = url.protocol === "https:" ? [secure, SecureAgent] : [plain, PlainAgent]
  /** @type {IncomingMessage} */
  const response = await new Promise((resolve, reject) => {
    make(url, {
      method: request.method,
      headers: { "user-agent": "node", ...Object.fromEntries(request.headers), "accept-encoding": "identity" },
      agent: usesProxy() ? undefined : new Agent(), // one of its own: what another has connected was judged by nobody
      lookup,
      signal: request.signal,
    }).on("response", resolve).on("error", reject).end(body ?? undefined)
  })
  const { statusCode: status = 0, headersDistinct } = response
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) => values.map((value) => /** @type {[string, string]} */ ([name, value])))
  const isEmpty = [204, 205, 304].includes(status)
  if (isEmpty) response.resume()
  return new Response(isEmpty ? null : /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (Readable.toWeb(response)), { status, headers })
}

/**
 * Whether an IP address is in the private network, or leads there by another:
 * IPv4 in IPv6, as it is mapped, by NAT64 or by 6to4.
 *
 * @param {string} address
 */
export function isPrivate(address) {
  const bytes = bytes4(address) ?? bytes6(address)
  if (bytes.length === 4) return isPrivate4(bytes)
  const start = String(bytes.slice(0, 12))
  if (start === "0,0,0,0,0,0,0,0,0,0,255,255" || start === "0,100,255,155,0,0,0,0,0,0,0,0") return isPrivate4(bytes.slice(12))
  const [a = 0, b, c, d] = bytes
  if (a === 32 && b === 2) return isPrivate4(bytes.slice(2))
  return a >> 5 !== 1 || (a === 32 && b === 1 && !c && !d) // all that is global is in 2000::/3, but for Teredo
}

/** The bytes of an IPv6 address. @param {string} address */
function bytes6(address) {
  const { hostname } = new URL(`http://[${address.replace(/%.*/, "")}]`) // as short as it can be
  const [before = [], after = []] = hostname.slice(1, -1).split("::").map((part) => part.split(":").flatMap((word) => (word ? [parseInt(word, 16) >> 8, parseInt(word, 16) & 255] : [])))
  return [...before, ...Array(16 - before.length - after.length).fill(0), ...after]
}
