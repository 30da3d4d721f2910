import { SignInError } from "./error.js"
import { objectIn, refusalIn } from "./http.js"
import { givesRefreshTokens } from "./scopes.js"
import { answered } from "./refusal-text.js"

/** @import { ApplicationType } from "./contract.js" */
/** @import { AuthorizationServer } from "./discovery.js" */
/** @import { Send } from "./http.js" */

/** How a client shows that it is the one. @typedef {"none" | "client_secret_basic" | "client_secret_post"} AuthMethod */

/**
 * A client at an authorization server. `how` it became known there: it was
 * configured, it is described by a document, or it registered itself.
 *
 * @typedef {object} Client
 * @property {"given" | "document" | "registered"} how
 * @property {string} id
 * @property {string} [secret]
 * @property {AuthMethod} method
 * @property {string} [redirectUri] that was registered
 */

/** What a host says about the client. @typedef {{clientId?: string, clientSecret?: string, issuer?: string, clientMetadataUrl?: string, clientName?: string}} Configured */

/** The longest id that is accepted, in characters: it goes into a URL. */
const longest = 2048

/**
 * The client to be at an authorization server.
 *
 * Source: MCP 2026-07-28, basic/authorization, Client Registration Approaches:
 * pre-registered, else described by a document, else registered by itself.
 *
 * @param {Send} send @param {AuthorizationServer} server @param {Configured} configured
 * @param {Record<string, Client>} known clients by issuer @param {{redirectUri: string, type: ApplicationType}} wanted
 * @returns {Promise<Client>}
 */
export async function clientAt(send, server, configured, known, wanted) {
  const given = givenClient(server, configured)
  if (given) return given
  if (configured.clientMetadataUrl && server.client_id_metadata_document_supported) {
    return { how: "document", id: configured.clientMetadataUrl, method: "none" }
  }
  const before = known[server.issuer]
  if (before?.how === "registered" && before.redirectUri === wanted.redirectUri) return before
  return register(send, server, configured, wanted)
}

/** The client that was configured, if there is one. @param {AuthorizationServer} server @param {Configured} configured @returns {Client | undefined} */
export function givenClient(server, { clientId: id, clientSecret: secret }) {
  return id ? { how: "given", id, secret, method: method(server, undefined, secret) } : undefined
}

/**
 * Which authorization server a sign-in has to be at: the one that the client was
 * configured for, or signed in at first, because its secret is for no other.
 *
 * @param {string[]} named by the MCP server @param {Configured} configured @param {Record<string, Client>} known @param {URL} mcp
 */
export function ownIssuer(named, { clientId, issuer }, known, mcp) {
  const own = issuer ?? Object.keys(known).find((one) => known[one]?.how === "given" && known[one]?.id === clientId)
  if (own !== undefined && !named.includes(own)) {
    throw new SignInError("issuer", `${mcp.host} names ${named[0]}, but the client id is of ${own}: configure another`)
  }
  return own
}

/** @param {Send} send @param {AuthorizationServer} server @param {Configured} configured @param {{redirectUri: string, type: ApplicationType}} wanted @returns {Promise<Client>} */
async function register(send, server, { clientName = "Parley" }, { redirectUri, type }) {
  const { host } = new URL(server.issuer)
  if (!server.registration_endpoint) {
    throw new SignInError("client", `${host} does not register programs: register one there, with the redirect URI ${redirectUri}, and configure its client id`)
  }
  const response = await send(server.registration_endpoint, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify({
      client_name: clientName,
      redirect_uris: [redirectUri],
      grant_types: givesRefreshTokens(server.grant_types_supported) ? ["authorization_code", "refresh_token"] : ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: preferred.find((one) => server.token_endpoint_auth_methods_supported?.includes(one)) ?? "none",
      application_type: type,
    }),
  })
  const refuse = (/** @type {string} */ why) => new SignInError("client", `${host} does not register this program (${why}): register one there, and configure its client id`)
  if (!response.ok) throw refuse(answered(await refusalIn(response)))
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: chosen } = (await objectIn(response)) ?? {}
  if (typeof id !== "string" || !id || id.length > longest) throw refuse(`HTTP status ${response.status}`)
  const kept = typeof secret === "string" ? secret : undefined
  return { how: "registered", id, secret: kept, method: method(server, chosen, kept), redirectUri }
}

/** A program that everybody can read has no secret to show. @type {AuthMethod[]} */
const preferred = ["none", "client_secret_basic", "client_secret_post"]

/** @param {AuthorizationServer} server @param {unknown} chosen by the server @param {string} [secret] @returns {AuthMethod} */
function method({ token_endpoint_auth_methods_supported: supported }, chosen, secret) {
  const own = preferred.find((one) => one === chosen)
  if (!secret) return "none"
  if (own) return own
  const shown = preferred.slice(1)
  return supported ? (shown.find((one) => supported.includes(one)) ?? "none") : /** @type {AuthMethod} */ (shown[0]) // RFC 8414, 2: basic is the default
}

/**
 * Puts into a request who the client is. Encoded as RFC 6749, 2.3.1 says.
 *
 * @param {Client} client @param {URLSearchParams} body @param {Headers} headers
 */
export function authenticate({ id, secret = "", method }, body, headers) {
  if (method === "client_secret_basic") {
    const pair = [id, secret].map((text) => new URLSearchParams({ "": text }).toString().slice(1)).join(":")
    headers.set("Authorization", `Basic ${btoa(pair)}`)
  } else {
    body.set("client_id", id)
    if (method === "client_secret_post") body.set("client_secret", secret)
  }
}
