import { PARK } from "../calls/askers.js"
import { address, parsed } from "./address.js"
import { clientAt, ownIssuer } from "./client.js"
import { findAuthorizationServer, findResource } from "./discovery.js"
import { SignInError } from "./error.js"
import { account, answerOf, Holder } from "./token-holder.js"
import { linked } from "./linked-signal.js"
import { asksFor, wantsConsent } from "./scopes.js"
import { redeem, refresh, refuses, secrets } from "./tokens.js"

/** @import { Answer, AskContext } from "../calls/askers.js" */
/** @import { ApplicationType, Callback, CallbackWanted, SignIn, SignInOptions, SignInPage } from "./contract.js" */
/** @import { Challenge } from "./challenge.js" */
/** @import { Send } from "./http.js" */
/** @import { Account, Session } from "./accounts.js" */
/** @import { Place } from "./tokens.js" */

/**
 * How a platform shows a page and gets the answer, for one sign-in.
 *
 * @typedef {object} Surface
 * @property {boolean} opens whether it can open a page by itself
 * @property {() => ApplicationType} type
 * @property {(wanted: CallbackWanted) => Callback | Promise<Callback>} callback
 * @property {() => boolean} prepare see Prompt.open
 * @property {(url: string) => boolean} follow see SignInPage.follow
 * @property {(begun: Begun) => void} [begin] gets a sign-in that the next page is to end
 * @property {() => void} end
 */

/** @typedef {{holder: Holder, options: SignInOptions, challenge: Challenge, context: AskContext}} Attempt */

/**
 * A sign-in that waits for its answer. `later` is what to ask for, one after the
 * other, if its scopes are refused.
 *
 * @typedef {Place & {state: string, verifier: string, redirectUri: string, scopes: string[], later: string[][], replaces?: string[], url: string}} Begun
 */

/**
 * What a platform can do: `leave` and `returned` are for those that end a
 * sign-in in another page.
 *
 * @typedef {object} Platform
 * @property {(options: SignInOptions, server: URL) => Surface | Promise<Surface>} surface
 * @property {(server: URL) => Promise<boolean>} [leave]
 * @property {(holder: Holder, signal?: AbortSignal) => Promise<Account | undefined>} [returned]
 */

/** @param {SignInOptions} options @param {Platform} platform @returns {SignIn} */
export function newSignIn(options, platform) {
  checkOptions(options)
  const holder = new Holder(options, {
    obtain: async (challenge, context) => run({ holder, options, challenge, context }, await platform.surface(options, holder.server)),
    renew: (send, place, session) => (session.refresh === undefined ? undefined : refresh(send, place, session)),
  })
  return {
    authorization: (signal) => holder.authorization(signal),
    authorize: (question, context) => holder.authorize(question, context),
    account: () => holder.account(),
    signOut: (options) => holder.signOut(options),
    leave: async () => platform.leave?.(holder.server) ?? false,
    returned: async ({ signal } = {}) => platform.returned?.(holder, signal),
  }
}

/** @param {SignInOptions} options */
function checkOptions({ url, clientMetadataUrl: document, clientSecret, clientId }) {
  const need = (/** @type {unknown} */ fact, /** @type {string} */ words) => {
    if (!fact) throw new TypeError(`parley: signIn needs ${words}`)
  }
  need(/^https?:$/.test(parsed(String(url))?.protocol ?? ""), "the url of the MCP server")
  need(clientId || clientSecret === undefined, "the clientId that clientSecret is of")
  need(document === undefined || /^https:\/\/[^/]+\/./.test(document), "a clientMetadataUrl of https:// with a path")
}

/**
 * One way through a sign-in, from the question to the account.
 *
 * @param {Attempt} attempt @param {Surface} surface @returns {Promise<Answer>}
 */
async function run(attempt, surface) {
  const { holder, options: { ask, open }, challenge: { status, scopes, error }, context } = attempt
  const { href: url, host } = holder.server
  if (!open && !surface.opens) throw new SignInError("nobody", `${host} wants a sign-in: give signIn an \`open\``)
  try {
    if ((await ask?.({ url, host, status, scopes, error, over: status === 401 ? holder.over : undefined, open: () => surface.prepare() }, context)) === PARK) return PARK
    return await begin(attempt, surface)
  } finally {
    surface.end()
  }
}

/** @param {Attempt} attempt @param {Surface} surface @returns {Promise<Answer>} */
async function begin(attempt, surface) {
  const { holder, challenge, context: { signal } } = attempt
  const send = holder.send(signal)
  const { server, resource, scopes: supported } = await discover(attempt, send)
  const { clients, session } = await holder.kept()
  const same = session?.server.issuer === server.issuer
  const replaces = session && !same ? await change(attempt, surface, session, server.issuer) : undefined
  if (replaces === PARK) return PARK
  const before = same && session.resource === resource ? session.scopes : []
  const asks = asksFor({ challenge: challenge.scopes, resource: supported, before, server, person: true })
  const key = (/** @type {string[]} */ scopes) => `${server.issuer} ${scopes.join(" ")}`
  while (asks.length > 1 && holder.refused.has(key(asks[0] ?? []))) asks.shift() // a window cannot be opened twice by one click
  try {
    for (;;) {
      const scopes = asks.shift() ?? []
      try {
        return await visit(attempt, surface, send, { server, resource, scopes, later: asks, replaces, clients })
      } catch (error) {
        if (!asks.length || !refusesScopes(error)) throw error
        holder.refused.add(key(scopes))
      }
    }
  } catch (error) {
    await holder.forget(server.issuer)
    throw error
  }
}

/**
 * Asks whether to sign in elsewhere than before. The labels of the accounts that
 * the new one replaces, at most 16; undefined if nobody was asked.
 *
 * @param {Attempt} attempt @param {Surface} surface @param {Session} before @param {string} issuer
 * @returns {Promise<string[] | typeof PARK | undefined>}
 */
async function change({ holder, options, context }, surface, before, issuer) {
  if (!options.change) return
  surface.end() // an empty window would hide the question
  const answer = await options.change({ host: holder.server.host, account: account(before), issuer }, context)
  return answer === PARK ? PARK : [...(before.replaces ?? []), before.label].slice(-16)
}

/** Whether scopes were refused. Keycloak says not_allowed where somebody may have no offline_access. @param {unknown} error */
export function refusesScopes(error) {
  return refuses(error, "invalid_scope", "not_allowed")
}

/**
 * Sends the person to the authorization server, for some scopes. Of the known
 * clients it knows one more then.
 *
 * @param {Attempt} attempt @param {Surface} surface @param {Send} send
 * @param {Pick<Begun, "server" | "resource" | "scopes" | "later" | "replaces"> & {clients: Record<string, import("./client.js").Client>}} wanted
 * @returns {Promise<Answer>}
 */
async function visit(attempt, surface, send, { clients, ...wanted }) {
  const { server, resource, scopes } = wanted
  const { holder, options, context: { signal } } = attempt
  const made = await secrets()
  const callback = await (options.callback ?? surface.callback)({ state: made.state, last: clients[server.issuer]?.redirectUri, signal })
  callback.response.catch(() => {}) // it is looked at only later
  let signedIn = false
  try {
    const { redirectUri } = callback
    const type = options.callback ? (options.applicationType ?? "native") : surface.type()
    const client = (clients[server.issuer] = await clientAt(send, server, options, clients, { redirectUri, type }))
    const begun = begunWith({ ...wanted, client, redirectUri }, made, holder.server)
    surface.begin?.(begun)
    const { host } = new URL(begun.url)
    const answer = await answerTo(attempt, callback, { url: begun.url, host, issuer: server.issuer, resource, scopes, follow: () => surface.follow(begun.url) })
    if (typeof answer === "symbol") return answer
    const kept = await holder.keep(begun, scopes, await redeem(send, begun, answer))
    signedIn = true
    return answerOf(kept)
  } finally {
    callback.close?.(signedIn)
  }
}

/** @param {Attempt} attempt @param {Send} send */
async function discover(attempt, send) {
  const { holder: { server: mcp }, options: { version }, challenge } = attempt
  const { resource, issuers, scopes } = await findResource(send, mcp, { hint: challenge.metadata, version })
  const issuer = await choose(attempt, issuers)
  const server = await findAuthorizationServer(send, issuer, mcp, version)
  const { host } = new URL(server.issuer)
  if (!server.authorization_endpoint) throw new SignInError("metadata", `${host} has no page to sign in at`)
  if (!server.code_challenge_methods_supported?.includes("S256")) {
    throw new SignInError("metadata", `${host} does not say that it protects sign-ins by PKCE`)
  }
  return { resource, scopes, server }
}

/** @param {Attempt} attempt @param {string[]} issuers @returns {Promise<string>} */
async function choose({ holder, options, context }, issuers) {
  const { clients, session } = await holder.kept()
  const own = ownIssuer(issuers, options, clients, holder.server)
  if (own !== undefined) return own
  const last = issuers.find((one) => one === session?.server.issuer) ?? issuers[0] ?? ""
  const chosen = issuers[1] && options.choose ? await options.choose(issuers, context) : last
  if (!issuers.includes(chosen)) throw new SignInError("issuer", "the chosen authorization server is none of the server's")
  return chosen
}

/**
 * Shows the page until the answer comes: whoever shows it may end it.
 *
 * @param {Attempt} attempt @param {Callback} callback @param {SignInPage} page
 * @returns {Promise<URLSearchParams | symbol>} PARK is the only symbol
 */
async function answerTo({ options, context }, callback, page) {
  const link = linked(context.signal)
  const open = async () => (options.open ? options.open(page, { signal: link.signal }) : follow(page))
  try {
    const parked = open().then((result) => (result === PARK ? PARK : new Promise(() => {})))
    const response = await Promise.race([callback.response, parked, link.ended])
    return typeof response === "symbol" ? response : query(response)
  } finally {
    link.end()
  }
}

/** @param {SignInPage} page */
function follow(page) {
  if (!page.follow()) throw new SignInError("window", `the browser opened no window for ${page.host}: let this page open windows`)
}

/** The query of what was called: all of a URL, or no more than that. @param {string | URL} called */
function query(called) {
  const text = String(called)
  return new URLSearchParams(text.includes("?") ? text.slice(text.indexOf("?") + 1).split("#")[0] : text)
}

/**
 * A sign-in as it begins, with the page that it begins at.
 *
 * @param {Omit<Begun, "state" | "verifier" | "url">} begun @param {Awaited<ReturnType<typeof secrets>>} secrets @param {URL} mcp
 * @returns {Begun}
 */
export function begunWith(begun, { state, verifier, challenge }, mcp) {
  const { server, client, resource, redirectUri, scopes } = begun
  const url = address(server.authorization_endpoint, "the page to sign in at", mcp)
  const parameters = {
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state,
    resource,
    ...(scopes.length && { scope: scopes.join(" ") }),
    ...(wantsConsent(scopes, url) && { prompt: "consent" }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { ...begun, state, verifier, url: url.href }
}
