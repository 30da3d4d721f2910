// Signing in where somebody lies, is slow or is broken: each case has a sentence of
// its own, and what is secret goes nowhere. The servers say what has reached them.
import test from "node:test"

import { memoryAccounts, signIn } from "../dist/oauth/node.js"
import { contains, equal, ok, thrown } from "./assert.js"
import { authorizationServer, browse, challenged, json, protectedServer, serve, waiting } from "./oauth-servers.js"

/** @import { ServerResponse } from "node:http" */
/** @import { SignInOptions } from "../dist/oauth/node.js" */
/** @import { Answers, Habits, Served } from "./oauth-servers.js" */

/**
 * @typedef {object} Case
 * @property {Habits} [as] of the authorization server
 * @property {(stranger: string, as: string) => Record<string, unknown>} [metadata] of the MCP server
 * @property {Answers} [mcp]
 * @property {(mcp: string, stranger: string) => Record<string, unknown>} [challenge]
 * @property {Partial<SignInOptions>} [options]
 * @property {string} code
 * @property {RegExp} says
 * @property {string[]} [reached] what the authorization server gets, if not all up to the token; without its metadata
 */

const long = "x".repeat(10 << 20)

/** @type {Answers} */
const tooMuch = (_, response) => {
  response.on("error", () => {})
  response.writeHead(200, { "Content-Type": "application/json" }).end(`{"a":"${long}"}`)
  return true
}

const none = /** @type {string[]} */ ([])
const upToCode = ["POST /register", "GET /authorize"]

/** @type {Record<string, Case>} */
const cases = {
  "metadata of another origin": {
    challenge: (_, stranger) => ({ resource_metadata: `${stranger}/.well-known/oauth-protected-resource` }),
    code: "metadata",
    says: /says that its metadata is at .*, which is not its own/,
    reached: none,
  },
  "a challenge whose metadata is nowhere": { challenge: () => ({ resource_metadata: "::" }), code: "address", says: /the address of its metadata, “::”, is not a URL, or too long: nothing is sent there/, reached: none },
  "a challenge whose metadata is no text": { challenge: () => ({ resource_metadata: 7 }), code: "address", says: /is not a URL, or too long/, reached: none },
  "a challenge of 1 MB": { challenge: (mcp) => ({ resource_metadata: `${mcp}/${"x".repeat(1 << 20)}` }), code: "address", says: /is not a URL, or too long/, reached: none },
  "a challenge whose metadata is a script": { challenge: () => ({ resource_metadata: "javascript:alert(1)" }), code: "address", says: /is not https/, reached: none },
  "metadata of another resource": { metadata: (stranger) => ({ resource: `${stranger}/mcp` }), code: "metadata", says: /is for “http.*\/mcp”, not for /, reached: none },
  "metadata of a neighbour": { metadata: () => ({ resource: "http://127.0.0.1/mcp-of-another" }), code: "metadata", says: /, not for http/, reached: none },
  "metadata that names no resource": { metadata: () => ({ resource: undefined }), code: "metadata", says: /, not for http/, reached: none },
  "metadata without an authorization server": { metadata: () => ({ authorization_servers: [] }), code: "metadata", says: /names no authorization server: tell its operator/, reached: none },
  "no metadata": { mcp: (_, response) => response.writeHead(404).end(), code: "metadata", says: /has to publish protected-resource metadata \(RFC 9728\) at http/, reached: none },
  "metadata that fails": { mcp: (_, response) => response.writeHead(503).end(), code: "unreachable", says: /answers with HTTP status 503: try again later/, reached: none },
  "metadata that is not JSON": { mcp: (_, response) => response.writeHead(200, { "Content-Type": "application/json" }).end("<!doctype html>"), code: "metadata", says: /holds no JSON object: tell its operator/, reached: none },
  "metadata of 10 MB": { mcp: tooMuch, code: "metadata", says: /answered with more than 1 MB/, reached: none },
  "metadata that is elsewhere": {
    mcp: (_, response) => response.writeHead(302, { Location: "https://example.com/" }).end(),
    code: "unreachable",
    says: /redirects a request of the sign-in: it is not followed/,
    reached: none,
  },
  "an authorization server without TLS": { metadata: () => ({ authorization_servers: ["http://login.example.com"] }), code: "address", says: /“http:\/\/login\.example\.com”, is not https: nothing is sent there\. Tell the operator of/, reached: none },
  "an authorization server that is a script": { metadata: () => ({ authorization_servers: ["javascript:alert(1)"] }), code: "address", says: /“javascript:alert\(1\)”, is not https/, reached: none },
  "an authorization server with a password": { metadata: () => ({ authorization_servers: ["https://a:b@example.com"] }), code: "address", says: /has a user name in it/, reached: none },
  "an authorization server that is somebody else": { as: { metadata: { issuer: "https://example.com" } }, code: "issuer", says: /is of “https:\/\/example\.com”, not of “http.*”: somebody may be posing/, reached: none },
  "an issuer with a slash too many": { metadata: (_, as) => ({ authorization_servers: [`${as}/`] }), code: "issuer", says: /somebody may be posing/, reached: none },
  "no PKCE": { as: { metadata: { code_challenge_methods_supported: ["plain"] } }, code: "metadata", says: /does not say that it protects sign-ins by PKCE/, reached: none },
  "a page to sign in at that is a script": { as: { metadata: { authorization_endpoint: "javascript:alert(1)" } }, code: "address", says: /the authorization_endpoint of .*, “javascript:alert\(1\)”, is not https/, reached: none },
  "a page to sign in at that is data": { as: { metadata: { authorization_endpoint: "data:text/html,x" } }, code: "address", says: /is not https/, reached: none },
  "a page to sign in at without TLS": { as: { metadata: { authorization_endpoint: "http://example.com/authorize" } }, code: "address", says: /is not https/, reached: none },
  "a token endpoint without TLS": { as: { metadata: { token_endpoint: "http://example.com/token" } }, code: "address", says: /the token_endpoint of .* is not https/, reached: none },
  "a token endpoint that is a file": { as: { metadata: { token_endpoint: "file:///etc/passwd" } }, code: "address", says: /is not https/, reached: none },
  "nobody may register": { as: { metadata: { registration_endpoint: undefined } }, code: "client", says: /does not register programs: .* configure its client id/, reached: none },
  "a client id of 1 MB": { as: { instead: ({ path }, response) => path === "/register" && (json(response, { client_id: "x".repeat(900_000) }, 201), true) }, code: "client", says: /does not register this program \(HTTP status 201\)/, reached: ["POST /register"] },
  "a registration that is refused": {
    as: { instead: ({ path }, response) => path === "/register" && (json(response, { error: "invalid_redirect_uri", error_description: "no\nloopback" }, 400), true) },
    code: "client",
    says: /does not register this program \(invalid_redirect_uri, and says “no loopback”\)/,
    reached: ["POST /register"],
  },
  "an answer of another authorization server": { as: { callback: (url) => url.searchParams.set("iss", "https://example.com") }, code: "issuer", says: /does not say that it is from .* \(iss, RFC 9207\): another server may have sent it/, reached: upToCode },
  "an answer that does not say whose it is": { as: { callback: (url) => url.searchParams.delete("iss") }, code: "issuer", says: /does not say that it is from/, reached: upToCode },
  "an answer of another, where none says whose it is": {
    as: { metadata: { authorization_response_iss_parameter_supported: undefined }, callback: (url) => url.searchParams.set("iss", "https://example.com") },
    code: "issuer",
    says: /does not say that it is from/,
    reached: upToCode,
  },
  "an issuer that differs by a slash": { as: { callback: (url) => url.searchParams.set("iss", `${url.searchParams.get("iss")}/`) }, code: "issuer", says: /does not say that it is from/, reached: upToCode },
  "a person who declines": { as: { callback: (url) => (url.searchParams.delete("code"), url.searchParams.set("error", "access_denied")) }, code: "denied", says: /did not allow it: it was declined there/, reached: upToCode },
  "an error that repeats what is secret": {
    as: { callback: (url) => (url.searchParams.delete("code"), url.searchParams.set("error", "server_error"), url.searchParams.set("error_description", `state ${url.searchParams.get("state")}`)) },
    code: "denied",
    says: /ended the sign-in with server_error$/,
    reached: upToCode,
  },
  "an answer without a code": { as: { callback: (url) => url.searchParams.delete("code") }, code: "callback", says: /is no answer to a sign-in: begin again/, reached: upToCode },
  "a token endpoint that hangs": { as: { instead: ({ path }) => path === "/token" }, options: { timeout: 300 }, code: "unreachable", says: /did not answer within 0\.3 s$/ },
  "a token endpoint that answers 10 MB": { as: { instead: (seen, response, origin) => seen.path === "/token" && tooMuch(seen, response, origin) }, code: "metadata", says: /answered with more than 1 MB/ },
  "a token endpoint that redirects": {
    as: { instead: ({ path }, response) => path === "/token" && response.writeHead(307, { Location: "/elsewhere" }).end() },
    code: "unreachable",
    says: /redirects a request of the sign-in: it is not followed$/,
  },
  "a token endpoint that refuses, with the code in its words": {
    as: { instead: ({ path, form }, response) => path === "/token" && (json(response, { error: form.get("code"), error_description: `not ${form.get("code")}, ${form.get("code_verifier")}` }, 400), true) },
    code: "token",
    says: /gives no token: it answers with HTTP status 400$/,
  },
  "a token that cannot be sent": { as: { tokens: { access_token: "a\r\nb: c" } }, code: "token", says: /no bearer token$/ },
  "a token of another kind": { as: { tokens: { token_type: "mac" } }, code: "token", says: /no bearer token/ },
  "a token of 1 MB": { as: { tokens: { access_token: "x".repeat(900_000) } }, code: "token", says: /no bearer token/ },
}

for (const [name, { as: habits, metadata, mcp: instead, challenge, options, code, says, reached }] of Object.entries(cases)) {
  test(name, async (t) => {
    const stranger = await serve(t, () => false)
    const as = await authorizationServer(t, habits)
    const mcp = await protectedServer(t, [as.origin], { metadata: metadata?.(stranger.origin, as.origin), instead })
    const login = signIn({ url: mcp.url, open: ({ url }) => void browse(url), ...options })
    const error = await thrown(() => login.authorize(challenged({ status: 401, ...challenge?.(mcp.url, stranger.origin) }), waiting()), name)
    equal([error.name, error.code], ["SignInError", code], error.message)
    contains(error.message, says)
    ok(error.message.length < 1000, "a message for a person")
    equal(stranger.seen.length, 0, "requests at the stranger")
    const requests = as.paths().filter((path) => !path.includes("/.well-known/"))
    equal(requests, reached ?? [...upToCode, "POST /token"], "requests at the authorization server")
    equal(mcp.paths().filter((path) => !path.includes("/.well-known/")), [], "requests at the MCP server")
    equal([await login.account(), await login.authorization()], [undefined, undefined], "an account")
    hold(error, [...as.secrets, ...secretsIn(as)])
  })
}

test("a stranger at the callback changes nothing, and the answer is good for once", async (t) => {
  const as = await authorizationServer(t)
  const mcp = await protectedServer(t, [as.origin])
  /** @type {{status: number, text: string}[]} */
  const answers = []
  let callback = ""
  /** @type {(status: unknown) => void} */
  let repeated
  const again = new Promise((resolve) => (repeated = resolve))
  const login = signIn({
    url: mcp.url,
    async open({ url }) {
      callback = new URL(url).searchParams.get("redirect_uri") ?? ""
      for (const query of ["?code=stolen&state=guessed", "?code=stolen", "/elsewhere"]) {
        const response = await fetch(`${callback}${query}`)
        answers.push({ status: response.status, text: await response.text() })
      }
      const { called = "", ...answer } = await browse(url)
      answers.push(answer)
      repeated(await fetch(called).then(({ status }) => status, () => "closed"))
    },
  })
  await login.authorize(challenged({ status: 401 }), waiting())
  equal(answers.map(({ status }) => status), [400, 400, 404, 200])
  contains(answers[0]?.text, "This is not the answer to a sign-in that was begun here")
  contains(answers[3]?.text, "You can close this window")
  ok([400, "closed"].includes(await again), "the answer, once more")
  equal(as.seen.filter(({ path }) => path === "/token").length, 1, "codes that were redeemed")
  ok(await thrown(() => fetch(callback), "the port"), "nobody listens there any more")
})

test("an answer with a wrong state that a host hands in is not used", async (t) => {
  const as = await authorizationServer(t)
  const mcp = await protectedServer(t, [as.origin])
  const login = signIn({ url: mcp.url, open() {}, callback: () => ({ redirectUri: "https://example.com/back", response: Promise.resolve("https://example.com/back?code=stolen&state=guessed") }) })
  const error = await thrown(() => login.authorize(challenged({ status: 401 }), waiting()), "a wrong state")
  equal(error.code, "callback")
  contains(error.message, "is not the answer to this sign-in (its state differs)")
  equal(as.paths().includes("POST /token"), false)
})

test("scopes that are none are not asked for", async (t) => {
  const as = await authorizationServer(t)
  const mcp = await protectedServer(t, [as.origin], { metadata: { scopes_supported: ["read", "a\"b", "x".repeat(1000), 7, "ü"] } })
  const login = signIn({ url: mcp.url, open: ({ url }) => void browse(url) })
  await login.authorize(challenged({ status: 401 }), waiting())
  equal((await login.account())?.scopes, ["read"])
})

test("an account that cannot be read is none, and is not repeated in an error", async (t) => {
  const as = await authorizationServer(t)
  const mcp = await protectedServer(t, [as.origin])
  const store = memoryAccounts()
  await store.set(`parley-account ${mcp.url}`, '{"v":1,"session":{"access":"hidden')
  const login = signIn({ url: mcp.url, store, open: ({ url }) => void browse(url) })
  equal(await login.authorization(), undefined)
  await login.authorize(challenged({ status: 401 }), waiting())
  contains(await login.authorization(), /^Bearer access-/)
})

test("a server that is not on this machine cannot send a sign-in there", async (t) => {
  const own = await serve(t, () => false)
  for (const members of [{ authorization_servers: [own.origin] }, { authorization_servers: ["https://localhost"] }]) {
    /** @type {typeof fetch} */
    const fake = async (url) => (String(url).startsWith("https://example.com/") ? Response.json({ resource: "https://example.com/mcp", ...members }) : fetch(url))
    const login = signIn({ url: "https://example.com/mcp", fetch: fake, open() {} })
    contains((await thrown(() => login.authorize(challenged({ status: 401 }), waiting()), "loopback")).message, "is on this machine, but the server is not")
  }
  equal(own.seen.length, 0)
})

test("the secret of a client that was configured goes to no second authorization server", async (t) => {
  const [first, second] = [await authorizationServer(t), await authorizationServer(t)]
  const issuers = [first.origin]
  const mcp = await protectedServer(t, issuers)
  const store = memoryAccounts()
  const login = (/** @type {string | undefined} */ issuer) => signIn({ url: mcp.url, store, clientId: "c", clientSecret: "hidden-secret", issuer, open: ({ url }) => void browse(url) })
  await login(undefined).authorize(challenged({ status: 401 }), waiting())
  issuers[0] = second.origin
  const moved = login(undefined)
  await moved.authorization()
  first.refreshes.clear()
  contains((await thrown(() => moved.authorize(challenged({ status: 401 }), waiting()), "moved")).message, "but the client id is of http")
  const pinned = login(first.origin)
  await pinned.authorization()
  contains((await thrown(() => pinned.authorize(challenged({ status: 401 }), waiting()), "pinned")).message, "configure another")
  equal(second.seen.some(({ body, authorization }) => body.includes("hidden-secret") || authorization), false, "the secret at the second")
  equal((await store.get(`parley-account ${mcp.url}`))?.includes("hidden-secret"), false, "the secret in the store")
})

test("a refresh whose server is silent leaves the account, and says so before anything is sent", async (t) => {
  let silent = false
  const as = await authorizationServer(t, { tokens: { expires_in: 0.001 }, instead: ({ path }, response) => silent && path === "/token" && response.writeHead(503).end() })
  const mcp = await protectedServer(t, [as.origin])
  const login = signIn({ url: mcp.url, open: ({ url }) => void browse(url) })
  await login.authorize(challenged({ status: 401 }), waiting())
  silent = true
  await new Promise((resolve) => setTimeout(resolve, 5)) // it ends after 1 ms
  const error = await thrown(() => login.authorization(), "a token that has ended")
  contains(error.message, "answers with HTTP status 503")
  hold(error, as.secrets)
  silent = false
  contains(await login.authorization(), /^Bearer access-/, "when it is there again")
})

/** What a sign-in sent that nobody else may know. @param {Served} as */
function secretsIn({ seen }) {
  return seen.flatMap(({ query, form }) => [query.get("state"), form.get("code_verifier"), form.get("code")]).filter((one) => one !== null)
}

/** An error, and what caused it, hold nothing secret. @param {any} error @param {string[]} secrets */
function hold(error, secrets) {
  for (let e = error; e; e = e.cause) {
    const text = `${e.stack} ${JSON.stringify(e, Object.getOwnPropertyNames(e))}`
    for (const secret of secrets) if (secret && text.includes(secret)) throw new Error(`a secret is in the error ${e.name}`)
  }
}
