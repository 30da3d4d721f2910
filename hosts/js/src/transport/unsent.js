import { sentenceOf, translate } from "../texts/sentence.js"

/** @import { Sentence } from "../texts/sentence.js" */

/**
 * The error to throw if a request certainly never reached the server: a tool
 * call that fails like this is not in doubt. Its message is for the person.
 *
 * @param {string | Sentence} message @param {unknown} [cause]
 */
export function unsent(message, cause) {
  const sentence = sentenceOf(message)
  return Object.assign(new Error(`parley: ${translate(sentence)}`, { cause }), { unsent: true, sentence })
}

/** Whether an error, or what caused it, is one of those. @param {unknown} error */
export function isUnsent(error) {
  return unsentIn(error) !== undefined
}

/** The one of those that is or caused an error. @param {unknown} error */
export function unsentIn(error) {
  return chain(error).find((e) => "unsent" in e && e.unsent === true)
}

/**
 * Whether a failed fetch certainly sent nothing, as Node can tell. A browser
 * hides it.
 *
 * @param {unknown} error
 */
export function neverConnected(error) {
  return connectFault(error) !== undefined
}

/** Why there is no connection. `what` is what failed, `code` Node's name for it. @typedef {{what: "url" | "port" | "name" | "refused" | "timeout" | "connect" | "certificate" | "plain" | "tls" | "proxy", code: string, host?: string}} ConnectFault */

/** What is in an error of Node's. @typedef {Error & {code?: string, syscall?: string, hostname?: string, errors?: unknown[], sentence?: Sentence}} NodeError */

/**
 * Why there was no connection to send a request over, as far as Node's fetch
 * can tell; undefined if there may have been one.
 *
 * @param {unknown} error
 * @returns {ConnectFault | undefined}
 */
export function connectFault(error) {
  for (const e of chain(error)) {
    const what = kindOf(e)
    if (what) return { what, code: /^Proxy response \((\d+)\)/.exec(e.message)?.[1] ?? e.code ?? e.message, host: e.hostname }
  }
}

/** @param {NodeError} error @returns {ConnectFault["what"] | undefined} */
function kindOf({ code = "", syscall, message, errors }) {
  if (errors?.length) return errors.every((e) => e instanceof Error && kindOf(e)) ? kindOf(/** @type {NodeError} */ (errors[0])) : undefined // one address after the other was tried
  if (code === "ERR_INVALID_URL" || message === "unknown scheme") return "url"
  if (message === "bad port") return "port"
  if (syscall === "getaddrinfo") return "name"
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "timeout"
  if (syscall === "connect") return code === "ECONNREFUSED" ? "refused" : code === "ETIMEDOUT" ? "timeout" : "connect"
  if (code === "UND_ERR_PRX_TLS" || message.startsWith("Proxy response (")) return "proxy" // to a CONNECT
  if (certificateFault.test(code)) return "certificate"
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER" || code === "ERR_SSL_PACKET_LENGTH_TOO_LONG") return "plain"
  if (handshakeFault.test(code) || message.startsWith("Client network socket disconnected before secure TLS")) return "tls"
}

/** What Node says about a server's certificate, which it checks before it sends anything. */
const certificateFault = /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(GET|DECRYPT|DECODE|VERIFY)_|INVALID_(CA|PURPOSE)$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$|ERR_TLS_CERT_)/

/** What can only go wrong in a TLS handshake. Other alerts may come later, for example that the client has no certificate. */
const handshakeFault = /^ERR_SSL_.*(HANDSHAKE_FAILURE|PROTOCOL_VERSION|UNRECOGNIZED_NAME|NO_APPLICATION_PROTOCOL|INSUFFICIENT_SECURITY|(UNSUPPORTED|UNKNOWN)_PROTOCOL|NO_PROTOCOLS_AVAILABLE|KEY_TOO_SMALL)$/

/** That Node's HTTP parser refused a response. Some versions of Node give it no code. @param {Error} error */
export function isParserError({ name }) {
  return name === "HTTPParserError"
}

/** An error and what caused it. @param {unknown} error */
export function chain(error) {
  /** @type {NodeError[]} */
  const all = []
  for (let e = error; e instanceof Error && all.length < 8; e = e.cause) all.push(e)
  return all
}
