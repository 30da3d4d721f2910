import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { createMcpHandler, InMemoryTransport, McpServer } from "@modelcontextprotocol/server"

import { asking, Cancelled, Declined, form, guardServer, roots, sampling } from "../dist/server/index.js"
import { anything, guardOf, serve, serverOf } from "./asking-server.js"

/** @import { Ask } from "../dist/server/index.js" */

/** @type {any} */
const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }
const says = (/** @type {string} */ a) => ({ action: "accept", content: { a } })
const no = { action: "decline" }

/**
 * Calls a tool round by round: each answers some of the questions, by their
 * messages. Gives the last answer, and what was asked in each round.
 *
 * @param {ReturnType<typeof serve>} call
 * @param {Record<string, any>[]} rounds
 * @param {Parameters<ReturnType<typeof serve>>[1]} [how]
 */
async function play(call, rounds, how) {
  let answer = await call({}, how)
  /** @type {string[][]} */
  const asked = []
  for (const answers of rounds) {
    assert.ok(answer.result?.inputRequests, `a round without questions: ${JSON.stringify(answer)}`)
    const questions = Object.entries(answer.result.inputRequests)
    const said = (/** @type {any} */ { method, params }) => params.message ?? params.messages?.[0].content.text ?? method
    asked.push(questions.map(([, question]) => said(question)))
    const inputResponses = Object.fromEntries(questions.flatMap(([key, question]) => (Object.hasOwn(answers, said(question)) ? [[key, answers[said(question)]]] : [])))
    answer = await call({ requestState: answer.result.requestState, inputResponses }, how)
  }
  return { asked, text: answer.result?.content?.[0].text, ...answer }
}

test("a run that waits for an answer goes no further, and lets go of what it holds", async () => {
  /** @type {string[]} */
  const seen = []
  const call = serve(async (_, ask) => {
    ask.signal.addEventListener("abort", () => seen.push("released"))
    try {
      const { a } = await ask.form("A?", schema)
      seen.push("answered")
      return a
    } catch {
      seen.push("caught")
      return "caught"
    } finally {
      seen.push("finally")
    }
  })
  const { text } = await play(call, [{ "A?": says("x") }])
  assert.equal(text, "x")
  assert.deepEqual(seen, ["released", "answered", "finally", "released"])
})

test("a run that waits for an answer is collected", async () => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc")
  /** @type {WeakRef<object>[]} */
  const held = []
  const call = serve(async (_, ask) => {
    const large = { bytes: new Uint8Array(1000) }
    held.push(new WeakRef(large))
    const { a } = await ask.form("A?", schema)
    return a + large.bytes.length
  })
  for (let i = 0; i < 20; i++) await call()
  await new Promise((resolve) => { setImmediate(resolve) })
  collect()
  assert.equal(held.length, 20)
  assert.ok(held.filter((one) => one.deref()).length <= 1, "all but perhaps the last are gone")
})

test("a no is thrown, and not taken for another answer", async () => {
  const asks = async (/** @type {any} */ _, /** @type {Ask} */ ask) => {
    try {
      await ask.url("Look.", "https://example.com/")
      return "seen"
    } catch (error) {
      if (error instanceof Declined) return "declined"
      if (error instanceof Cancelled) return "cancelled"
      throw error
    }
  }
  for (const [action, text] of Object.entries({ accept: "seen", decline: "declined", cancel: "cancelled" })) {
    assert.equal((await play(serve(asks), [{ "Look.": { action } }])).text, text)
  }
})

test("at once, one that is unanswered is asked again alone", async () => {
  const call = serve(async (_, ask) => {
    const [text, [root], { a }] = await ask.all(sampling("River?"), roots(), form("A?", schema))
    return `${text} ${root?.uri} ${a}`
  })
  const river = { role: "assistant", model: "m", content: [{ type: "text", text: "Glo" }, { type: "text", text: "mma" }] }
  const { asked, text } = await play(call, [{ "River?": river, "A?": says("x") }, { "roots/list": { roots: [{ uri: 7 }] } }, { "roots/list": { roots: [{ uri: "file:///a" }] } }])
  assert.deepEqual(asked, [["A?", "roots/list", "River?"], ["roots/list"], ["roots/list"]])
  assert.equal(text, "Glomma file:///a x")
})

test("at the same time, by Promise.all", async (t) => {
  await t.test("with keys it is one round, in whichever order they start", async () => {
    let round = 0
    const call = serve(async (_, ask) => {
      const later = async (/** @type {string} */ key) => (await ask.form(`${key}?`, schema, { key })).a
      const branches = round++ % 2 ? [later("b"), later("a")] : [later("a"), later("b")]
      return (await Promise.all(branches)).sort().join()
    })
    const { asked, text } = await play(call, [{ "a?": says("1") }, { "b?": says("2") }])
    assert.deepEqual(asked, [["a?", "b?"], ["b?"]])
    assert.equal(text, "1,2")
  })
  await t.test("a no belongs to its own question", async () => {
    const call = serve(async (_, ask) => {
      const both = await Promise.allSettled(["a", "b"].map((key) => ask.form(`${key}?`, schema, { key })))
      return both.map(({ status }) => status).join()
    })
    assert.equal((await play(call, [{ "a?": says("1"), "b?": no }])).text, "fulfilled,rejected")
  })
  /** @type {Record<string, [(ask: Ask) => Promise<any>, RegExp]>} */
  const wrong = {
    "without keys": [(ask) => Promise.all([ask.form("A?", schema), ask.form("B?", schema)]), /need a key each/],
    "one key": [(ask) => Promise.all([ask.form("A?", schema, { key: "a" }), ask.roots({ key: "a" })]), /have one key/],
    "one key in all": [(ask) => ask.all(roots({ key: "a" }), roots({ key: "a" })), /have one key/],
    "with and without": [(ask) => Promise.all([ask.form("A?", schema, { key: "a" }), ask.roots()]), /need a key each/],
    "in the middle of once": [(ask) => ask.once("a", () => ask.roots()), /need a key each/],
    "not awaited": [async (ask) => void ask.roots({ key: "a" }), /await it/],
  }
  for (const [name, [asks, problem]] of Object.entries(wrong)) {
    await t.test(`${name} it is refused`, async () => {
      const { result } = await serve(async (_, ask) => String(await asks(ask).catch(() => "swallowed")))()
      assert.equal(result.isError, true)
      assert.match(result.content[0].text, problem)
    })
  }
})

test("what is done once is done in one round", async () => {
  let runs = 0
  const call = serve(async (_, ask) => {
    const { order, at } = await ask.once("order", () => ({ order: ++runs, at: new Date(0), 10: 1, 9: 1, é: "\ud800", none: undefined }))
    const { a } = await ask.form(`Order ${order} of ${at}?`, schema)
    const after = await ask.once("after", async () => ++runs)
    await ask.form("Sure?", schema)
    return `${order} ${a} ${after}`
  })
  const { asked, text } = await play(call, [{}, { "Order 1 of 1970-01-01T00:00:00.000Z?": says("x") }, { "Sure?": says("y") }])
  assert.deepEqual(asked.flat(), ["Order 1 of 1970-01-01T00:00:00.000Z?", "Order 1 of 1970-01-01T00:00:00.000Z?", "Sure?"])
  assert.equal(text, "1 x 2")
  assert.match((await serve((_, ask) => ask.once("a", () => NaN).then(String))()).result.content[0].text, /JSON does not have/)
})

test("what changes is asked anew, and so is what came after it", async (t) => {
  const handler = (/** @type {(round: number) => string} */ wording) => {
    let round = 0
    return async (/** @type {any} */ _, /** @type {Ask} */ ask) => {
      const first = await ask.form(wording(round++), schema)
      const second = await ask.form("B?", schema)
      return `${first.a} ${second.a}`
    }
  }
  const changed = () => handler((round) => (round < 2 ? "A?" : "Which A?"))
  await t.test("by default", async () => {
    const { asked, text } = await play(serve(changed()), [{ "A?": says("1") }, { "B?": says("2") }, { "Which A?": says("3") }, { "B?": says("4") }])
    assert.deepEqual(asked.flat(), ["A?", "B?", "Which A?", "B?"])
    assert.equal(text, "3 4")
  })
  await t.test("strict, the call fails", async () => {
    const earlier = await play(serve(changed(), { strict: true }), [{ "A?": says("1") }, { "B?": says("2") }])
    assert.match(earlier.text, /asked otherwise/)
    const open = await play(serve(handler((round) => (round < 1 ? "A?" : "Which A?")), { strict: true }), [{ "A?": says("1") }])
    assert.match(open.text, /asked otherwise/)
    assert.equal((await play(serve(handler(() => "A?"), { strict: true }), [{ "A?": says("1") }, {}, { "B?": says("2") }])).text, "1 2")
  })
})

test("an answer that nobody could use is asked for again", async () => {
  const deep = JSON.parse(`${'{"a":'.repeat(50)}1${"}".repeat(50)}`)
  /** @type {[(ask: Ask) => Promise<any>, string, any[]][]} */
  const cases = [
    [(ask) => ask.form("A?", schema), "A?", [{ action: "maybe" }, { action: "accept", content: [] }, { action: "accept", content: { a: 1 } }, { action: "accept", content: { a: deep } }]],
    [(ask) => ask.sampling("A?"), "A?", [{ role: "user", model: "m", content: { type: "text", text: "x" } }, { role: "assistant", model: "m", content: [{ type: "text" }] }, { role: "assistant", model: "m" }]],
    [(ask) => ask.roots(), "roots/list", [{ roots: {} }, { roots: [null] }]],
  ]
  for (const [asks, question, answers] of cases) {
    for (const answer of answers) {
      const { result } = await play(serve(async (_, ask) => String(await asks(ask))), [{ [question]: answer }])
      assert.equal(result?.resultType, "input_required", JSON.stringify(answer).slice(0, 80))
    }
  }
})

test("more than fits is refused before it is sent", async () => {
  const call = serve(async (_, ask) => `${(await ask.form("A?", schema)).a} ${(await ask.form("B?", schema)).a}`, { maxRecord: 200 })
  assert.match((await play(call, [{ "A?": says("x".repeat(200)) }])).text, /raise maxRecord/)
})

test("what the client did not declare is the SDK's error", async () => {
  const { error } = await serve((_, ask) => ask.sampling("A?"))({}, { capabilities: { elicitation: {} } })
  assert.equal(error.code, -32021)
})

test("tools without arguments ask, and prompts", async () => {
  const call = serve(async (args, ask, { mcpReq }) => `${Object.keys(args).length} ${(await ask.form("A?", schema)).a} ${mcpReq.inputResponses}`)
  assert.equal((await play(call, [{ "A?": says("x") }], { name: "plain" })).text, "0 x undefined")
  const prompt = await play(call, [{ "A?": says("y") }], { name: "prompt", method: "prompts/get" })
  assert.equal(prompt.result.messages[0].content.text, "y")
})

test("another Guard than the server's is named", async () => {
  assert.match((await serve(() => "", { other: true })()).result.content[0].text, /another Guard/)
})

for (const version of ["2026-07-28", "2025-11-25"]) {
  test(`the SDK's client of ${version}`, async (t) => {
    const server = () => serverOf(async (_, ask) => `${(await ask.form("A?", schema)).a} ${(await ask.form("B?", schema)).a}`)
    const [near, far] = InMemoryTransport.createLinkedPair()
    const modern = version === "2026-07-28"
    const handler = createMcpHandler(server)
    const transport = modern ? new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch: (url, init) => handler.fetch(new Request(url, init)) }) : far
    if (!modern) await server().connect(near)
    const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: modern ? { pin: version } : "legacy" } })
    t.after(() => client.close())
    /** @type {string[]} */
    const asked = []
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message)
      return { action: "accept", content: { a: params.message.slice(0, 1) } }
    })
    await client.connect(transport)
    assert.equal(client.getNegotiatedProtocolVersion(), version)
    assert.deepEqual((await client.callTool({ name: "ask" })).content, [{ type: "text", text: "A B" }])
    assert.deepEqual(asked, ["A?", "B?"])
  })
}

test("the README's tool", async (t) => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
  const snippet = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code).find((code) => code.includes("asking(guard"))
  const server = new McpServer({ name: "test", version: "1" })
  new Function("server", "guard", "inputSchema", "asking", "guardServer", snippet?.replace(/^import .*$/gm, "") ?? "")(server, guardOf(), anything, asking, guardServer)
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } } })
  t.after(() => client.close())
  client.setRequestHandler("elicitation/create", ({ params }) => {
    /** @type {Record<string, string>} */
    const content = params.message === "Which room in Oslo?" ? { room: "7" } : {}
    return { action: "accept", content }
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(near), client.connect(far)])
  assert.deepEqual((await client.callTool({ name: "book", arguments: { city: "Oslo" } })).content, [{ type: "text", text: "7 is booked" }])
})
