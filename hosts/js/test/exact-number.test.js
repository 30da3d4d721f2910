// Whole numbers that JavaScript rounds, on their way from the person to the
// handler, and from the server to the host.
import assert from "node:assert/strict"
import { test } from "node:test"

import { Client } from "@modelcontextprotocol/client"
import { createMcpHandler, InMemoryTransport, inputRequired, McpServer } from "@modelcontextprotocol/server"

import { inQuotes, rounds } from "../dist/texts/exact-number.js"
import { connect, fetchTransport, load, toolResult } from "../dist/node.js"
import { legible } from "../dist/results/schema-reader.js"
import { asking, form, guardServer, Tasks, tasksExtension } from "../dist/server/index.js"
import { anything, guardOf } from "./asking-server.js"

const refused = /An answer has a whole number beyond 9007199254740991, which this server's SDK rounds/

/** What becomes of an answer at a server on the TypeScript SDK. @type {Record<string, string | RegExp>} */
const answers = {
  "9007199254740991": "9007199254740991", "-9007199254740991": "-9007199254740991", "0.1": "0.1", "-0": "0", "1.50": "1.5",
  "9007199254740992": refused, "9007199254740993": refused, "9223372036854775807": refused, "-9223372036854775808": refused, "18446744073709551615": refused, "1e30": refused,
  "1e400": refused,
}

test("which numbers JSON.parse changes", () => {
  for (const text of ["9007199254740993", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1e400", "-1e999", "9007199254740993.0", "90071992547409930e-1", `1${"0".repeat(500)}`]) {
    assert.equal(rounds(`{"a":[${text}]}`), true, text)
    assert.equal(inQuotes(`[ ${text} ]`), `[ "${text}" ]`)
  }
  for (const text of ["9007199254740991", "9007199254740992", "1e30", "1000000000000000000000", "1.0e22", "0.1", "-0", "3.14159265358979323846", "1e-400", '"9007199254740993"', String.raw`"\\\"9007199254740993"`]) {
    assert.equal(rounds(`{"a":[${text}]}`), false, text)
    assert.equal(inQuotes(`[ ${text} ]`), `[ ${text} ]`)
  }
})

test("a typed result says so where its numbers would be rounded, and has its text", () => {
  const raw = '{"content":[{"type":"text","text":"hi"}],"structuredContent":{"id":9007199254740993,"s":"9007199254740993"}}'
  const result = toolResult({ status: "done", result: raw })
  assert.equal(result.content[0]?.text, "hi")
  assert.throws(() => result.structuredContent, { name: "RangeError", message: /whole number that JavaScript would round.* raw/ })
  assert.equal(result.raw, raw)
  assert.deepEqual(legible(result).structuredContent, { id: "9007199254740993", s: "9007199254740993" })
  assert.deepEqual(JSON.parse(JSON.stringify(result)).structuredContent, { id: "9007199254740993", s: "9007199254740993" })
  const exact = toolResult({ status: "done", result: raw.replaceAll("9007199254740993", "9007199254740991") })
  assert.deepEqual(exact.structuredContent, { id: 9007199254740991, s: "9007199254740991" })
  assert.equal(legible(exact), exact)
})

/** @type {any} */
const number = { type: "object", properties: { n: { type: "number" } } }
const question = inputRequired.elicit({ message: "How many?", requestedSchema: number })
const says = (/** @type {unknown} */ value) => ({ content: [{ type: /** @type {const} */ ("text"), text: JSON.stringify(value) }] })

/** A server that tells what it hears of n: in each way to ask. */
function server() {
  const guard = guardOf()
  const made = guardServer(new McpServer({ name: "test", version: "1" }, { capabilities: { extensions: { [tasksExtension]: {} } } }), guard)
  const tasks = shared.add(made) && shared
  made.registerTool("straight", { inputSchema: anything }, asking(guard, async (_, ask) => says((await ask.form("How many?", number)).n)))
  made.registerTool("plain", { inputSchema: anything }, async (_, { mcpReq }) => {
    const answer = /** @type {any} */ (mcpReq.inputResponses?.["q"])
    return answer ? says(answer.content.n) : inputRequired({ inputRequests: { q: question } })
  })
  made.registerTool("task", { inputSchema: anything }, (_, context) => tasks.start(context, async (task) => says((await task.ask({ q: question }))["q"].content.n)))
  return made
}
const shared = new Tasks({ poll: 1 })

for (const name of ["plain", "straight", "task"]) {
  test(`${name}: the handler gets the number that the person gave, or the person a sentence`, async () => {
    const { fetch } = createMcpHandler(server)
    for (const [given, want] of Object.entries(answers)) {
      const session = connect(await load(), fetchTransport("http://127.0.0.1/mcp", { fetch: (url, init) => fetch(new Request(url, init)) }), {
        askers: { tasks: true, elicit: () => `{"action":"accept","content":{"n":${given}}}` },
      })
      const outcome = await session.callTool({ name }).catch((error) => error)
      const got = outcome.content?.[0].text ?? outcome.message
      if (typeof want === "string") assert.equal(got, want, given)
      else assert.match(got, want, given)
      await session.close()
    }
  })
}

for (const name of ["plain", "straight"]) {
  test(`${name}: a client of an earlier revision gets the sentence, too`, async () => {
    const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "legacy" } })
    let n = 9007199254740993 // which JavaScript has rounded here already
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { n } }))
    const [near, far] = InMemoryTransport.createLinkedPair()
    await server().connect(near)
    await client.connect(far)
    const call = async () => JSON.stringify(await client.callTool({ name }).catch((error) => error.message))
    assert.match(await call(), refused)
    n = 5
    assert.match(await call(), /"text":"5"/)
    await client.close()
  })
}

test("an answer that a server in another language recorded is not rounded", async () => {
  const { key = "elicitation-1", method, params } = form("How many?", number)
  const of = Buffer.from(guardOf().questionDigest(key, method, JSON.stringify(params))).toString("base64url")
  const record = (/** @type {string} */ n) => `{"asking":1,"steps":[[{"of":"${of}","is":{"action":"accept","content":{"n":${n}}}}],null]}`
  for (const [n, want] of /** @type {const} */ ([["9007199254740993", /recorded a whole number that JavaScript would round/], ["7", /"text":"7"/]])) {
    let going = false
    const { fetch } = createMcpHandler(() => {
      const guard = guardOf()
      const made = guardServer(new McpServer({ name: "test", version: "1" }), guard)
      const straight = asking(guard, async (/** @type {any} */ _, ask) => {
        const { n } = await ask.form("How many?", number)
        await ask.form("And?", /** @type {any} */ ({ type: "object", properties: {} }))
        return says(n)
      })
      made.registerTool("ask", { inputSchema: anything }, /** @type {any} */ ((/** @type {any} */ args, /** @type {any} */ context) => {
        if (going) return straight(args, context)
        going = true
        return inputRequired({ inputRequests: { "elicitation-2": inputRequired.elicit({ message: "And?", requestedSchema: { type: "object", properties: {} } }) }, requestState: record(n) })
      }))
      return made
    })
    const session = connect(await load(), fetchTransport("http://127.0.0.1/mcp", { fetch: (url, init) => fetch(new Request(url, init)) }), {
      askers: { elicit: () => '{"action":"accept","content":{}}' },
    })
    assert.match(JSON.stringify(await session.callTool({ name: "ask" }).catch((error) => error.message)), want)
    await session.close()
  }
})
