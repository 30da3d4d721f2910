import { authenticate } from "./oauth-client.js"
import { said, SignInError } from "./oauth-error.js"
import { objectIn } from "./oauth-http.js"

/** @import { Client } from "./oauth-client.js" */
/** @import { AuthorizationServer } from "./oauth-discovery.js" */
/** @import { Send } from "./oauth-http.js" */

/**
 * Tokens as they were given.
 *
 * @typedef {object} Tokens
 * @property {string} access
 * @property {string} [refresh]
 * @property {number} [lifetime] of the access token, in milliseconds
 * @property {string[]} [scopes] if they are not what was asked for
 * @property {string} [subject] who signed in, if a valid id_token said so
 */

/** The authorization server's own no, rather than its silence. */
export class Refusal extends SignInError {}

/** That the authorization server does not know the client. */
export class Unknown extends Refusal {}

/**
 * A place that gives tokens, and who asks there. `key` is in place of a secret.
 *
 * @typedef {{server: AuthorizationServer, client: Client, resource: string, key?: CryptoKey}} Place
 */

/** A kind of request for a token. @typedef {"code" | "refresh" | "credentials" | "assertion"} Grant */

/** The longest token that is accepted, in characters: servers take no longer header fields. */
const longest = 16 << 10

const library = () => import("./oauth-protocol.js")

/** Something to send along that nobody can guess. @returns {Promise<{state: string, verifier: string, challenge: string}>} */
export async function secrets() {
  const { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } = await library()
  const verifier = generateRandomCodeVerifier()
  return { state: generateRandomState(), verifier, challenge: await calculatePKCECodeChallenge(verifier) }
}

/**
 * Redeems the code that came back from the browser.
 *
 * @param {Send} send @param {Place & {state: string, verifier: string, redirectUri: string}} begun @param {URLSearchParams} answer
 */
export async function redeem(send, begun, answer) {
  const { state, verifier, redirectUri, ...place } = begun
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
  return tokens(send, place, [parameters.get("code"), verifier], (auth, options) => lib.authorizationCodeGrantRequest(place.server, client, auth, parameters, redirectUri, verifier, options))
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
  if (answer.get("state") !== state) throw new SignInError("callback", "what came back is not the answer to this sign-in (its state differs): begin again")
  const from = answer.get("iss")
  if (from === null ? says : from !== issuer) throw new SignInError("issuer", `the answer does not say that it is from ${host} (iss, RFC 9207): it is not used, since another server may have sent it`)
  const error = answer.get("error")
  if (error === "access_denied") throw new SignInError("denied", `${host} did not allow it: it was declined there, or this account may not`)
  if (error !== null) throw new SignInError("denied", `${host} ended the sign-in with ${said(error, answer.get("error_description"), [state, verifier])}`)
}

/** Gets new tokens for a refresh token. @param {Send} send @param {Place} place @param {string} token */
export async function refresh(send, place, token) {
  const lib = await library()
  return tokens(send, place, [token], (auth, options) => lib.refreshTokenGrantRequest(place.server, { client_id: place.client.id }, auth, token, options))
}

/** Gets a token for the client itself. @param {Send} send @param {Place} place @param {string[]} scopes */
export async function clientToken(send, place, scopes) {
  const lib = await library()
  const parameters = scoped({ resource: place.resource }, scopes)
  return tokens(send, place, [], (auth, options) => lib.clientCredentialsGrantRequest(place.server, { client_id: place.client.id }, auth, parameters, options))
}

/** Gets a token for an assertion (RFC 7523). @param {Send} send @param {Place} place @param {string} assertion @param {string[]} scopes */
export async function assertedToken(send, place, assertion, scopes) {
  const lib = await library()
  const parameters = scoped({ assertion, resource: place.resource }, scopes)
  return tokens(send, place, [assertion], (auth, options) => lib.genericTokenEndpointRequest(place.server, { client_id: place.client.id }, auth, "urn:ietf:params:oauth:grant-type:jwt-bearer", parameters, options))
}

/** @param {Record<string, string>} parameters @param {string[]} scopes */
function scoped(parameters, scopes) {
  return new URLSearchParams(scopes.length ? { ...parameters, scope: scopes.join(" ") } : parameters)
}

/**
 * Makes a token request and reads its answer. Nothing of the library's errors
 * is passed on: they hold what was sent, and what came.
 *
 * @param {Send} send @param {Place} place @param {(string | null)[]} secret what must not come up in an error
 * @param {(auth: import("oauth4webapi").ClientAuth, options: any) => Promise<Response>} request
 * @returns {Promise<Tokens>}
 */
async function tokens(send, place, secret, request) {
  const { server, client, resource } = place
  const lib = await library()
  // Each address was checked when it was found.
  const response = await request(authentication(lib, place), { [lib.customFetch]: send, [lib.allowInsecureRequests]: true, additionalParameters: { resource } })
  const { host } = new URL(server.token_endpoint)
  const json = await objectIn(response)
  if (!response.ok || !json) {
    const hidden = [...secret, client.secret]
    const why = json?.error === undefined ? `HTTP status ${response.status}` : said(json.error, json.error_description, hidden)
    const detail = `${host} gives no token: it answers with ${why}`
    const Why = json?.error === "invalid_client" ? Unknown : [400, 401, 403].includes(response.status) ? Refusal : SignInError
    throw new Why("token", detail)
  }
  const bare = { ...json, id_token: undefined }
  const process = (/** @type {unknown} */ body) => lib.processGenericTokenEndpointResponse(server, { client_id: client.id }, Response.json(body))
  try {
    const given = await process(bare)
    if (given.token_type !== "bearer" || !isToken(given.access_token)) throw new Error()
    return { access: given.access_token, refresh: isToken(given.refresh_token) ? given.refresh_token : undefined, lifetime: given.expires_in && given.expires_in * 1000, scopes: given.scope === undefined ? undefined : scopesIn(given.scope), subject: await subject() }
  } catch {
    throw new SignInError("token", `${host} gives something that is no bearer token: tell its operator`)
  }

  /** An id_token is not asked for: one that is not valid counts as none. */
  async function subject() {
    if (json?.id_token === undefined) return
    try {
      return lib.getValidatedIdTokenClaims(await process(json))?.sub
    } catch {
      return
    }
  }
}

/**
 * Asks the authorization server to forget a token (RFC 7009).
 *
 * @param {Send} send @param {Place} place @param {string} token
 */
export async function revoke(send, place, token) {
  const lib = await library()
  return (await lib.revocationRequest(place.server, { client_id: place.client.id }, authentication(lib, place), token, { [lib.customFetch]: send, [lib.allowInsecureRequests]: true })).ok
}

/** Whether a text can be in a header field: others would come up in the platform's error. @param {unknown} text @returns {text is string} */
export function isToken(text) {
  return typeof text === "string" && text.length <= longest && /^[\x21-\x7e]+$/.test(text)
}

/** The scopes of a list, as far as they are some (RFC 6749, 3.3). @param {unknown} text */
export function scopesIn(text) {
  return typeof text === "string" ? [...new Set(text.split(" "))].filter((scope) => /^[!#-[\]-~]{1,256}$/.test(scope)).slice(0, 64) : []
}

/** @param {Awaited<ReturnType<typeof library>>} lib @param {Place} place @returns {import("oauth4webapi").ClientAuth} */
function authentication(lib, { client, key }) {
  return key ? lib.PrivateKeyJwt(key) : (_server, _client, body, headers) => authenticate(client, body, headers)
}
