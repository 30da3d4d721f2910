// Signing in, from Node, at an authorization server of the test.
import test from "node:test"

import { PARK } from "../dist/node.js"
import { bearer, clientCredentials, memoryAccounts, provider, signIn } from "../dist/oauth/node.js"
import { contains, equal, ok, thrown } from "./assert.js"
import { authorizationServer, browse, challenged, protectedServer, waiting } from "./oauth-servers.js"

/** @import { TestContext } from "node:test" */
/** @import { Prompt, SignInOptions, SignInPage } from "../dist/oauth/node.js" */

/** @param {TestContext} t @param {Parameters<typeof authorizationServer>[1]} [habits] @param {Record<string, unknown>} [metadata] */
async function both(t, habits, metadata) {
  const as = await authorizationServer(t, habits)
  const mcp = await protectedServer(t, [as.origin], { metadata })
  return { as, mcp }
}

const open = (/** @type {SignInPage} */ { url }) => void browse(url)

test("a challenge leads to a token, a client that registered itself, and an account", async (t) => {
  const { as, mcp } = await both(t, {}, { scopes_supported: ["read"] })
  /** @type {(Prompt | SignInPage)[]} */
  const shown = []
  const login = signIn({ url: mcp.url, ask: (prompt) => void shown.push(prompt), open: (page) => (shown.push(page), open(page)) })
  equal(await login.authorization(), undefined, "before")
  equal(await login.account(), undefined, "before")
  const { account } = /** @type {{account: string}} */ (await login.authorize(challenged({ status: 401 }), waiting()))
  equal(await login.authorization(), `Bearer ${as.secrets.find((one) => one.startsWith("access"))}`)
  const [prompt, page] = shown
  equal(prompt, { url: mcp.url, host: new URL(mcp.url).host, status: 401, scopes: [] })
  equal({ ...page, url: "" }, { url: "", host: new URL(as.origin).host, issuer: as.origin, resource: mcp.url, scopes: ["read"] })
  const { clientId, ...known } = (await login.account()) ?? { clientId: "" }
  equal(known, { label: account, issuer: as.origin, resource: mcp.url, scopes: ["read"] })
  ok(clientId.startsWith("client-"), "the id that it got")
  const registered = JSON.parse(as.seen.find(({ path }) => path === "/register")?.body ?? "{}")
  equal({ ...registered, redirect_uris: [] }, { client_name: "Parley", redirect_uris: [], grant_types: ["authorization_code", "refresh_token"], response_types: ["code"], token_endpoint_auth_method: "none", application_type: "native" })
  contains(registered.redirect_uris[0], /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  const [authorization, token] = [as.seen.find(({ path }) => path === "/authorize")?.query, as.seen.find(({ path }) => path === "/token")?.form]
  equal([authorization?.get("resource"), token?.get("resource")], [mcp.url, mcp.url])
  equal([authorization?.get("code_challenge_method"), authorization?.get("scope")], ["S256", "read"])
})

test("a token is refreshed in silence, for the same resource, before anybody is asked", async (t) => {
  const { as, mcp } = await both(t)
  let asked = 0
  const login = signIn({ url: mcp.url, ask: () => void asked++, open })
  const first = await login.authorize(challenged({ status: 401 }), waiting())
  const before = await login.authorization()
  equal(await login.authorize(challenged({ status: 401, error: "invalid_token" }), waiting()), first, "the same account")
  ok((await login.authorization()) !== before, "another token")
  equal(asked, 1, "who was asked")
  const refresh = as.seen.filter(({ path }) => path === "/token").at(-1)?.form
  equal([refresh?.get("grant_type"), refresh?.get("resource")], ["refresh_token", mcp.url])
  await login.authorize(challenged({ status: 401, error: "invalid_token" }), waiting())
  equal(asked, 2, "a token that is refused as soon as it came in silence")
})

test("a token that is about to end is refreshed before it is sent", async (t) => {
  const { as, mcp } = await both(t, { tokens: { expires_in: 0.001 } })
  const login = signIn({ url: mcp.url, open })
  await login.authorize(challenged({ status: 401 }), waiting())
  await new Promise((resolve) => setTimeout(resolve, 5))
  equal(await login.authorization(), `Bearer ${as.secrets.filter((one) => one.startsWith("access"))[1]}`)
})

test("two that share a store and refresh one token at once make one request", async (t) => {
  const { as, mcp } = await both(t)
  const store = memoryAccounts()
  const [one, other] = [signIn({ url: mcp.url, store, open }), signIn({ url: mcp.url, store, open })]
  await one.authorize(challenged({ status: 401 }), waiting())
  await Promise.all([one.authorization(), other.authorization()])
  const answers = await Promise.all([one, other].map((login) => login.authorize(challenged({ status: 401 }), waiting())))
  equal(answers[0], answers[1])
  equal(await one.authorization(), await other.authorization())
  equal(as.seen.filter(({ form }) => form.get("grant_type") === "refresh_token").length, 1)
})

test("a store's own lock is the one that is used", async (t) => {
  const { mcp } = await both(t)
  let locked = 0
  const login = signIn({ url: mcp.url, store: { ...memoryAccounts(), lock: (_, run) => (locked++, run()) }, open })
  await login.authorize(challenged({ status: 401 }), waiting())
  equal(locked, 1, "changes of the store")
})

test("in a store that cannot lock, who comes too late takes the token of the other", async (t) => {
  const { as, mcp } = await both(t)
  const shared = memoryAccounts()
  /** @type {import("../dist/oauth/node.js").AccountStore} */
  const store = { ...shared, lock: (_, run) => run() }
  const [one, other] = [signIn({ url: mcp.url, store, open }), signIn({ url: mcp.url, store, open })]
  await one.authorize(challenged({ status: 401 }), waiting())
  await Promise.all([one.authorization(), other.authorization()])
  await Promise.all([one, other].map((login) => login.authorize(challenged({ status: 401 }), waiting())))
  equal(await one.authorization(), await other.authorization(), "both have what the winner got")
  equal(as.seen.filter(({ path }) => path === "/authorize").length, 1, "nobody was asked again")
})

test("more rights are asked for together with those that were granted, and after a restart, too", async (t) => {
  const { as, mcp } = await both(t)
  const store = memoryAccounts()
  /** @type {string[][]} */
  const wanted = []
  const login = () => signIn({ url: mcp.url, store, open: (page) => (wanted.push(page.scopes), open(page)) })
  const first = login()
  const account = await first.authorize(challenged({ status: 401, scope: "read" }), waiting())
  const second = login()
  await second.authorization()
  equal(await second.authorize(challenged({ status: 403, error: "insufficient_scope", scope: "write" }), waiting()), account, "the same account")
  equal(wanted, [["read"], ["read", "write"]])
  equal((await second.account())?.scopes, ["read", "write"])
  equal(as.seen.filter(({ path }) => path === "/register").length, 1, "the client is known by then")
  await second.authorization()
  contains((await thrown(() => second.authorize(challenged({ status: 403, scope: "write" }), waiting()), "granted already")).message, "wants the scope write, which was granted already")
})

test("scopes that were refused are not asked for first again", async (t) => {
  const { as, mcp } = await both(t, {
    metadata: { scopes_supported: ["read", "offline_access"] },
    callback: (url) => { if (as.seen.at(-1)?.query.get("scope")?.includes("offline_access")) url.searchParams.set("error", "invalid_scope") },
  }, { scopes_supported: ["read"] })
  /** @type {string[]} */
  const pages = []
  let blocked = true
  const login = signIn({
    url: mcp.url,
    open(page) {
      pages.push(page.scopes.join(" "))
      if (pages.length === 2 && blocked) throw new Error("no window")
      return open(page)
    },
  })
  contains((await thrown(() => login.authorize(challenged({ status: 401 }), waiting()), "a window")).message, "no window")
  blocked = false
  await login.authorize(challenged({ status: 401 }), waiting())
  equal(pages, ["read offline_access", "read", "read"])
})

test("a person may refuse, park, and change their mind when they see where it leads", async (t) => {
  const { as, mcp } = await both(t)
  const no = new Error("no")
  const run = (/** @type {Partial<SignInOptions>} */ options) => signIn({ url: mcp.url, open: () => {}, ...options }).authorize(challenged({ status: 401 }), waiting())
  equal(await thrown(() => run({ ask: () => Promise.reject(no) }), "refused"), no)
  equal(await run({ ask: () => PARK }), PARK)
  equal(mcp.seen.length, 0, "nothing was looked up")
  equal(await run({ open: () => PARK }), PARK)
  equal(await thrown(() => run({ open: () => Promise.reject(no) }), "closed"), no)
  equal(as.paths().includes("GET /authorize"), false, "nobody was sent there")
  contains((await thrown(() => signIn({ url: mcp.url }).authorize(challenged({ status: 401 }), waiting()), "nobody")).message, "give signIn an `open`")
})

test("a question that is moot ends the sign-in, and its port", async (t) => {
  const { mcp } = await both(t)
  const over = new AbortController()
  let url = ""
  const login = signIn({ url: mcp.url, open: (page) => ((url = page.url), over.abort(new Error("moot"))) })
  equal((await thrown(() => login.authorize(challenged({ status: 401 }), { signal: over.signal }), "moot")).message, "moot")
  const callback = new URL(url).searchParams.get("redirect_uri") ?? ""
  ok(await thrown(() => fetch(callback), "the port"), "nobody listens there")
})

test("signing out revokes both tokens, and the next account has another label", async (t) => {
  const { as, mcp } = await both(t)
  const login = signIn({ url: mcp.url, open })
  const first = await login.authorize(challenged({ status: 401 }), waiting())
  equal(await login.signOut(), { revoked: true })
  equal(as.seen.filter(({ path }) => path === "/revoke").map(({ form }) => form.get("token")?.split("-")[0]).sort(), ["access", "refresh"])
  equal([await login.account(), await login.authorization()], [undefined, undefined])
  ok((await login.authorize(challenged({ status: 401 }), waiting())) !== first, "another label")
})

test("a client that was configured comes before one of a document, and that before one that registers itself", async (t) => {
  const { as, mcp } = await both(t, { metadata: { client_id_metadata_document_supported: true, token_endpoint_auth_methods_supported: ["client_secret_basic"] } })
  const clientMetadataUrl = "https://example.com/client.json"
  await signIn({ url: mcp.url, clientId: "a/b", clientSecret: "s:t", clientMetadataUrl, open }).authorize(challenged({ status: 401 }), waiting())
  equal(as.seen.find(({ path }) => path === "/authorize")?.query.get("client_id"), "a/b")
  equal(atob(as.seen.find(({ path }) => path === "/token")?.authorization?.replace("Basic ", "") ?? ""), "a%2Fb:s%3At")
  await signIn({ url: mcp.url, clientMetadataUrl, open }).authorize(challenged({ status: 401 }), waiting())
  equal(as.seen.filter(({ path }) => path === "/authorize")[1]?.query.get("client_id"), clientMetadataUrl)
  equal(as.paths().includes("POST /register"), false)
})

test("of several authorization servers one is chosen", async (t) => {
  const [one, other] = [await authorizationServer(t), await authorizationServer(t)]
  const mcp = await protectedServer(t, [one.origin, other.origin])
  const login = signIn({ url: mcp.url, choose: (issuers) => issuers[1] ?? "", open })
  await login.authorize(challenged({ status: 401 }), waiting())
  equal((await login.account())?.issuer, other.origin)
  equal(one.seen.length, 0, "requests at the other")
  contains((await thrown(() => signIn({ url: mcp.url, choose: () => "https://example.com", open }).authorize(challenged({ status: 401 }), waiting()), "a stranger")).message, "is none of the server's")
})

test("a server that moves to another authorization server gets a client of its own there, and another label", async (t) => {
  const [one, other] = [await authorizationServer(t), await authorizationServer(t)]
  const issuers = [one.origin]
  const mcp = await protectedServer(t, issuers)
  const login = signIn({ url: mcp.url, open })
  const first = await login.authorize(challenged({ status: 401 }), waiting())
  await login.authorization()
  issuers[0] = other.origin
  one.refreshes.clear()
  ok(JSON.stringify(await login.authorize(challenged({ status: 401 }), waiting())) !== JSON.stringify(first), "another label")
  equal(other.seen.find(({ path }) => path === "/authorize")?.query.get("client_id") === one.seen.find(({ path }) => path === "/authorize")?.query.get("client_id"), false)
})

test("a client that nobody got in with registers itself anew, and the account stays the same", async (t) => {
  let declines = false
  const { as, mcp } = await both(t, { callback: (url) => { if (declines) url.searchParams.set("error", "server_error") } })
  const login = signIn({ url: mcp.url, open })
  const account = await login.authorize(challenged({ status: 401, scope: "a" }), waiting())
  await login.authorization()
  declines = true
  await thrown(() => login.authorize(challenged({ status: 403, scope: "b" }), waiting()), "forgotten there, say")
  declines = false
  equal(await login.authorize(challenged({ status: 403, scope: "b" }), waiting()), account)
  equal(as.paths().filter((path) => path === "POST /register").length, 2)
})

test("an id_token that is not valid says nothing of who it is", async (t) => {
  const { mcp } = await both(t, { tokens: { id_token: "e30.e30.x" } })
  const login = signIn({ url: mcp.url, open })
  await login.authorize(challenged({ status: 401 }), waiting())
  equal((await login.account())?.subject, undefined)
})

test("a server of 2025-03-26 need not say where to sign in", async (t) => {
  const as = await authorizationServer(t, { instead: ({ path }, response) => path.startsWith("/.well-known/") && response.writeHead(404).end() })
  const login = (/** @type {string | undefined} */ version) => signIn({ url: `${as.origin}/mcp`, version, open })
  contains((await thrown(() => login(undefined).authorize(challenged({ status: 401 }), waiting()), "later ones")).message, "protected-resource metadata (RFC 9728)")
  await login("2025-03-26").authorize(challenged({ status: 401 }), waiting())
})

test("a program signs in as itself, and again when its token ends", async (t) => {
  const { as, mcp } = await both(t)
  const login = clientCredentials({ url: mcp.url, clientId: "c", clientSecret: "s", scopes: ["read"] })
  const first = await login.authorize(challenged({ status: 401 }), waiting())
  const before = await login.authorization()
  equal(await login.authorize(challenged({ status: 401 }), waiting()), first)
  ok((await login.authorization()) !== before, "another token")
  equal(as.seen.filter(({ path }) => path === "/token").map(({ form }) => [form.get("grant_type"), form.get("scope"), form.get("resource")]), [["client_credentials", "read", mcp.url], ["client_credentials", "read", mcp.url]])
})

test("a token of the host's own: fixed, and changing", async () => {
  const fixed = bearer("abc", { url: "https://example.com/mcp" })
  equal(await fixed.authorization(), "Bearer abc")
  contains((await thrown(() => fixed.authorize(challenged({ status: 401 }), waiting()), "refused")).message, "example.com does not accept the token")
  contains((await thrown(() => fixed.authorize(challenged({ status: 403, scope: "write" }), waiting()), "too little")).message, "more rights (write)")
  let token = "a"
  const changing = bearer(() => token)
  await changing.authorization()
  token = "b"
  equal(await changing.authorize(challenged({ status: 401 }), waiting()), {})
  const broken = await thrown(() => bearer("secret\n").authorization(), "a line end")
  equal(/secret/.test(broken.message), false, "the token in the error")
})

test("what a host has for the official SDK signs in here", async (t) => {
  const { auth } = await import("@modelcontextprotocol/client")
  let token = "a"
  const simple = provider({ token: async () => token, onUnauthorized: async ({ response }) => void (token = response.headers.get("WWW-Authenticate") ?? ""), onInsufficientScope: async ({ scope = "" }) => void (token = scope) }, { url: "https://example.com/mcp" })
  await simple.authorize(challenged({ status: 401, challenge: "Bearer" }), waiting())
  equal(await simple.authorization(), "Bearer Bearer")
  await simple.authorize(challenged({ status: 403, challenge: "Bearer", scope: "write" }), waiting())
  equal(await simple.authorization(), "Bearer write")

  const { mcp } = await both(t)
  let verifier = ""
  /** @type {any} */
  let client
  /** @type {any} */
  let tokens
  let called = ""
  const oauth = {
    redirectUrl: "http://127.0.0.1:1/callback",
    clientMetadata: { redirect_uris: ["http://127.0.0.1:1/callback"], client_name: "Test" },
    clientInformation: () => client,
    saveClientInformation: (/** @type {unknown} */ saved) => void (client = saved),
    tokens: () => tokens,
    saveTokens: (/** @type {unknown} */ saved) => void (tokens = saved),
    async redirectToAuthorization(/** @type {URL} */ url) {
      called = (await fetch(url, { redirect: "manual" })).headers.get("Location") ?? ""
    },
    saveCodeVerifier: (/** @type {string} */ saved) => void (verifier = saved),
    codeVerifier: () => verifier,
  }
  equal(await provider(oauth, { url: mcp.url, auth }).authorize(challenged({ status: 401 }), waiting()), PARK, "until somebody brings the code")
  const whole = provider(oauth, { url: mcp.url, auth, answer: async () => called })
  equal(await whole.authorize(challenged({ status: 401 }), waiting()), {})
  contains(await whole.authorization(), /^Bearer access-/)
})

test("options that cannot be meant are refused at once", async () => {
  const url = "https://example.com/mcp"
  for (const options of [{ url: "nowhere" }, { url, clientSecret: "s" }, { url, clientMetadataUrl: "http://example.com/c" }, { url, clientMetadataUrl: "https://example.com" }]) {
    contains((await thrown(() => signIn(options), JSON.stringify(options))).message, /^parley: /)
  }
})
