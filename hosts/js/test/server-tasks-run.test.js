// Work that need not be a task, at clients without tasks.
import assert from "node:assert/strict"
import { test } from "node:test"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { createMcpHandler, InMemoryTransport, inputRequired, McpServer } from "@modelcontextprotocol/server"

import { asking, guardServer, TaskError, Tasks } from "../dist/server/index.js"
import { anything, guardOf } from "./asking-server.js"

/** @import { Work } from "../dist/server/index.js" */

const asksFor = (/** @type {string} */ message) =>
  inputRequired.elicit({ message, requestedSchema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } })
const says = (/** @type {string} */ text) => ({ content: [{ type: /** @type {const} */ ("text"), text }] })
const said = (/** @type {string} */ a) => ({ action: "accept", content: { a } })
const forms = { elicitation: { form: {} } }

/** A server whose tool "run" is work that need not be a task, and "later" asks before. @param {Work} work @param {boolean} [guarded] */
function serverOf(work, guarded = true) {
  const tasks = new Tasks()
  const guard = guardOf()
  const server = new McpServer({ name: "test", version: "1" })
  tasks.add(guarded ? guardServer(server, guard) : server)
  server.registerTool("run", { inputSchema: anything }, (_, context) => /** @type {any} */ (tasks.run(context, work)))
  server.registerTool("later", { inputSchema: anything }, asking(guard, async (_, ask, context) => {
    await ask.form("First?", { type: "object", properties: { a: { type: "string" } }, required: ["a"] })
    return /** @type {any} */ (tasks.run(context, work))
  }))
  return server
}

/** A way to call its tools with rounds. @param {Work} work @param {{guarded?: boolean, capabilities?: object}} [options] */
function serve(work, { guarded, capabilities = forms } = {}) {
  /** @param {object} [params] @param {string} [name] @returns {Promise<any>} */
  return async (params, name = "run") => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": capabilities }
    const { fetch } = createMcpHandler(() => serverOf(work, guarded))
    const response = await fetch(new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json", Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta, name, ...params } }),
    }))
    return response.json()
  }
}

/** Asks for one thing, then for two at once, then by two questions at the same time. */
function thrice() {
  const seen = { runs: 0, effects: 0 }
  /** @type {Work} */
  const work = async (task) => {
    seen.runs++
    await task.say("About to ask")
    const { one } = await task.ask({ one: asksFor("One?") })
    await assert.rejects(task.ask({ one: asksFor("One?") }), /used before/)
    await assert.rejects(task.ask(/** @type {any} */ (asksFor("Two?"))), /an object of questions, by keys of yours/)
    const { two, three } = await task.ask({ two: asksFor("Two?"), three: asksFor("Three?") })
    const [{ four }, { five }] = await Promise.all([task.ask({ four: asksFor("Four?") }), task.ask({ five: asksFor("Five?") })])
    seen.effects++
    return says([one, two, three, four, five].map(({ action, content }) => content?.a ?? action).join(" "))
  }
  return { seen, work }
}

test("work asks in rounds", async () => {
  const { seen, work } = thrice()
  const call = serve(work)
  /** @type {[answers: object | undefined, asked: string[] | string][]} */
  const rounds = [
    [undefined, ["one"]],
    [{ one: said("1") }, ["three", "two"]],
    [{ two: { action: "decline" } }, ["three"]],
    [{ three: said("3"), other: said("ignored") }, ["five", "four"]],
    [{ five: said("5"), four: said("4") }, "1 decline 3 4 5"],
  ]
  let requestState
  for (const [inputResponses, want] of rounds) {
    const { result } = await call({ requestState, inputResponses })
    assert.deepEqual(result.inputRequests ? Object.keys(result.inputRequests).sort() : result.content[0].text, want)
    requestState = result.requestState
  }
  assert.deepEqual(seen, { runs: 5, effects: 1 })
})

test("work asks after its handler did, and has one record with it", async () => {
  const call = serve(async (task) => says((await task.ask({ one: asksFor("One?") })).one.content.a))
  const first = await call({}, "later")
  const [key = ""] = Object.keys(first.result.inputRequests)
  const second = await call({ requestState: first.result.requestState, inputResponses: { [key]: said("x") } }, "later")
  assert.deepEqual(Object.keys(second.result.inputRequests), ["one"])
  const { result } = await call({ requestState: second.result.requestState, inputResponses: { one: said("1") } }, "later")
  assert.equal(result.content[0].text, "1")
})

test("work asks for roots and a model", async () => {
  const call = serve(async (task) => {
    const { roots, model } = await task.ask({ roots: inputRequired.listRoots(), model: inputRequired.createMessage({ messages: [], maxTokens: 9 }) })
    return says(`${roots.roots[0].uri} ${model.model}`)
  }, { capabilities: { roots: {}, sampling: {} } })
  const { requestState } = (await call()).result
  const inputResponses = { roots: { roots: [{ uri: "file:///a" }] }, model: { role: "assistant", model: "m", content: { type: "text", text: "x" } } }
  assert.equal((await call({ requestState, inputResponses })).result.content[0].text, "file:///a m")
})

test("work is told what the client cannot answer, and so is the client", async () => {
  const { work } = thrice()
  const { error } = await serve(work, { capabilities: {} })()
  assert.deepEqual([error.code, error.data], [-32021, { requiredCapabilities: { elicitation: { form: {} } } }])
  const caught = serve((task) => task.ask({ one: asksFor("One?") }).then(() => says("asked"), () => says("without")), { capabilities: {} })
  assert.equal((await caught()).result.content[0].text, "without")
})

test("an error of the work for the client is the client's", async () => {
  const { error } = await serve(async () => { throw new TaskError(-32000, "no such region") })()
  assert.deepEqual([error.code, error.message], [-32000, "no such region"])
})

test("what a run holds is released after it", async () => {
  /** @type {string[]} */
  const seen = []
  const call = serve(async (task) => {
    task.signal.addEventListener("abort", () => seen.push("released"))
    await task.ask({ one: asksFor("One?") })
    seen.push("answered")
    return says("done")
  })
  const { requestState } = (await call()).result
  await call({ requestState, inputResponses: { one: said("1") } })
  assert.deepEqual(seen, ["released", "answered", "released"])
})

test("work that does not ask needs no Guard, other work does", async () => {
  assert.equal((await serve(async () => says("done"), { guarded: false })()).result.content[0].text, "done")
  const { result } = await serve(thrice().work, { guarded: false })()
  assert.match(result.content[0].text, /call guardServer/)
})

for (const version of ["2026-07-28", "2025-11-25"]) {
  test(`the SDK's client of ${version} is asked for each thing once`, async (t) => {
    const { seen, work } = thrice()
    const [near, far] = InMemoryTransport.createLinkedPair()
    const modern = version === "2026-07-28"
    const handler = createMcpHandler(() => serverOf(work))
    const transport = modern ? new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch: (url, init) => handler.fetch(new Request(url, init)) }) : far
    if (!modern) await serverOf(work).connect(near)
    const client = new Client({ name: "test", version: "1" }, { capabilities: forms, versionNegotiation: { mode: modern ? { pin: version } : "legacy" } })
    t.after(() => client.close())
    /** @type {string[]} */
    const asked = []
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message)
      return { action: "accept", content: { a: params.message.slice(0, 2) } }
    })
    await client.connect(transport)
    assert.deepEqual((await client.callTool({ name: "run" })).content, [{ type: "text", text: "On Tw Th Fo Fi" }])
    assert.deepEqual(asked.sort(), ["Five?", "Four?", "One?", "Three?", "Two?"])
    assert.equal(seen.effects, 1)
  })
}
