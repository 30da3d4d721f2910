import { PARK } from "../calls/askers.js"
import { challengeOf } from "./challenge.js"
import { SignInError } from "./error.js"
import { isToken } from "./tokens.js"

/** @import { Credentials } from "./contract.js" */
/** @import { Challenge } from "./challenge.js" */

/** What a provider is told about a challenge; the shape is the official SDK's. @typedef {{response: Response, serverUrl: URL, fetchFn: typeof fetch, scope?: string, resourceMetadataUrl?: URL}} ChallengeContext */

/**
 * The official SDK's AuthProvider. `onInsufficientScope` is ours: who has it is
 * asked for more rights.
 *
 * @typedef {object} AuthProvider
 * @property {() => Promise<string | undefined>} token
 * @property {(context: any) => Promise<void>} [onUnauthorized] gets a {@link ChallengeContext}
 * @property {(context: ChallengeContext) => Promise<void>} [onInsufficientScope]
 */

/**
 * The official SDK's OAuthClientProvider, as far as it is looked at here: the
 * rest is between it and the SDK's `auth`.
 *
 * @typedef {object} OAuthClientProvider
 * @property {() => {access_token: string} | undefined | Promise<{access_token: string} | undefined>} tokens
 * @property {(url: URL) => void | Promise<void>} redirectToAuthorization
 */

/**
 * @typedef {object} ProviderOptions
 * @property {string | URL} url of the MCP server
 * @property {(provider: any, options: any) => Promise<"AUTHORIZED" | "REDIRECT">} [auth] the SDK's own function, for an OAuthClientProvider
 * @property {(context: {signal: AbortSignal}) => Promise<string | URL | URLSearchParams>} [answer]
 *   waits for what comes back after the provider has sent the person to sign in: its URL or query. Whoever gives it
 *   compares the state. If absent, the call is parked then
 * @property {typeof fetch} [fetch]
 */

/**
 * Lets what a host has for the official SDK sign in here.
 *
 * @param {AuthProvider | OAuthClientProvider} provider
 * @param {ProviderOptions} options
 * @returns {Credentials}
 */
export function provider(provider, { url, auth, answer, fetch: given }) {
  const serverUrl = new URL(url)
  const fetchFn = given ?? ((...request) => fetch(...request))
  if ("tokens" in provider && !auth) throw new TypeError("parley: an OAuthClientProvider needs the `auth` of the SDK that it is for")
  return {
    async authorization() {
      const token = "tokens" in provider ? (await provider.tokens())?.access_token : await provider.token()
      if (token !== undefined && !isToken(token)) throw new SignInError("token", "the provider gives a token that cannot be in a header field")
      return token && `Bearer ${token}`
    },
    async authorize(question, { signal }) {
      const challenge = challengeOf(question)
      if (!("tokens" in provider)) return asked(provider, challenge, { ...context(challenge), serverUrl, fetchFn })
      const { scope, resourceMetadataUrl } = context(challenge)
      const options = { serverUrl, fetchFn, scope, resourceMetadataUrl }
      if ((await auth?.(provider, { ...options, forceReauthorization: challenge.status === 403 })) === "AUTHORIZED") return {}
      if (!answer) return PARK
      const called = await answer({ signal })
      const { searchParams } = called instanceof URLSearchParams ? { searchParams: called } : new URL(called, "http://query")
      const code = searchParams.get("code")
      if (code === null) throw new SignInError("denied", `nobody signed in to ${serverUrl.host}: no code came back`)
      if ((await auth?.(provider, { ...options, authorizationCode: code, iss: searchParams.get("iss") ?? undefined })) !== "AUTHORIZED") throw new SignInError("token", `nobody is signed in to ${serverUrl.host} even now: the provider wants to begin again`)
      return {}
    },
  }
}

/** @param {AuthProvider} provider @param {Challenge} challenge @param {ChallengeContext} context */
async function asked(provider, { status, scopes }, context) {
  const { host } = context.serverUrl
  if (status === 401) {
    if (!provider.onUnauthorized) throw new SignInError("nobody", `${host} wants somebody to sign in, and the provider cannot (it has no onUnauthorized)`)
    await provider.onUnauthorized(context)
  } else {
    if (!provider.onInsufficientScope) throw new SignInError("nobody", `${host} wants more rights${scopes.length ? ` (${scopes.join(" ")})` : ""}, and the provider cannot ask for them (it has no onInsufficientScope)`)
    await provider.onInsufficientScope(context)
  }
  return {}
}

/** A response like the one that was challenged by. @param {Challenge} challenge */
function context({ status, text, scopes, metadata }) {
  const response = new Response(null, { status, headers: text ? { "WWW-Authenticate": text } : {} })
  return { response, scope: scopes.join(" ") || undefined, resourceMetadataUrl: metadata === undefined ? undefined : new URL(String(metadata)) }
}
