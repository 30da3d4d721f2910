import { authenticate, givenClient, ownIssuer } from "./client.js"
import { findAuthorizationServer, findResource } from "./discovery.js"
import { SignInError } from "./error.js"
import { answerOf, Holder } from "./token-holder.js"
import { objectIn, refusalIn, sender } from "./http.js"
import { asksFor } from "./scopes.js"
import { assertedToken, clientToken, isToken, renewing } from "./tokens.js"
import { answered } from "./refusal-text.js"
import { address } from "./address.js"

/** @import { SignIn } from "./contract.js" */
/** @import { Send } from "./http.js" */
/** @import { AccountStore } from "./accounts.js" */
/** @import { Place, Tokens } from "./tokens.js" */

/**
 * A client that nobody signs in for. It is registered beforehand.
 *
 * @typedef {object} MachineOptions
 * @property {string | URL} url of the MCP server, as given to fetchTransport
 * @property {string} clientId
 * @property {string} [clientSecret]
 * @property {CryptoKey} [clientKey] in place of the secret: signs who this is (private_key_jwt)
 * @property {string} [issuer] the one authorization server that clientId belongs to
 * @property {string[]} [scopes] what to ask for; if absent, what the server says it wants
 * @property {AccountStore} [store] in memory if absent
 * @property {string} [version] "2025-03-26" for a server that is known to speak no later version
 * @property {typeof fetch} [fetch] makes the requests, and decides alone where they may go. If absent, none goes into the private network unless the server is in there
 * @property {number} [timeout] of each request, in milliseconds; 30,000 if absent
 */

/**
 * Signs in a program as itself, by the client credentials grant.
 *
 * @param {MachineOptions} options
 * @returns {SignIn}
 */
export function clientCredentials(options) {
  return machine(options, (send, place, scopes) => clientToken(send, place, scopes))
}

/** What an assertion has to be good for. @typedef {{issuer: string, resource: string, scopes: string[], signal?: AbortSignal}} AssertionWanted */

/**
 * Signs in by what a company's identity provider says about a person
 * (io.modelcontextprotocol/enterprise-managed-authorization): `assertion` gets
 * its word for this server, as {@link identityAssertion} does.
 *
 * @param {MachineOptions & {assertion: (wanted: AssertionWanted) => Promise<string>}} options
 * @returns {SignIn}
 */
export function enterprise(options) {
  return machine(options, async (send, place, scopes, signal) => {
    const assertion = await options.assertion({ issuer: place.server.issuer, resource: place.resource, scopes, signal })
    return assertedToken(send, place, assertion, scopes)
  })
}

/**
 * @typedef {object} IdentityProvider
 * @property {string} tokenEndpoint of the company's identity provider
 * @property {string} clientId of this program there
 * @property {string} [clientSecret]
 * @property {string} idToken of the person
 * @property {typeof fetch} [fetch]
 * @property {number} [timeout]
 */

/**
 * Exchanges a person's id_token for the word of their company's identity
 * provider (ID-JAG, by RFC 8693).
 *
 * @param {IdentityProvider} provider @param {AssertionWanted} wanted
 */
export async function identityAssertion({ tokenEndpoint, clientId: id, clientSecret: secret, idToken, ...options }, { issuer, resource, scopes, signal }) {
  const url = address(tokenEndpoint, "the token endpoint of the identity provider", new URL(tokenEndpoint))
  const body = new URLSearchParams({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    requested_token_type: "urn:ietf:params:oauth:token-type:id-jag",
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    subject_token: idToken,
    audience: issuer,
    resource,
    ...(scopes.length && { scope: scopes.join(" ") }),
  })
  const headers = new Headers({ Accept: "application/json" })
  authenticate({ how: "given", id, secret, method: secret ? "client_secret_basic" : "none" }, body, headers)
  const response = await sender(options, signal)(url.href, { method: "POST", headers, body })
  const refuse = (/** @type {string} */ why) => new SignInError("token", `the identity provider ${url.host} does not vouch for the person: it answers with ${why}`)
  if (!response.ok) throw refuse(answered(await refusalIn(response, [idToken, secret])))
  const { access_token: token } = (await objectIn(response)) ?? {}
  if (!isToken(token)) throw refuse(`HTTP status ${response.status}`)
  return token
}

/** @param {MachineOptions} options @param {(send: Send, place: Place, scopes: string[], signal?: AbortSignal) => Promise<Tokens>} request @returns {SignIn} */
function machine(options, request) {
  if (!options.clientId) throw new TypeError("parley: a program that signs in as itself needs a clientId")
  const holder = new Holder(options, {
    async obtain(challenge, { signal }) {
      const { server: mcp } = holder
      const send = holder.send(signal)
      const found = await findResource(send, mcp, { hint: challenge.metadata, version: options.version })
      const issuer = ownIssuer(found.issuers, options, (await holder.kept()).clients, mcp) ?? found.issuers[0] ?? ""
      const server = await findAuthorizationServer(send, issuer, mcp, options.version)
      const client = givenClient(server, options)
      if (!client) throw new TypeError("parley: a program that signs in as itself needs a clientId")
      const place = { server, client, resource: found.resource, key: options.clientKey }
      const { session } = await holder.kept()
      const before = session?.server.issuer === server.issuer && session.resource === found.resource ? session.scopes : []
      const wanted = options.scopes ? [...options.scopes, ...(challenge.status === 403 ? challenge.scopes : [])] : challenge.scopes
      const [scopes = []] = asksFor({ challenge: wanted, resource: options.scopes ? [] : found.scopes, before, server, person: false })
      return answerOf(await holder.keep(place, scopes, await request(send, place, scopes, signal)))
    },
    renew: (send, place, session) => renewing(session, (scopes) => request(send, place, scopes)),
  })
  return {
    authorization: (signal) => holder.authorization(signal),
    authorize: (question, context) => holder.authorize(question, context),
    account: () => holder.account(),
    signOut: (options) => holder.signOut(options),
    leave: async () => false,
    returned: async () => undefined,
  }
}
