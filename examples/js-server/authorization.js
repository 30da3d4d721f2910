// Protects an MCP endpoint request by request, before anything is carried out: what anybody may do needs no token, and
// the rest needs one with the right scopes. Copy it.
//
// (A tool's own `scopeChallenge` in the SDK is for who has a token already; its `requireBearerAuth` is for the whole
// endpoint. This lets anybody read.)
import { bearerAuthChallengeResponse, getOAuthProtectedResourceMetadataUrl, OAuthError, OAuthErrorCode, verifyBearerToken } from "@modelcontextprotocol/server"

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { AuthInfo } from "@modelcontextprotocol/server" */

/**
 * What a decision is made from. A message without a method is an answer to a server's own request; it has no name.
 *
 * @typedef {{method?: string, name?: string, answers: boolean}} Wanted `name`: of the tool or prompt, or the uri of the
 *   resource; `answers`: it brings a person's answers
 */

/**
 * @typedef {object} Options
 * @property {string} resource the endpoint's URL
 * @property {string} issuer the authorization server
 * @property {(token: string) => Promise<AuthInfo>} verify fails on a token that is not good, or not for the resource: see introspection
 * @property {(wanted: Wanted) => [string, ...string[]] | undefined} scopes
 *   what a request needs; undefined lets anybody do it, and then it is done for nobody in particular, even if a token came
 */

/**
 * @param {Options} options
 * @param {(request: IncomingMessage & {auth?: AuthInfo}, response: ServerResponse, body: unknown) => unknown} next
 * @returns {(request: IncomingMessage, response: ServerResponse, body: unknown) => Promise<void>}
 *   the body is JSON that was read before, as limits.js does: the handlers get what the decision was made from
 */
export function protect({ resource, issuer, verify, scopes }, next) {
  const resourceMetadataUrl = getOAuthProtectedResourceMetadataUrl(new URL(resource))
  const { pathname } = new URL(resourceMetadataUrl)
  return async (/** @type {IncomingMessage & {auth?: AuthInfo}} */ request, response, body) => {
    response.setHeader("Access-Control-Expose-Headers", "WWW-Authenticate, Mcp-Session-Id") // or pages cannot sign in
    if (request.url === pathname) {
      response.setHeader("Access-Control-Allow-Origin", "*")
      const document = { resource, authorization_servers: [issuer], bearer_methods_supported: ["header"] }
      return void response.setHeader("Content-Type", "application/json").end(JSON.stringify(document))
    }
    if (request.method === "OPTIONS") return void next(request, response, undefined) // a preflight never has a token
    try {
      const needs = [body].flat().map(wanted).flatMap((one) => scopes(one) ?? []) // a batch needs all of it
      const { authorization } = request.headers
      delete request.headers.authorization
      if (needs.length > 0) request.auth = await signedIn(authorization, [...new Set(needs)])
      await next(request, response, body)
    } catch (error) {
      const { status = 500, headers = {}, text = "" } = error instanceof Refused ? error : {}
      if (!response.headersSent) response.writeHead(status, headers)
      response.end(text)
    }
  }

  /** @param {string | undefined} authorization @param {string[]} requiredScopes */
  async function signedIn(authorization, requiredScopes) {
    try {
      return await verifyBearerToken(authorization, { verifier: { verifyAccessToken: verify }, requiredScopes, resourceMetadataUrl })
    } catch (error) {
      const challenge = bearerAuthChallengeResponse(error, { requiredScopes, resourceMetadataUrl })
      throw new Refused(challenge.status, Object.fromEntries(challenge.headers), await challenge.text())
    }
  }
}

class Refused extends Error {
  /** @param {number} status @param {Record<string, string>} [headers] @param {string} [text] */
  constructor(status, headers, text) {
    super()
    this.status = status
    this.headers = headers
    this.text = text
  }
}

/** @param {any} message @returns {Wanted} */
function wanted(message) {
  const { method, params, result } = message ?? {}
  const name = method === "resources/read" ? params?.uri : params?.name
  return { method, name, answers: params?.inputResponses !== undefined || result !== undefined }
}

/**
 * Verifies tokens by asking the authorization server (RFC 7662), so that one that was revoked is over at once.
 *
 * @param {string} issuer @param {string} id under which this server looks tokens up @param {string} secret
 * @param {string} resource what tokens must be for
 * @returns {Promise<Options["verify"]>}
 */
export async function introspection(issuer, id, secret, resource) {
  const { origin, pathname } = new URL(issuer)
  const metadata = await (await fetch(`${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, "")}`)).json()
  if (metadata.issuer !== issuer || !metadata.introspection_endpoint) throw new Error(`${issuer} does not look tokens up`)
  const credentials = Buffer.from([id, secret].map(encodeURIComponent).join(":")).toString("base64")
  return async (token) => {
    const response = await fetch(metadata.introspection_endpoint, {
      method: "POST",
      headers: { Authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ token }),
    })
    if (!response.ok) throw new Error(`introspection: HTTP status ${response.status}`)
    const { active, aud, sub, scope = "", exp, client_id: clientId = "" } = await response.json()
    if (!active || !sub || ![aud].flat().includes(resource)) throw new OAuthError(OAuthErrorCode.InvalidToken, "the token is not good here")
    return { token, clientId, scopes: scope.split(" "), expiresAt: exp, extra: { user: sub } }
  }
}
