import { address, covers, parsed } from "./address.js"
import { SignInError } from "./error.js"
import { isLabelledJSON, objectIn, refusalIn } from "./http.js"
import { scopesIn } from "./scopes.js"
import { answered } from "./refusal-text.js"
import { quoted } from "../texts/plain.js"

/** @import { Send } from "./http.js" */

/** What an MCP server says about itself (RFC 9728). @typedef {{resource: string, issuers: string[], scopes: string[]}} ProtectedResource */

/**
 * What an authorization server says about itself, as far as it is used, in the
 * names of RFC 8414.
 *
 * @typedef {object} AuthorizationServer
 * @property {string} issuer
 * @property {string} [authorization_endpoint]
 * @property {string} token_endpoint
 * @property {string} [registration_endpoint]
 * @property {string} [revocation_endpoint]
 * @property {string[]} [scopes_supported]
 * @property {string[]} [code_challenge_methods_supported]
 * @property {string[]} [grant_types_supported]
 * @property {string[]} [token_endpoint_auth_methods_supported]
 * @property {string[]} [id_token_signing_alg_values_supported]
 * @property {boolean} [authorization_response_iss_parameter_supported]
 * @property {boolean} [client_id_metadata_document_supported]
 */

/** How many members of a list are read. */
const longest = 64

/** The last version in which a server need not publish metadata. */
const earliest = "2025-03-26"

/**
 * Finds out what a token for a server has to be for, and who gives one.
 *
 * @param {Send} send @param {URL} server @param {{hint?: unknown, version?: string}} said `hint` is the challenge's resource_metadata
 * @returns {Promise<ProtectedResource>}
 */
export async function findResource(send, server, { hint, version }) {
  const places = hint === undefined ? wellKnown(server, "oauth-protected-resource") : [ownMetadata(hint, server)]
  const { json, place, said } = await firstFound(send, places, hint === undefined)
  if (!json) {
    if (version === earliest) return { resource: server.href, issuers: [server.origin], scopes: [] }
    throw new SignInError("metadata", `${server.host} does not say where to sign in${said}: it has to publish protected-resource metadata (RFC 9728) at ${places[0]}`)
  }
  const resource = typeof json.resource === "string" ? parsed(json.resource) : undefined
  if (!resource || !covers(resource, server)) {
    throw new SignInError("metadata", `${place} is for ${quoted(String(json.resource))}, not for ${server.origin}${server.pathname}`)
  }
  const issuers = strings(json.authorization_servers) ?? []
  if (!issuers.length) throw new SignInError("metadata", `${place} names no authorization server: tell its operator`)
  for (const issuer of issuers) address(issuer, "the authorization server that it names", server)
  return { resource: /** @type {string} */ (json.resource), issuers, scopes: scopesIn(strings(json.scopes_supported)?.join(" ")) }
}

/** @param {unknown} hint @param {URL} server */
function ownMetadata(hint, server) {
  const url = address(hint, "the address of its metadata", server)
  if (url.origin !== server.origin) throw new SignInError("metadata", `${server.host} says that its metadata is at ${quoted(url.origin)}, which is not its own`)
  return url.href
}

/**
 * Asks an authorization server about itself.
 *
 * @param {Send} send @param {string} issuer @param {URL} server the MCP server that named it @param {string} [version]
 * @returns {Promise<AuthorizationServer>}
 */
export async function findAuthorizationServer(send, issuer, server, version) {
  const url = address(issuer, "the authorization server", server)
  const places = [...wellKnown(url, "oauth-authorization-server").slice(0, 1), ...wellKnown(url, "openid-configuration").slice(0, 1)]
  if (url.pathname !== "/") places.push(`${url.origin}${url.pathname.replace(/\/$/, "")}/.well-known/openid-configuration`)
  const { json, place, said } = await firstFound(send, places, true)
  if (!json) {
    if (version === earliest && issuer === server.origin) return checked({ ...byDefault(issuer), issuer }, server)
    throw new SignInError("metadata", `${url.host} does not say how to sign in${said}: it has to publish authorization-server metadata (RFC 8414) at ${places[0]}`)
  }
  const slash = version === earliest && json.issuer === `${issuer}/` // there nobody has named the issuer
  if (json.issuer !== issuer && !slash) {
    throw new SignInError("issuer", `${place} is of ${quoted(String(json.issuer))}, not of ${quoted(issuer)}: somebody may be posing as it`)
  }
  return checked(json, server)
}

/** What is read of the metadata: addresses, lists, and what it can do. */
const endpoints = ["token", "authorization", "registration", "revocation"]
const lists = ["scopes", "grant_types", "code_challenge_methods", "token_endpoint_auth_methods", "id_token_signing_alg_values"]
const abilities = ["authorization_response_iss_parameter", "client_id_metadata_document"]

/** @param {Record<string, unknown>} json @param {URL} server @returns {AuthorizationServer} */
function checked(json, server) {
  const { issuer, token_endpoint } = json
  const { host } = new URL(String(issuer))
  /** @type {Record<string, unknown>} */
  const read = { issuer, token_endpoint: "" }
  for (const name of endpoints.map((name) => `${name}_endpoint`)) if ((json[name] ?? undefined) !== undefined || !token_endpoint) read[name] = address(json[name], `the ${name} of ${host}`, server).href
  for (const name of lists.map(supported)) read[name] = strings(json[name])
  for (const name of abilities.map(supported)) read[name] = json[name] === true
  return /** @type {AuthorizationServer} */ (read)
}

/** @param {string} name */
function supported(name) {
  return `${name}_supported`
}

/**
 * Source: MCP 2025-03-26, basic/authorization, Fallbacks for Servers without
 * Metadata Discovery.
 *
 * @param {string} origin
 */
function byDefault(origin) {
  return { authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token`, registration_endpoint: `${origin}/register`, code_challenge_methods_supported: ["S256"] }
}

/**
 * The first document that is there. A page cannot tell a server that is silent
 * from one that has none and does not let it read that, so all are tried.
 *
 * @param {Send} send @param {string[]} places @param {boolean} several is another place worth a look?
 */
async function firstFound(send, places, several) {
  /** @type {unknown} */
  let failure
  let said = ""
  for (const place of places) {
    try {
      const response = await send(place, { headers: { Accept: "application/json" } })
      const { status } = response
      if (status !== 200) {
        const refusal = { ...(await refusalIn(response)), code: "" }
        if (!several || status >= 500 || status === 429) throw new SignInError("unreachable", `${place} answers with ${answered(refusal)}: try again later`)
        if (status !== 404) said ||= ` (it answers with ${answered(refusal)})`
        continue
      }
      const json = await objectIn(response)
      if (!json && isLabelledJSON(response)) throw new SignInError("metadata", `${place} holds no JSON object: tell its operator`)
      if (!json) continue // such as a page that the server shows at every address
      return { json, place, said }
    } catch (error) {
      if (!(error instanceof SignInError && error.code === "unreachable" && error.cause)) throw error
      failure ??= error
    }
  }
  if (failure) throw failure
  return { said }
}

/** Where a document about a URL is: below its path, and at the root. @param {URL} url @param {string} name */
function wellKnown({ origin, pathname, search }, name) {
  const root = `${origin}/.well-known/${name}`
  return pathname === "/" && !search ? [root] : [`${root}${pathname.replace(/\/$/, "")}${search}`, root]
}

/** Some strings of a list, if it is one. @param {unknown} list */
function strings(list) {
  return Array.isArray(list) ? list.slice(0, longest).filter((item) => typeof item === "string") : undefined
}
