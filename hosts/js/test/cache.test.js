// Results that a server lets be used again: of the official TypeScript SDK over
// HTTP, and of a server that is scripted where the SDK has no say.
import { createServer } from "node:http"
import test from "node:test"

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"

import { connect, fetchTransport, load, memoryCache } from "../dist/node.js"
import { equal, ok } from "./assert.js"

/** @import { CacheStore, ConnectOptions, FetchOptions, Session } from "../dist/node.js" */
/** @import { IncomingMessage } from "node:http" */

const engine = await load()
const hour = 3_600_000

/** @param {import("node:test").TestContext} t @param {(request: IncomingMessage, body: string) => Promise<{status: number, kind: string, body: string}>} answer */
async function serve(t, answer) {
  const web = createServer(async (request, response) => {
    let body = ""
    for await (const part of request) body += part
    const answered = await answer(request, body)
    response.writeHead(answered.status, { "Content-Type": answered.kind }).end(answered.body)
  })
  await new Promise((resolve) => web.listen(0, "127.0.0.1", () => resolve(undefined)))
  t.after(() => {
    web.closeAllConnections()
    web.close()
  })
  const { port } = /** @type {import("node:net").AddressInfo} */ (web.address())
  return `http://127.0.0.1:${port}/mcp`
}

/** A server whose lists are for anybody, and whose resources say with what authorization they were read. @param {import("node:test").TestContext} t */
async function scripted(t) {
  /** @type {string[]} */
  const asked = []
  const url = await serve(t, async ({ headers }, text) => {
    const { id, method, params } = JSON.parse(text)
    asked.push(method)
    const tools = { tools: [{ name: "greet", inputSchema: { type: "object" } }], cacheScope: "public" }
    const read = { contents: [{ uri: params.uri, text: headers.authorization ?? "" }], cacheScope: "private" }
    const result = { resultType: "complete", ...(method === "tools/list" ? tools : read), ttlMs: hour }
    return { status: 200, kind: "application/json", body: JSON.stringify({ jsonrpc: "2.0", id, result }) }
  })
  return { url, since: () => asked.splice(0) }
}

/** @param {import("node:test").TestContext} t @param {string} url @param {ConnectOptions} [options] @param {FetchOptions} [transport] */
function open(t, url, options, transport) {
  const session = connect(engine, fetchTransport(url, transport), options)
  t.after(() => session.close())
  return session
}

/** @param {Session} session */
async function toolNames(session) {
  const names = []
  for await (const { name } of session.tools()) names.push(name)
  return names
}

/** @param {Session} session */
async function readText(session) {
  const { contents } = await session.readResource({ uri: "file:///a" })
  const [content] = contents
  return content && "text" in content ? content.text : undefined
}

test("the TypeScript SDK's hints", async (t) => {
  /** @type {Record<string, number>} */
  const asked = {}
  const names = ["first"]
  const handler = createMcpHandler(() => {
    const server = new McpServer(
      { name: "hinting", version: "1" },
      { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } }, cacheHints: { "tools/list": { ttlMs: hour, cacheScope: "public" }, "resources/read": { ttlMs: hour, cacheScope: "private" } } },
    )
    for (const name of names) server.registerTool(name, {}, async () => ({ content: [] }))
    server.registerResource("a", "file:///a", {}, async () => ({ contents: [{ uri: "file:///a", text: "x" }] }))
    return server
  })
  t.after(() => handler.close())
  const web = createServer(async (request, response) => {
    const parts = []
    for await (const part of request) parts.push(part)
    const method = String(request.headers["mcp-method"])
    asked[method] = (asked[method] ?? 0) + 1
    const answer = await handler.fetch(
      new Request(`http://localhost${request.url}`, { method: request.method, headers: /** @type {Record<string, string>} */ (request.headers), body: Buffer.concat(parts) }),
    )
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    if (answer.body) for await (const part of answer.body) response.write(part)
    response.end()
  })
  await new Promise((resolve) => web.listen(0, "127.0.0.1", () => resolve(undefined)))
  t.after(() => {
    web.closeAllConnections()
    web.close()
  })
  const { port } = /** @type {import("node:net").AddressInfo} */ (web.address())
  /** @type {((told: unknown) => void)[]} */
  const waiting = []
  /** @type {unknown[]} */
  const told = []
  const put = (/** @type {unknown} */ it) => void (waiting.shift() ?? ((it) => told.push(it)))(it)
  const next = () => (told.length ? Promise.resolve(told.shift()) : new Promise((resolve) => waiting.push(resolve)))
  const session = open(t, `http://127.0.0.1:${port}/mcp`, { watchers: { onSubscribed: put, onChanged: put } })
  for (let i = 0; i < 3; i++) {
    equal(await toolNames(session), ["first"])
    equal(await readText(session), "x")
  }
  equal(asked, { "tools/list": 1, "resources/read": 1 })
  session.subscribe({ toolsListChanged: true, resourceSubscriptions: ["file:///a"] })
  equal(await next(), { toolsListChanged: true, resourceSubscriptions: ["file:///a"] })
  names.push("second")
  handler.notify.toolsChanged()
  equal(await next(), { toolsListChanged: true })
  for (let i = 0; i < 2; i++) equal(await toolNames(session), ["first", "second"])
  equal(asked["tools/list"], 2)
  await readText(session)
  equal(asked["resources/read"], 1)
  handler.notify.resourceUpdated("file:///a")
  equal(await next(), { resourceSubscriptions: ["file:///a"] })
  await readText(session)
  equal(asked["resources/read"], 2)
})

test("in memory, afresh and not at all", async (t) => {
  const server = await scripted(t)
  const session = open(t, server.url)
  await toolNames(session)
  const again = await session.call({ method: "tools/list" })
  ok(again.status === "done" && again.cached, "it was sent")
  let saves = 0
  const saved = await session.call({ method: "tools/list", save: () => saves++ })
  ok(saved.status === "done" && saved.cached && saves > 0, `it was sent, after ${saves} saves`)
  equal(server.since(), ["tools/list"])
  const fresh = await session.call({ method: "tools/list", options: { fresh: true } })
  ok(fresh.status === "done" && !("cached" in fresh), "it was not sent")
  equal(server.since(), ["tools/list"])
  const off = open(t, server.url, { cache: false })
  await toolNames(off)
  await toolNames(off)
  equal(server.since(), ["tools/list", "tools/list"])
})

test("another token may be another account's", async (t) => {
  const server = await scripted(t)
  let token = ""
  const session = open(t, server.url, {}, {
    authorization: () => {
      if (!token) throw new Error("nobody is signed in")
      return token
    },
  })
  for (token of ["Bearer a", "Bearer b", "Bearer a"]) {
    for (let i = 0; i < 2; i++) equal(await readText(session), token)
    equal(server.since(), ["resources/read"])
  }
  token = ""
  ok(await readText(session).then(() => false, () => true), "a private result was used where there is no authorization")
})

test("what is public goes to other sessions of the same server, what is private to none", async (t) => {
  const [server, other] = [await scripted(t), await scripted(t)]
  const store = memoryCache()
  const first = open(t, server.url, { cache: { store, server: server.url } })
  for (let i = 0; i < 2; i++) {
    await toolNames(first)
    await readText(first)
  }
  await first.close()
  equal(server.since(), ["tools/list", "resources/read"])
  const second = open(t, server.url, { cache: { store, server: server.url } })
  await toolNames(second)
  await readText(second)
  equal(server.since(), ["resources/read"])
  await toolNames(open(t, other.url, { cache: { store, server: other.url } }))
  equal(other.since(), ["tools/list"])
})

test("a store that fails costs nothing but a request", async (t) => {
  /** @type {CacheStore} */
  const base = { get: () => undefined, set: () => Promise.reject(new Error("set")), forget: () => {} }
  /** @type {Record<string, CacheStore["get"]>} */
  const stores = {
    throws: () => {
      throw new Error("get")
    },
    rejects: () => Promise.reject(new Error("get")),
    garbage: () => "\ud800{",
    empty: () => "",
    "no text": () => /** @type {any} */ ({}),
    hangs: () => new Promise(() => {}),
  }
  for (const [what, get] of Object.entries(stores)) {
    const server = await scripted(t)
    equal(await toolNames(open(t, server.url, { cache: { store: { ...base, get }, server: "s" } })), ["greet"])
    equal([what, ...server.since()], [what, "tools/list"])
  }
})

test("a call that is given up while the store looks is over at once", async (t) => {
  const server = await scripted(t)
  /** @type {(signal: AbortSignal) => void} */
  let looks = () => {}
  /** @type {CacheStore} */
  const store = {
    get: (_, { signal }) => {
      looks(signal)
      return new Promise(() => {})
    },
    set: () => {},
    forget: () => {},
  }
  const session = open(t, server.url, { cache: { store, server: "s" } })
  const controller = new AbortController()
  /** @type {AbortSignal | undefined} */
  let looking
  looks = (signal) => {
    looking = signal
    controller.abort()
  }
  equal((await session.call({ method: "tools/list", signal: controller.signal })).status, "failed")
  ok(looking?.aborted, "the store still looks")
  looks = () => void session.close()
  equal((await session.call({ method: "tools/list" })).status, "failed")
  equal(server.since(), [])
})

test("a cursor that the server does not know any more", async (t) => {
  const page = (/** @type {number} */ ttlMs, /** @type {string | undefined} */ nextCursor, /** @type {string[]} */ ...names) => ({
    result: { tools: names.map((name) => ({ name, inputSchema: { type: "object" } })), nextCursor, ttlMs, cacheScope: "public" },
  })
  const answers = [page(hour, "old", "a", "b"), page(0, undefined, "c"), { error: { code: -32602, message: "no such cursor" } }, page(0, "new", "b", "d"), page(0, undefined, "e")]
  /** @type {(string | undefined)[]} */
  const asked = []
  const url = await serve(t, async (_, text) => {
    const { id, params } = JSON.parse(text)
    asked.push(params.cursor)
    return { status: 200, kind: "application/json", body: JSON.stringify({ jsonrpc: "2.0", id, ...answers.shift() }) }
  })
  const session = open(t, url)
  equal(await toolNames(session), ["a", "b", "c"])
  equal(await toolNames(session), ["a", "b", "d", "e"])
  equal(asked, [undefined, "old", "old", undefined, "new"])
})

test("a store needs the name of the server", () => {
  const bad = /** @type {any} */ ({ store: memoryCache() })
  let refused = false
  try {
    connect(engine, fetchTransport("http://localhost/mcp"), { cache: bad })
  } catch (error) {
    refused = error instanceof TypeError
  }
  ok(refused, "it was accepted")
})

test("a store in memory is bounded", () => {
  const later = Date.now() + hour
  const context = { signal: new AbortController().signal }
  const store = memoryCache({ maxEntries: 3, maxLength: 100 })
  for (const key of ["a", "b", "c"]) store.set(key, key, later)
  equal(store.get("a", context), "a")
  store.set("d", "d", later)
  equal(["a", "b", "c", "d"].map((key) => store.get(key, context)), ["a", undefined, "c", "d"])
  store.set("e", "x".repeat(97), later)
  const length = (/** @type {string} */ key) => /** @type {string | undefined} */ (store.get(key, context))?.length
  equal(["a", "c", "d", "e"].map(length), [undefined, undefined, 1, 97])
  store.set("f", "x".repeat(100), later)
  equal(["d", "e", "f"].map(length), [1, 97, undefined])
  store.forget("e")
  equal(store.get("e", context), undefined)
  store.set("g", "g", Date.now())
  equal(store.get("g", context), undefined)
})
