// Clients of MCP 2026-07-28 on the TypeScript SDK, version 2, at a server of 2025
// on version 1.
import assert from "node:assert/strict"
import { test } from "node:test"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"

import { bridge, legacyServer, serve, until } from "./programs.js"

/**
 * A server of 2025 and the bridge's URL.
 *
 * @param {import("node:test").TestContext} t @param {string[]} flags
 */
async function between(t, ...flags) {
  const server = await serve(t, legacyServer("--http", "0"))
  return { server: server.url, ...(await serve(t, bridge("--listen", ":0", ...flags, server.url))) }
}

/**
 * A client with the loop of its SDK, and what it was asked.
 *
 * @param {import("node:test").TestContext} t @param {string} url
 * @param {(params: any) => any} elicit
 * @param {any} [capabilities]
 */
async function connect(t, url, elicit, capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }) {
  const client = new Client({ name: "test", version: "1" }, { capabilities, versionNegotiation: { mode: { pin: "2026-07-28" } } })
  if (capabilities.elicitation) client.setRequestHandler("elicitation/create", ({ params }) => elicit(params))
  if (capabilities.sampling) {
    client.setRequestHandler("sampling/createMessage", () => ({ role: "assistant", model: "m", content: { type: "text", text: "A line." } }))
  }
  if (capabilities.roots) client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///test" }] }))
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  t.after(() => client.close())
  const call = async (/** @type {string} */ name, /** @type {any} */ args) => {
    const { content } = /** @type {any} */ (await client.callTool({ name, arguments: args }, { timeout: 120_000 }))
    return content[0].text
  }
  return { client, call }
}

let last = 0
/** One request as such a client sends it. @param {string} url @param {string} method @param {any} params @param {any} [headers] @param {any} [capabilities] */
async function post(url, method, params, headers = {}, capabilities = { elicitation: {} }) {
  const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": capabilities }
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json", Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, ...(params.name && { "Mcp-Name": params.name }), ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: ++last, method, params: { ...params, _meta: meta } }),
  })
  return { status: response.status, ...JSON.parse((await response.text()).replace(/^[^]*?data: /, "")) }
}

const charge = (/** @type {string} */ id) => ({ name: "charge", arguments: { id, amount: 12 } })
const pay = (/** @type {any} */ { inputRequests, requestState }) => {
  const [key] = Object.keys(inputRequests)
  return { requestState, inputResponses: { [key]: { action: "accept", content: { confirm: true } } } }
}
const charged = async (/** @type {string} */ url, /** @type {string} */ id) =>
  (await post(url, "tools/call", { name: "charged", arguments: { id } })).result.content[0].text

/** Refused, and told what to do. @param {any} answer */
function assertRefused({ status, error }) {
  assert.equal(status, 400)
  assert.equal(error.code, -32602)
  assert.deepEqual(error.data, { reason: "invalid_request_state" })
  assert.match(error.message, /Make the call again from the start, without requestState/)
}

test("says what the server is", async (t) => {
  const { url } = await between(t)
  const { result } = await post(url, "server/discover", {})
  assert.deepEqual(result.supportedVersions, ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26"])
  assert.equal(result._meta["io.modelcontextprotocol/serverInfo"].name, "interop-ts-legacy")
  const { client } = await connect(t, url, () => ({}))
  assert.ok((await client.listTools()).tools.some(({ name }) => name === "ask_form"))
})

test("parallel calls of one session with the server, each with its own question", async (t) => {
  const { url } = await between(t)
  const { call } = await connect(t, url, ({ message }) => ({ action: "accept", content: { confirm: !message.includes("5") } }))
  const texts = await Promise.all([1, 5, 3, 15, 7].map((amount) => call("charge", { id: `p${amount}`, amount })))
  assert.deepEqual(texts, ["paid 1", "not confirmed", "paid 3", "not confirmed", "paid 7"])
})

test("questions of all kinds, one of them on the server's own stream", async (t) => {
  const { url } = await between(t)
  const { call } = await connect(t, url, () => ({ action: "accept", content: { name: "Ada" } }))
  assert.equal(await call("ask_all", {}), "Ada; A line.; file:///test")
  assert.equal(await call("ask_on_stream", {}), "Ada")
})

test("a page that an error of 2025 requires (-32042)", async (t) => {
  const { url } = await between(t)
  /** @type {string[]} */
  const asked = []
  const { call } = await connect(t, url, async ({ mode, url, elicitationId }) => {
    asked.push(mode)
    assert.equal(elicitationId, undefined, "it is gone in 2026-07-28")
    assert.ok((await fetch(url)).ok)
    return { action: "accept" }
  })
  assert.equal(await call("require_page", {}), "visited")
  assert.deepEqual(asked, ["url"])
})

test("a client that can be asked nothing is asked nothing", async (t) => {
  const { url } = await between(t)
  const { call } = await connect(t, url, () => assert.fail("asked"), {})
  await assert.rejects(call("ask_form", {}), /does not support/)
})

test("a state goes on with its call once, and is bound to name, arguments and process", async (t) => {
  const { url, server, log } = await between(t)
  const other = await serve(t, bridge("--listen", ":0", server))
  const first = await post(url, "tools/call", charge("a"))
  assert.equal(first.result.resultType, "input_required")
  const retry = { ...charge("a"), ...pay(first.result) }
  assertRefused(await post(other.url, "tools/call", retry)) // another instance
  assertRefused(await post(url, "tools/call", { ...retry, arguments: { id: "a", amount: 13 } }))
  assertRefused(await post(url, "tools/call", { ...retry, name: "charged" }))
  assertRefused(await post(url, "tools/call", { ...retry, requestState: retry.requestState.slice(0, -4) + "AAAA" }))
  assert.equal(await charged(url, "a"), "0")
  const done = await post(url, "tools/call", retry)
  assert.equal(done.result.resultType, "complete")
  assert.equal(done.result.content[0].text, "paid 12")
  assertRefused(await post(url, "tools/call", retry)) // a second time
  assert.equal(await charged(url, "a"), "1")
  assert.doesNotMatch(log(), new RegExp(retry.requestState))
})

test("a bridge that was restarted refuses what it was asked before", async (t) => {
  const { url, server, kill } = await between(t)
  const first = await post(url, "tools/call", charge("b"))
  await kill()
  const again = await serve(t, bridge("--listen", new URL(url).host, server))
  assertRefused(await post(again.url, "tools/call", { ...charge("b"), ...pay(first.result) }))
  const { call } = await connect(t, again.url, () => ({ action: "accept", content: { confirm: true } }))
  assert.equal(await call("charge", { id: "b", amount: 12 }), "paid 12")
})

test("what is not answered in time is canceled at the server", async (t) => {
  const { url, log } = await between(t, "--hold", "300ms")
  const first = await post(url, "tools/call", charge("c"))
  await until(() => log().includes("did not answer in time"), "it is canceled")
  assertRefused(await post(url, "tools/call", { ...charge("c"), ...pay(first.result) }))
  assert.equal(await charged(url, "c"), "0")
})

test("no more calls wait than may", async (t) => {
  const { url } = await between(t, "--max-held", "1")
  const first = await post(url, "tools/call", charge("d"))
  const second = await post(url, "tools/call", charge("e"))
  assert.match(second.error.message, /as many calls that wait for answers as there may be/)
  assert.equal((await post(url, "tools/call", { ...charge("d"), ...pay(first.result) })).result.content[0].text, "paid 12")
})

test("answers that nobody asked for are dropped, and what is missing is asked again", async (t) => {
  const { url } = await between(t)
  const unasked = { ...charge("f"), inputResponses: { q1: { action: "accept", content: { confirm: true } } } }
  const first = await post(url, "tools/call", unasked)
  assert.equal(first.result.resultType, "input_required")
  const second = await post(url, "tools/call", { ...charge("f"), requestState: first.result.requestState, inputResponses: { other: { action: "cancel" } } })
  assert.deepEqual(second.result.inputRequests, first.result.inputRequests)
  assert.equal((await post(url, "tools/call", { ...charge("f"), ...pay(second.result) })).result.content[0].text, "paid 12")
})

test("a request that is given up cancels the call at the server", async (t) => {
  const { url } = await between(t)
  const { client, call } = await connect(t, url, () => ({}))
  const abort = new AbortController()
  const slow = client.callTool({ name: "slow", arguments: { id: "g", seconds: 20 } }, { signal: abort.signal, onprogress: () => abort.abort() })
  await assert.rejects(slow)
  let outcome = ""
  for (const late = Date.now() + 120_000; outcome !== "cancelled" && Date.now() < late; ) outcome = await call("outcome", { id: "g" })
  assert.equal(outcome, "cancelled")
})
