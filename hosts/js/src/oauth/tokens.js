import { authenticate } from "./client.js"
import { SignInError } from "./error.js"
import { refusalIn } from "./http.js"
import { grantedBy, refreshAsks } from "./scopes.js"
import { answered, heardIn, objectOf } from "./refusal-text.js"

/** @import { Client } from "./client.js" */
/** @import { AuthorizationServer } from "./discovery.js" */
/** @import { Send } from "./http.js" */
/** @import { Session } from "./accounts.js" */

/**
 * Tokens as they were given.
 *
 * @typedef {object} Tokens
 * @property {string} access
 * @property {string} [refresh]
 * @property {number} [lifetime] of the access token, in milliseconds
 * @property {string[]} scopes that were granted
 * @property {string} [subject] who signed in, if a valid id_token said so
 */

/** That the authorization server said no, rather than that it is in trouble: asking again would not help. */
export class Refusal extends SignInError {}

/**
 * A place that gives tokens, and who asks there. `key` is in place of a secret.
 *
 * @typedef {{server: AuthorizationServer, client: Client, resource: string, key?: CryptoKey}} Place
 */

/** A kind of request for a token. @typedef {"code" | "refresh" | "credentials" | "assertion"} Grant */

/** The longest token that is accepted, in characters: servers take no longer header fields. */
const longest = 16 << 10

const library = () => import("./protocol.js")

/** Something to send along that nobody can guess. @returns {Promise<{state: string, verifier: string, challenge: string}>} */
export async function secrets() {
  const { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } = await library()
  const verifier = generateRandomCodeVerifier()
  return { state: generateRandomState(), verifier, challenge: await calculatePKCECodeChallenge(verifier) }
}

/**
 * Redeems the code that came back from the browser.
 *
 * @param {Send} send @param {Place & {state: string, verifier: string, redirectUri: string, scopes: string[]}} begun @param {URLSearchParams} answer
 */
export async function redeem(send, begun, answer) {
  const { state, verifier, redirectUri, scopes, ...place } = begun
  checkAnswer(place.server, answer, state, verifier)
  const lib = await library()
  const client = { client_id: place.client.id }
  /** @type {URLSearchParams} */
  let parameters
  try {
    parameters = lib.validateAuthResponse(place.server, client, answer, state)
    if (!parameters.has("code")) throw new Error()
  } catch {
    throw new SignInError("callback", `what came back is no answer to a sign-in: begin again`)
  }
  return tokens(send, place, scopes, [parameters.get("code"), verifier], {}, (auth, options) => lib.authorizationCodeGrantRequest(place.server, client, auth, parameters, redirectUri, verifier, options))
}

/**
 * Whether an answer belongs to what was begun, and whether it says yes.
 *
 * Source: RFC 9207, 2.4: the issuer is compared as it is.
 *
 * @param {AuthorizationServer} server @param {URLSearchParams} answer @param {string} state @param {string} verifier
 */
function checkAnswer({ issuer, authorization_response_iss_parameter_supported: says }, answer, state, verifier) {
  const { host } = new URL(issuer)
  if (answer.get("state") !== state) throw new SignInError("callback", "what came back is not the answer to this sign-in (its state differs)")
  const from = answer.get("iss")
  if (from === null ? says : from !== issuer) throw new SignInError("issuer", `the answer does not say that it is from ${host} (iss, RFC 9207): another server may have sent it`)
  if (!answer.get("error")) return
  const { code, words } = heardIn(answer, [state, verifier, answer.get("code")])
  if (code === "access_denied") throw new SignInError("denied", `${host} did not allow it: it was declined there, or this account may not${words && `. It says: “${words}”`}`, code)
  throw new SignInError("denied", `${host} ended the sign-in with ${answered({ code, words })}`, code)
}

/** Gets new tokens for a refresh token. @param {Send} send @param {Place} place @param {Session} session */
export async function refresh(send, place, session) {
  const lib = await library()
  const { refresh: token = "" } = session
  return renewing(session, (scopes) => tokens(send, place, scopes.length ? scopes : session.scopes, [token, session.access], scoped(scopes), (auth, options) => lib.refreshTokenGrantRequest(place.server, { client_id: place.client.id }, auth, token, options)))
}

/** Asks with the scopes to renew a token with, one after the other. @param {Pick<Session, "scopes" | "asked">} session @param {(scopes: string[]) => Promise<Tokens>} request */
export async function renewing({ scopes, asked }, request) {
  const asks = refreshAsks(scopes, asked)
  const last = asks.pop() ?? []
  for (const ask of asks) {
    try {
      return await request(ask)
    } catch (error) {
      if (!refuses(error, "invalid_scope")) throw error
    }
  }
  return request(last)
}

/** Whether an authorization server refused something with one of these error codes. @param {unknown} error @param {string[]} codes */
export function refuses(error, ...codes) {
  return error instanceof SignInError && error.refused !== undefined && codes.includes(error.refused)
}

/** Gets a token for the client itself. @param {Send} send @param {Place} place @param {string[]} scopes */
export async function clientToken(send, place, scopes) {
  const lib = await library()
  const parameters = new URLSearchParams({ resource: place.resource, ...scoped(scopes) })
  return tokens(send, place, scopes, [], {}, (auth, options) => lib.clientCredentialsGrantRequest(place.server, { client_id: place.client.id }, auth, parameters, options))
}

/** Gets a token for an assertion (RFC 7523). @param {Send} send @param {Place} place @param {string} assertion @param {string[]} scopes */
export async function assertedToken(send, place, assertion, scopes) {
  const lib = await library()
  const parameters = new URLSearchParams({ assertion, resource: place.resource, ...scoped(scopes) })
  return tokens(send, place, scopes, [assertion], {}, (auth, options) => lib.genericTokenEndpointRequest(place.server, { client_id: place.client.id }, auth, "urn:ietf:params:oauth:grant-type:jwt-bearer", parameters, options))
}

/** @param {string[]} scopes @returns {Record<string, string>} */
function scoped(scopes) {
  return scopes.length ? { scope: scopes.join(" ") } : {}
}

/**
 * Makes a token request and reads its answer. Nothing of the library's errors
 * is passed on: they hold what was sent, and what came.
 *
 * @param {Send} send @param {Place} place @param {string[]} asked scopes @param {(string | null)[]} secret what must not come up in an error
 * @param {Record<string, string>} more parameters
 * @param {(auth: import("oauth4webapi").ClientAuth, options: any) => Promise<Response>} request
 * @returns {Promise<Tokens>}
 */
async function tokens(send, place, asked, secret, more, request) {
  const { server, client, resource } = place
  const lib = await library()
  // Each address was checked when it was found.
  const response = await request(authentication(lib, place), { [lib.customFetch]: send, [lib.allowInsecureRequests]: true, additionalParameters: { resource, ...more } })
  const { host } = new URL(server.token_endpoint)
  const json = objectOf(await response.clone().text())
  if (!response.ok || json?.error) throw refused(host, await refusalIn(response, [...secret, client.secret]))
  const { access_token: access, token_type: type, refresh_token: refresh, expires_in: seconds, scope } = json ?? {}
  if (!isToken(access) || !/^bearer$/i.test(String(type ?? "bearer"))) throw new SignInError("token", `${host} gives no bearer token`)
  const lifetime = Number(seconds) > 0 ? Number(seconds) * 1000 : undefined
  return { access, refresh: isToken(refresh) ? refresh : undefined, lifetime, scopes: grantedBy(scope, asked), subject: await subject() }

  /** An id_token is not asked for: one that is not valid counts as none. */
  async function subject() {
    if (typeof json?.id_token !== "string") return
    try {
      const body = { access_token: access, token_type: "bearer", id_token: json.id_token }
      return lib.getValidatedIdTokenClaims(await lib.processGenericTokenEndpointResponse(server, { client_id: client.id }, Response.json(body)))?.sub
    } catch {
      return
    }
  }
}

/** What says no with any status, and what passes by itself (RFC 6749, 5.2 and 4.1.2.1; RFC 8628, 3.5; RFC 8707, 2). */
const final = ["invalid_grant", "invalid_client", "invalid_scope", "invalid_target", "invalid_request", "unauthorized_client", "unsupported_grant_type"]
const passing = ["temporarily_unavailable", "server_error", "slow_down"]

/** @param {string} host @param {import("./refusal-text.js").Heard & {status: number}} refusal */
function refused(host, refusal) {
  const { code, status } = refusal
  const later = status === 429 || (!final.includes(code) && (passing.includes(code) || status >= 500 || status === 408 || status === 425))
  return new (later ? SignInError : Refusal)("token", `${host} gives no token: it answers with ${answered(refusal)}${later ? ": try again later" : ""}`, code || undefined)
}

/**
 * Asks the authorization server to forget a token (RFC 7009): why it does not,
 * if it says.
 *
 * @param {Send} send @param {Place} place @param {string} token
 */
export async function revoke(send, place, token) {
  const lib = await library()
  const response = await lib.revocationRequest(place.server, { client_id: place.client.id }, authentication(lib, place), token, { [lib.customFetch]: send, [lib.allowInsecureRequests]: true })
  if (!response.ok) return `it answers with ${answered(await refusalIn(response, [token, place.client.secret]))}`
}

/** Whether a text can be in a header field: others would come up in the platform's error. @param {unknown} text @returns {text is string} */
export function isToken(text) {
  return typeof text === "string" && text.length <= longest && /^[\x21-\x7e]+$/.test(text)
}

/** @param {Awaited<ReturnType<typeof library>>} lib @param {Place} place @returns {import("oauth4webapi").ClientAuth} */
function authentication(lib, { client, key }) {
  return key ? lib.PrivateKeyJwt(key) : (_server, _client, body, headers) => authenticate(client, body, headers)
}
