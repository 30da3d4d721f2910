import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"

import { Client } from "@modelcontextprotocol/client"
import { createMcpHandler, InMemoryTransport, inputRequired, McpServer, Server } from "@modelcontextprotocol/server"

import { CodecError, createGuard, principal, Reason } from "../dist/codec/index.js"
import { guardServer, verdict } from "../dist/server/index.js"

/** @import { AuthInfo, McpServerFactory, ServerContext, StandardSchemaWithJSON } from "@modelcontextprotocol/server" */
/** @import { GuardServerOptions } from "../dist/server/index.js" */

const module = new WebAssembly.Module(readFileSync(new URL("../../../wasm/parley-codec.wasm", import.meta.url)))
const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
const frozen = { code: -32602, message: "Invalid or expired requestState", data: { reason: "invalid_request_state" } }
const yes = { sure: { action: "accept", content: { ok: true } } }

/** A schema that takes everything, which the SDK asks for to hand arguments over. @type {StandardSchemaWithJSON<any, any>} */
const anything = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }), jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) } },
}

/**
 * A server that asks once in each of the three ways, and a way to call it as a
 * client does. `seen` is what its handlers were given, `reasons` what its
 * onerror was.
 *
 * @param {{options?: GuardServerOptions, wording?: string, respond?: () => any}} [how]
 */
function serve({ options, wording = "Sure?", respond } = {}) {
  /** @type {{state: unknown, answers: unknown, verdict: string}[]} */
  const seen = []
  /** @type {Error[]} */
  const reasons = []
  const guard = createGuard({ module, keys, audience: "test" })
  const ask = (/** @type {ServerContext} */ context) => {
    const { requestState, inputResponses } = context.mcpReq
    const question = inputRequired.elicit({ message: wording, requestedSchema: { type: "object", properties: { ok: { type: "boolean" } } } })
    seen.push({ state: requestState(), answers: inputResponses, verdict: verdict(context, "sure", question) })
    if (respond) return respond()
    if (!inputResponses?.sure) return inputRequired({ inputRequests: { sure: question }, requestState: "plain" })
  }
  const handler = createMcpHandler(() => {
    const server = guardServer(new McpServer({ name: "test", version: "1" }), guard, options)
    server.server.onerror = (error) => reasons.push(error)
    server.registerTool("pay", { inputSchema: anything }, (_, context) => ask(context) ?? { content: [{ type: "text", text: "paid" }] })
    server.registerPrompt("review", {}, (context) => ask(context) ?? { messages: [] })
    server.registerResource("report", "test://report", {}, (_, context) => ask(context) ?? { contents: [] })
    return server
  })
  return { call: caller(handler), seen, reasons }
}

/** Calls a server as a client does, without any socket. @param {ReturnType<typeof createMcpHandler>} handler */
function caller(handler) {
  let id = 0
  /**
   * @param {{name?: string, uri?: string} & Record<string, unknown>} params
   * @param {{method?: string, authInfo?: AuthInfo, spell?: (body: string) => string}} [how]
   * @returns {Promise<any>}
   */
  return async (params, { method = "tools/call", authInfo, spell = (body) => body } = {}) => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } }
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method,
        "Mcp-Name": params.name ?? params.uri ?? "",
      },
      body: spell(JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params: { _meta, ...params } })),
    })
    return (await handler.fetch(request, { authInfo })).json()
  }
}

/** The reason of each error. @param {Error[]} errors */
const codes = (errors) => errors.map(({ cause }) => cause instanceof CodecError && cause.code)

const pay = { name: "pay", arguments: { amount: 7, to: { city: "Oslo" } } }

test("a state goes out sealed and comes in plain, in all three ways", async (t) => {
  /** @type {Record<string, {name?: string, uri?: string}>} */
  const ways = {
    "tools/call": pay,
    "prompts/get": { name: "review" },
    "resources/read": { uri: "test://report" },
  }
  for (const [method, params] of Object.entries(ways)) {
    await t.test(method, async () => {
      const { call, seen } = serve()
      const first = (await call(params, { method })).result
      assert.equal(first.resultType, "input_required")
      assert.match(first.requestState, /^E[\w-]{100,}$/)
      assert.equal(first.inputRequests.sure.params.message, "Sure?")
      const last = await call({ ...params, requestState: first.requestState, inputResponses: { ...yes, other: { action: "accept" } } }, { method })
      assert.equal(last.result.resultType, "complete")
      assert.deepEqual(seen, [
        { state: undefined, answers: undefined, verdict: "missing" },
        { state: "plain", answers: yes, verdict: "same" },
      ])
    })
  }
})

/** A token with another letter in its middle. @param {string} token */
const changed = (token) => token.slice(0, 40) + (token[40] === "A" ? "B" : "A") + token.slice(41)

test("a state that is refused", async (t) => {
  const { call, seen, reasons } = serve()
  const { requestState } = (await call(pay)).result
  const moved = (/** @type {object} */ change) => ({ ...pay, requestState, ...change })
  /** @type {Record<string, [params: {name: string}, how: {method?: string}, reason: number]>} */
  const cases = {
    "a changed token": [moved({ requestState: changed(requestState) }), {}, Reason.forged],
    "no token": [moved({ requestState: "" }), {}, Reason.malformed],
    "no text": [moved({ requestState: "\ud800" }), {}, Reason.malformed],
    "other arguments": [moved({ arguments: { ...pay.arguments, amount: 8 } }), {}, Reason.arguments],
    "no arguments": [moved({ arguments: undefined }), {}, Reason.arguments],
    "another method": [{ name: "review", requestState }, { method: "prompts/get" }, Reason.target],
  }
  for (const [name, [params, how, reason]] of Object.entries(cases)) {
    await t.test(name, async () => {
      seen.length = reasons.length = 0
      const answer = await call(params, how)
      assert.deepEqual(answer.error, frozen)
      assert.deepEqual(seen, [])
      assert.deepEqual(codes(reasons), [reason])
      assert.ok(!reasons[0]?.message.includes(requestState.slice(0, 20)), "the log holds a token")
    })
  }
  await t.test("the same arguments in another order and spelling", async () => {
    const answer = await call(moved({ arguments: { to: { city: "Oslo" }, amount: 7.0 }, inputResponses: yes }))
    assert.equal(answer.result.resultType, "complete")
  })
})

test("a number that JSON.parse reads as infinite is refused", async (t) => {
  const { call, seen, reasons } = serve()
  const open = { name: "pay", arguments: { max: null, list: [null] } }
  const { requestState } = (await call(open)).result
  const retry = { ...open, requestState, inputResponses: yes }
  for (const number of ["1e999", "-1e999", `1${"0".repeat(400)}`]) {
    /** @type {Record<string, [params: {name: string}, from: string, to: string]>} */
    const cases = {
      "with the state of null": [retry, '"max":null', `"max":${number}`],
      "in a list": [retry, "[null]", `[${number}]`],
      "in a first round": [open, '"max":null', `"max":${number}`],
      "in an answer": [retry, '"ok":true', `"ok":${number}`],
    }
    for (const [name, [params, from, to]] of Object.entries(cases)) {
      await t.test(`${number.slice(0, 6)} ${name}`, async () => {
        seen.length = reasons.length = 0
        const spell = (/** @type {string} */ body) => {
          assert.ok(body.includes(from), "the request has what is replaced")
          return body.replace(from, to)
        }
        const { error } = await call(params, { spell })
        if (name === "in an answer") assert.match(error.message, /An answer has a whole number beyond/) // which a person can change
        else assert.deepEqual(error, frozen)
        assert.deepEqual(seen, [])
        assert.deepEqual(codes(reasons), [Reason.malformed])
      })
    }
  }
  assert.equal((await call(retry)).result.resultType, "complete")
})

test("an answer to another question is told apart", async () => {
  const before = serve({ wording: "Sure?" })
  const after = serve({ wording: "Really?" })
  const { requestState } = (await before.call(pay)).result
  await after.call({ ...pay, requestState, inputResponses: yes })
  await after.call({ ...pay, inputResponses: yes })
  assert.deepEqual(after.seen.map(({ verdict }) => verdict), ["changed", "unproven"])
})

test("who asks is bound", async (t) => {
  const ann = { token: "t1", clientId: "app", scopes: [], extra: { sub: "ann" } }
  const bob = { ...ann, extra: { sub: "bob" } }
  /** @param {ServerContext} context */
  const by = ({ http }) => principal(http?.authInfo?.clientId ?? null, null, /** @type {string | undefined} */ (http?.authInfo?.extra?.sub) ?? null)
  await t.test("by the option", async () => {
    const { call, reasons } = serve({ options: { principal: by } })
    const { requestState } = (await call(pay, { authInfo: ann })).result
    const params = { ...pay, requestState, inputResponses: yes }
    assert.equal((await call(params, { authInfo: { ...ann, token: "refreshed" } })).result.resultType, "complete")
    assert.deepEqual((await call(params, { authInfo: bob })).error, frozen)
    assert.deepEqual((await call(params)).error, frozen)
    assert.deepEqual(codes(reasons), [Reason.principal, Reason.principal])
  })
  await t.test("by the token, without the option", async () => {
    const { call, reasons } = serve()
    const { requestState } = (await call(pay, { authInfo: ann })).result
    const params = { ...pay, requestState, inputResponses: yes }
    assert.equal((await call(params, { authInfo: { ...ann, token: "refreshed" } })).result.resultType, "complete")
    for (const authInfo of [bob, { ...ann, clientId: "other" }, undefined]) assert.deepEqual((await call(params, { authInfo })).error, frozen)
    assert.deepEqual((await call(pay, { authInfo: { ...ann, clientId: "", extra: {} } })).error, { code: -32603, message: "Internal error" })
    assert.deepEqual(codes(reasons), Array(4).fill(Reason.principal))
  })
  /** @type {Record<string, any>} */
  const unusable = {
    "an option that throws": () => {
      throw new Error("no claims")
    },
    "an option that returns nothing": () => {},
  }
  for (const [name, option] of Object.entries(unusable)) {
    await t.test(name, async () => {
      const plain = serve()
      const { requestState } = (await plain.call(pay)).result
      const { call, reasons } = serve({ options: { principal: option } })
      assert.deepEqual((await call({ ...pay, requestState }, { authInfo: ann })).error, frozen)
      assert.deepEqual((await call(pay, { authInfo: ann })).error, { code: -32603, message: "Internal error" })
      assert.deepEqual(codes(reasons), [Reason.principal, Reason.principal])
      const done = serve({ options: { principal: option }, respond: () => ({ content: [] }) })
      assert.equal((await done.call(pay, { authInfo: ann })).result.resultType, "complete")
    })
  }
})

test("a result that cannot be sealed is not sent", async () => {
  const { call, reasons } = serve({ respond: () => inputRequired({ requestState: "x".repeat(20_000) }) })
  assert.deepEqual((await call(pay)).error, { code: -32603, message: "Internal error" })
  assert.deepEqual(codes(reasons), [Reason.tooLarge])
})

test("a state longer than any token is refused before the request is written again", async () => {
  const { call, reasons } = serve()
  const spell = (/** @type {string} */ body) => body.replace('"amount":7', '"amount":1e999') // which cannot be written
  for (const length of [262_144, 262_145]) {
    assert.deepEqual((await call({ ...pay, requestState: "A".repeat(length) }, { spell })).error, frozen)
  }
  assert.deepEqual(codes(reasons), [Reason.malformed, Reason.tooLarge])
})

test("a low-level server is guarded, too", async () => {
  const guard = createGuard({ module, keys, audience: "test" })
  const call = caller(
    createMcpHandler(() => {
      const server = guardServer(new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } }), guard)
      server.setRequestHandler("tools/call", (_, { mcpReq }) => {
        const state = mcpReq.requestState()
        return state ? { content: [{ type: "text", text: state }] } : inputRequired({ requestState: "plain" })
      })
      return server
    }),
  )
  const { requestState } = (await call(pay)).result
  assert.equal((await call({ ...pay, requestState })).result.content[0].text, "plain")
  assert.deepEqual((await call({ ...pay, name: "other", requestState })).error, frozen)
})

test("a client of a revision without rounds is asked by the SDK, inside the Guard", async () => {
  const guard = createGuard({ module, keys, audience: "test" })
  const server = guardServer(new McpServer({ name: "test", version: "1" }), guard)
  server.registerTool("pay", { inputSchema: anything }, (_, context) => {
    const sure = inputRequired.elicit({ message: "Sure?", requestedSchema: { type: "object", properties: { ok: { type: "boolean" } } } })
    if (verdict(context, "sure", sure) !== "same") return inputRequired({ inputRequests: { sure }, requestState: "plain" })
    return { content: [{ type: "text", text: `paid, ${context.mcpReq.requestState()}` }] }
  })
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } })
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { ok: true } }))
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(near), client.connect(far)])
  assert.equal(client.getNegotiatedProtocolVersion(), "2025-11-25")
  assert.deepEqual((await client.callTool(pay)).content, [{ type: "text", text: "paid, plain" }])
  await client.close()
})

test("mistakes in its use are named", () => {
  const guard = createGuard({ module, keys, audience: "test" })
  const late = new McpServer({ name: "test", version: "1" })
  late.registerTool("pay", {}, () => ({ content: [] }))
  assert.throws(() => guardServer(late, guard), /tools\/call already exists/)
  const server = guardServer(new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } }), guard)
  assert.throws(() => guardServer(server, guard), /guarded already/)
  assert.throws(() => server.setRequestHandler("tools/call", { params: anything }, () => ({})), /without schemas/)
  const unguarded = /** @type {ServerContext} */ ({ mcpReq: {} })
  assert.throws(() => verdict(unguarded, "sure", { method: "elicitation/create" }), /call guardServer/)
})
