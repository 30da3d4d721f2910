// The words for a person here and those of hosts/go say the same: both are held
// to hosts/testdata/verdicts. None has a URL in it, which may hold a secret.

import { withoutPrefix } from "../texts/plain.js"
import { say } from "../texts/sentence.js"
import { chain, connectFault, isParserError, isUnsent, unsentIn } from "./unsent.js"

/** @import { Sentence } from "../texts/sentence.js" */
/** @import { ConnectFault } from "./unsent.js" */

/**
 * What is wrong with a URL that no request can be sent to.
 *
 * @param {string} url
 * @param {string} [base] that it may be relative to
 */
export function urlFault(url, base) {
  if (!URL.canParse(url, base) || !/^https?:$/.test(new URL(url, base).protocol)) {
    return say`the server's URL cannot be used: it must begin with http:// or https:// and a host, as in https://example.com/mcp`
  }
  const { username, password } = new URL(url, base)
  if (username || password) return say`the server's URL cannot be used: it must not hold a user name or a password`
}

/** Why a request certainly never reached the server; undefined if it may have. @param {unknown} error */
export function whyUnsent(error) {
  const said = unsentIn(error)
  if (said) return said.sentence ?? (withoutPrefix(said.message) || say`the request was not sent`)
  const fault = connectFault(error)
  return fault && connectWords(fault)
}

/** What a connection of the host's own says by an error, and whether its request was certainly not sent. @param {unknown} error */
export function failed(error) {
  const unsent = isUnsent(error)
  return { reason: (unsent && whyUnsent(error)) || say`the transport failed`, unsent }
}

/** @param {ConnectFault} fault */
function connectWords({ what, code, host }) {
  switch (what) {
    case "url":
      return /** @type {Sentence} */ (urlFault(""))
    case "port":
      return say`no request goes to this port of the server`
    case "name":
      return say`the name of the server cannot be looked up: ${host ?? ""}`
    case "refused":
      return say`the connection to the server was refused: is it running there?`
    case "timeout":
      return say`connecting to the server takes too long`
    case "plain":
      return say`the server does not speak TLS: is its URL one of http:// rather than https://?`
    case "certificate":
      return say`the certificate of the server ${certificates[code] ?? say`is not valid: ${code}`}`
    case "tls":
      return say`no secure connection to the server can be made: ${code}`
    case "proxy":
      return say`no connection to the server can be made by the proxy: ${code}`
    default:
      return say`no connection to the server can be made: ${code}`
  }
}

const stranger = say`is signed by an authority that is not trusted here`

/** @type {Record<string, Sentence>} */
const certificates = {
  DEPTH_ZERO_SELF_SIGNED_CERT: say`is self-signed`,
  SELF_SIGNED_CERT_IN_CHAIN: stranger,
  UNABLE_TO_GET_ISSUER_CERT: stranger,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: stranger,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: stranger,
  ERR_TLS_CERT_ALTNAME_INVALID: say`is for another host`,
  CERT_HAS_EXPIRED: say`has expired`,
  CERT_NOT_YET_VALID: say`is not valid yet`,
}

/** Why a request that may have arrived has no answer. @param {unknown} error @param {string} url */
export function whyLost(error, url) {
  if (isTimeout(error)) return say`the server did not answer in time`
  const { code, message } = chain(error).find(({ code }) => typeof code === "string") ?? {}
  if (code === "UND_ERR_SOCKET" && message === "other side closed") return say`the server closed the connection without an answer`
  if (chain(error).some((e) => isParserError(e) && /header/i.test(e.message))) return say`a header field of the server's answer is malformed`
  if (code === "ECONNRESET" || code === "EPIPE") return say`the server broke the connection without an answer`
  const page = globalThis.location
  if (code === undefined && error instanceof TypeError && page && new URL(url, page.href).origin !== page.origin) {
    return say`the browser does not say why: is the server running, and does it let pages from here call it (CORS)?`
  }
  return code ? say`the connection to the server was lost: ${code}` : say`the connection to the server was lost`
}

/** Why an answer ended before it was whole. @param {unknown} error */
export function whyCut(error) {
  return isTimeout(error) ? say`the server did not go on with its answer in time` : say`the connection broke before the answer was whole`
}

/** @param {unknown} error */
function isTimeout(error) {
  const timeouts = ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT", "ETIMEDOUT"]
  return chain(error).some(({ name, code = "" }) => name === "TimeoutError" || timeouts.includes(code))
}

/** A number of bytes, as a person would say it. @param {number} bytes */
export function sized(bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) === 0) return `${bytes / (1 << 20)} MiB`
  if (bytes >= 1 << 10 && bytes % (1 << 10) === 0) return `${bytes / (1 << 10)} KiB`
  return `${bytes} bytes`
}
