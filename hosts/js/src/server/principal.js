import { principal } from "../codec/principal.js"

/** @import { ServerContext } from "@modelcontextprotocol/server" */

/**
 * The client, the issuer and the subject of the bearer token that the SDK has
 * verified, null where none is required. A verifier sets `clientId`, and, named
 * like the claims, `extra.iss` and `extra.sub`; an empty text counts as none. With
 * all three a state opens for the same user at the same client only; another
 * client of the user starts over.
 *
 * Without a subject it is the client and the issuer, so users of one client can
 * continue each other's calls; `console.warn` says so once in a process. Without
 * subject and client it throws.
 *
 * The tokens of codec/testdata/principals say the same in Go and Python.
 *
 * @param {ServerContext} context
 */
export function tokenPrincipal({ http }) {
  const token = http?.authInfo
  if (!token) return null
  const client = claim("clientId", token.clientId)
  const issuer = claim("extra.iss", token.extra?.iss)
  const subject = claim("extra.sub", token.extra?.sub)
  if (subject === null) {
    if (client === null) throw new TypeError("parley: the token's verifier sets no extra.sub and no clientId: set them, or give the option principal")
    if (!warned) console.warn("parley: the token's verifier sets no extra.sub, so users of one client can continue each other's calls: set it, or give the option principal")
    warned = true
  }
  return principal(client, issuer, subject)
}

let warned = false

/** @param {string} name @param {unknown} value */
function claim(name, value) {
  if (value === undefined || value === null || value === "") return null
  if (typeof value !== "string") throw new TypeError(`parley: the token's verifier sets a ${name} that is no string`)
  return value
}
