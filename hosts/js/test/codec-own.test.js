// A Guard with a codec of one's own, and a Guard without keys.
import { test } from "node:test"

import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server"

import { CodecError, compileCodec, createCodec, createGuard, MemoryReplayStore, newKey, Reason } from "../dist/codec-node.js"
import { createGuard as createGuardAnywhere } from "../dist/codec-web.js"
import { guardServer } from "../dist/server/index.js"
import { contains, equal, ok, thrown } from "./assert.js"
import { aesCodec } from "./own-codec.js"

/** @import { Guard, OwnCodec } from "../dist/codec/index.js" */

const module = await compileCodec()
const call = '{"name":"pay","arguments":{"amount":7}}'
const asking = '{"resultType":"input_required","requestState":"a secret state","inputRequests":{"sure":{"method":"roots/list"}}}'
const refused = { code: -32602, message: "Invalid or expired requestState", data: { reason: "invalid_request_state" } }
const internal = { code: -32603, message: "Internal error" }

/** A request that is answered with a question, and what opens its state. @param {Guard} guard @param {Guard} [other] which opens */
async function round(guard, other = guard) {
  const { exchange } = await guard.inbound({ method: "tools/call", params: call, principal: null })
  const sealed = JSON.parse(await guard.outbound(exchange, asking))
  /** @param {object} [change] */
  const open = (change) => other.inbound({ method: "tools/call", params: JSON.stringify({ ...JSON.parse(call), requestState: sealed.requestState, inputResponses: { sure: {}, other: {} }, ...change }), principal: null })
  return { token: sealed.requestState, exchange, open }
}

/** Fails unless the call does, for the reason and with the client's answer, and says nothing secret. @param {number} reason @param {object} response @param {() => unknown} call */
async function refuses(reason, response, call) {
  const error = await thrown(call, `reason ${reason}`)
  ok(error instanceof CodecError, `a CodecError: ${error}`)
  equal([error.code, error.response], [reason, response], "code, response")
  ok(!`${error.message} ${error.cause?.message}`.includes("secret"), `nothing secret is said: ${error.message}`)
  return error
}

test("a codec of one's own seals and opens, and the rules stay the Guard's", async () => {
  let now = 1_800_000_000_000
  const guard = createGuard({ module, codec: await aesCodec(), audience: "shop", now: () => now, singleUse: ["once"], replay: new MemoryReplayStore({ now: () => now }) })
  const { token, open } = await round(guard)
  ok(!Buffer.from(token, "base64url").includes("secret"), "the token hides its state")
  const { params, exchange } = await open()
  equal(JSON.parse(params), { ...JSON.parse(call), requestState: "a secret state", inputResponses: { sure: {} } }, "params")
  if (!exchange) throw new Error("no exchange")
  equal([guard.verdict(exchange, "sure", "roots/list"), guard.verdict(exchange, "sure", "roots/list", "{}")], ["same", "changed"], "verdicts")
  await refuses(Reason.arguments, refused, () => open({ arguments: { amount: 8 } }))
  await refuses(Reason.target, refused, () => open({ name: "steal" }))
  await refuses(Reason.forged, refused, () => open({ requestState: token.slice(0, 40) + (token[40] === "A" ? "B" : "A") + token.slice(41) }))
  await refuses(Reason.forged, refused, () => open({ requestState: `\ufeff${token}` }))
  await refuses(Reason.tooLarge, refused, () => open({ requestState: "A".repeat(300_000) }))
  now += 86_400_000
  await refuses(Reason.expired, refused, open)
})

test("with a codec of one's own a state opens once, too", async () => {
  const guard = createGuard({ module, codec: await aesCodec(), audience: "shop", singleUse: ["pay"], replay: new MemoryReplayStore() })
  const { open } = await round(guard)
  await open()
  await refuses(Reason.replayed, refused, open)
})

test("guards with one codec, and with its keys, open each other's states", async () => {
  const keys = newKey()
  const own = createGuard({ module, codec: createCodec({ module, keys }), audience: "shop" })
  const keyed = createGuard({ module, keys, audience: "shop" })
  for (const [from, to] of [[own, keyed], [keyed, own], [own, createGuard({ module, codec: createCodec({ module, keys }), audience: "shop" })]]) {
    if (from && to) equal(JSON.parse((await (await round(from, to)).open()).params).requestState, "a secret state", "state")
  }
  await refuses(Reason.target, refused, (await round(own, createGuard({ module, keys, audience: "other" }))).open)
})

test("what has no state and asks for none does not reach the codec", async () => {
  let calls = 0
  const codec = { seal: () => `${++calls}`, open: () => new Uint8Array(++calls) }
  const guard = createGuard({ module, codec, audience: "shop" })
  const { exchange } = await guard.inbound({ method: "tools/call", params: call, principal: null })
  equal(await guard.outbound(exchange, '{"content":[]}'), '{"content":[]}', "result")
  await guard.inbound({ method: "tools/list", params: "{}", principal: null })
  await refuses(Reason.tooLarge, refused, () => guard.inbound({ method: "tools/call", params: JSON.stringify({ name: "pay", requestState: "A".repeat(262_145) }), principal: null }))
  equal(calls, 0, "calls of the codec")
})

/** What is wrong with a codec, and why its Guard says that nothing can be sealed, and that nothing opens. @type {Record<string, [wrong: any, sealing: number, opening: number]>} */
const wrong = {
  "it throws": [() => { throw new Error("the key service is away") }, Reason.result, Reason.forged],
  "it rejects": [() => Promise.reject(new Error("the key service is away")), Reason.result, Reason.forged],
  "it throws nothing": [() => { throw undefined }, Reason.result, Reason.forged],
  "it fails as a codec of this package does": [() => { throw new CodecError(Reason.unknownKey, "unknown key", /** @type {any} */ ({ code: 1, message: "secret" })) }, Reason.unknownKey, Reason.unknownKey],
  "it gives nothing": [() => undefined, Reason.result, Reason.forged],
  "it gives null": [async () => null, Reason.result, Reason.forged],
  "it gives a number": [() => 7, Reason.result, Reason.forged],
  "it gives an object that looks like bytes": [() => ({ length: 2 ** 31, secret: "secret" }), Reason.result, Reason.forged],
  "it gives a buffer": [() => new ArrayBuffer(8), Reason.result, Reason.forged],
  "it gives a lone surrogate, or bytes that are no state": [(/** @type {unknown} */ given) => (typeof given === "string" ? new Uint8Array(40) : "\ud800"), Reason.malformed, Reason.malformed],
  "it gives a token that is too long, or no bytes": [(/** @type {unknown} */ given) => (typeof given === "string" ? new Uint8Array() : "A".repeat(262_145)), Reason.tooLarge, Reason.malformed],
  "it gives a token that is far too long, or far too many bytes": [(/** @type {unknown} */ given) => (typeof given === "string" ? new Uint8Array(1 << 20) : "A".repeat(1 << 26)), Reason.tooLarge, Reason.malformed],
  "its token is too long as UTF-8": [(/** @type {unknown} */ given) => (typeof given === "string" ? new Uint8Array(1) : "é".repeat(200_000)), Reason.tooLarge, Reason.malformed],
}
for (const [name, [does, sealing, opening]] of Object.entries(wrong)) {
  test(`a codec of one's own is wrong: ${name}`, async () => {
    const guard = createGuard({ module, codec: { seal: does, open: does }, audience: "shop" })
    const { exchange } = await guard.inbound({ method: "tools/call", params: call, principal: null })
    const sealed = await refuses(sealing, internal, () => guard.outbound(exchange, asking))
    const opened = await refuses(opening, refused, () => guard.inbound({ method: "tools/call", params: '{"name":"pay","requestState":"token"}', principal: null }))
    if (name === "it rejects") equal([sealed.cause.message, opened.cause.message], ["the key service is away", "the key service is away"], "causes")
    if (name === "it gives null") contains(sealed.cause.message, "seal of the Guard's codec gave Null, not a string")
  })
}

test("a client hears the one answer of a codec that fails, and the server's log the cause", async () => {
  const good = await aesCodec()
  let down = false
  /** @type {OwnCodec} */
  const codec = {
    seal: async (plaintext, context) => (down ? Promise.reject(new Error("the key service is away")) : good.seal(plaintext, context)),
    open: async (token, context) => (down ? Promise.reject(new Error("the key service is away")) : good.open(token, context)),
  }
  const guard = createGuard({ module, codec, audience: "shop" })
  /** @type {any[]} */
  const log = []
  const { fetch } = createMcpHandler(() => {
    const server = guardServer(new McpServer({ name: "shop", version: "1" }), guard)
    server.server.onerror = (error) => log.push(error)
    server.registerTool("pay", {}, ({ mcpReq }) => mcpReq.requestState() === "asked" ? { content: [{ type: "text", text: "paid" }] } : inputRequired({ inputRequests: { sure: inputRequired.elicit({ message: "Sure?", requestedSchema: { type: "object", properties: {} } }) }, requestState: "asked" }))
    return server
  })
  /** @param {object} [more] @returns {Promise<any>} */
  const pay = async (more) => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } }
    const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "pay" }
    return (await fetch(new Request("http://127.0.0.1/mcp", { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta, name: "pay", ...more } }) }))).json()
  }
  const { requestState } = (await pay()).result
  const answers = { requestState, inputResponses: { sure: { action: "accept", content: {} } } }
  down = true
  equal((await pay(answers)).error, refused, "error")
  equal((await pay()).error, internal, "error")
  equal(log.map(({ message, cause }) => [message, cause.cause.message]), [
    ["parley: requestState of tools/call: forged: the Guard's codec did not open it", "the key service is away"],
    ["parley: requestState of tools/call: unusable result: the Guard's codec did not seal", "the key service is away"],
  ], "log")
  down = false
  equal((await pay(answers)).result.content[0].text, "paid", "result")
})

test("a codec gets bytes of its own, and its Guard keeps no plaintext", async () => {
  /** @type {Uint8Array[]} */
  const seen = []
  const good = await aesCodec()
  const guard = createGuard({ module, audience: "shop", codec: { open: good.open, seal: (plaintext, context) => {
    equal([plaintext.byteOffset, plaintext.byteLength], [0, plaintext.buffer.byteLength], "where the plaintext is, and all of its buffer")
    seen.push(plaintext)
    return good.seal(plaintext, context)
  } } })
  await (await round(guard)).open()
  ok(seen.length === 1 && seen[0]?.every((byte) => byte === 0), "the plaintext is wiped")
  const moved = createGuard({ module, audience: "shop", codec: { open: good.open, seal: (plaintext, context) => {
    const copy = structuredClone(plaintext, { transfer: [/** @type {ArrayBuffer} */ (plaintext.buffer)] }) // as to a worker
    return good.seal(copy, context)
  } } })
  await (await round(moved)).open()
})

test("options that exclude each other are refused", async () => {
  const codec = await aesCodec()
  /** @type {[options: any, says: string][]} */
  const cases = [
    [{ codec, keys: newKey() }, "give keys or a codec of your own, not both"],
    [{ codec, maxToken: 1000 }, "a codec of your own bounds its tokens itself"],
    [{ codec: {} }, "codec is an object with the functions seal and open"],
    [{ codec: null }, "codec is an object with the functions seal and open"],
    [{ codec: "aes" }, "codec is an object with the functions seal and open"],
    [{ keys: undefined }, "keys is undefined: leave it out for a key that only this process has"],
    [{ codec: undefined }, "codec is undefined: leave it out"],
  ]
  for (const [options, says] of cases) contains((await refuses(Reason.options, internal, () => createGuard({ module, audience: "shop", ...options }))).message, says)
  contains((await thrown(() => createGuard({ module, codec }), "no audience")).message, "an Audience is required")
  contains((await refuses(Reason.options, internal, () => createGuard({ module, codec, audience: "shop" }).rekey(newKey()))).message, "no keys to replace")
})

test("a closed Guard refuses, even while its codec is at work", async () => {
  const good = await aesCodec()
  const guard = createGuard({ module, audience: "shop", codec: { seal: good.seal, open: async (token, context) => {
    guard.close()
    return good.open(token, context)
  } } })
  await refuses(Reason.instance, refused, (await round(guard)).open)
})

test("without keys there is one that only this process has", async () => {
  for (const guard of [createGuard(), createGuard({ module }), createGuardAnywhere({ module }), createGuard({ audience: "shop" })]) {
    equal(JSON.parse((await (await round(guard)).open()).params).requestState, "a secret state", "state")
    await refuses(Reason.unknownKey, refused, (await round(guard, createGuard({ module }))).open)
  }
})

test("a key of the process is made of the randomness that is given", async () => {
  const down = new Error("no device")
  const error = await refuses(Reason.random, internal, () => createGuard({ random: () => { throw down } }))
  ok(error.cause === down, "the cause")
})
