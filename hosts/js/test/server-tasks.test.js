import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server"

import { createGuard } from "../dist/codec/index.js"
import { connect, fetchTransport, load } from "../dist/node.js"
import { abilities, guardServer, TaskError, taskMemory, Tasks, tasksExtension } from "../dist/server/index.js"

/** @import { ServerContext, StandardSchemaWithJSON } from "@modelcontextprotocol/server" */
/** @import { TasksOptions, Work } from "../dist/server/index.js" */

const module = new WebAssembly.Module(readFileSync(new URL("../../../wasm/parley-codec.wasm", import.meta.url)))
const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"

/** @type {StandardSchemaWithJSON<any, any>} */
const anything = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }), jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) } },
}
const agreement = (/** @type {string} */ message) =>
  inputRequired.elicit({ message, requestedSchema: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } })
const says = (/** @type {string} */ text) => ({ content: [{ type: /** @type {const} */ ("text"), text }] })
const able = { elicitation: { form: {} }, extensions: { [tasksExtension]: {} } }

/**
 * A server whose tool "work" is a task, "either" need not be one, and
 * "provision" asks first.
 *
 * @param {Work} work
 * @param {TasksOptions} [options]
 */
function serve(work, options) {
  const tasks = new Tasks({ poll: 100, ...options })
  const guard = createGuard({ module, keys, audience: "test" })
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer({ name: "test", version: "1" }, { capabilities: { extensions: { [tasksExtension]: {} } } })
    tasks.add(guardServer(server, guard, { principal: (context) => context.http?.req?.headers.get("X-User") ?? null }))
    server.registerTool("work", { inputSchema: anything }, (_, context) => tasks.start(context, work))
    server.registerTool("either", { inputSchema: anything }, (_, context) => /** @type {any} */ (tasks.run(context, work)))
    server.registerTool("provision", { inputSchema: anything }, async (_, context) => {
      tasks.require(context)
      const price = acceptedContent(context.mcpReq.inputResponses, "price")
      if (!price) return inputRequired({ inputRequests: { price: agreement("It costs 12 EUR. All right?") }, requestState: "asked" })
      return tasks.start(context, work)
    })
    return server
  })
  let id = 0
  /** @param {string} method @param {Record<string, any>} params @param {{capabilities?: object, user?: string, name?: string | null}} [how] @returns {Promise<any>} */
  const post = async (method, params, { capabilities = able, user = "ada", name = params.name ?? params.taskId } = {}) => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": capabilities }
    const response = await fetch(new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json", Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, ...(name !== null && { "Mcp-Name": name }), "X-User": user,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params: { _meta, ...params } }),
    }))
    return response.json()
  }
  /** Polls until the task has a status. @param {string} taskId @param {string} status */
  const until = async (taskId, status) => {
    for (;;) {
      const { result, error } = await post("tasks/get", { taskId })
      assert.ifError(error)
      if (result.status === status) return result
      assert.ok(result.status === "working" || result.status === "input_required", `the task is ${result.status}, not ${status}`)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  return { post, until, fetch }
}

/** @type {Work} */
const asking = async (task) => {
  await task.say("About to ask")
  const { start, name } = await task.ask({ start: agreement("Start it?"), name: agreement("With a name?") })
  await assert.rejects(task.ask({ start: agreement("Start it?") }), /used before/)
  return says(`started: ${start.content.ok}, named: ${name.action}`)
}

test("a task asks, is answered one by one, and ends with its result", async () => {
  const { post, until } = serve(asking)
  const made = (await post("tools/call", { name: "work" })).result
  assert.equal(made.resultType, "task")
  assert.equal(made.ttlMs, 3_600_000)
  assert.ok(made.createdAt && made.lastUpdatedAt && made.pollIntervalMs === 100)
  const { taskId } = made
  const open = await until(taskId, "input_required")
  assert.equal(open.resultType, "complete")
  assert.equal(open.statusMessage, "About to ask")
  assert.equal(open.inputRequests.start.method, "elicitation/create")
  const ack = await post("tasks/update", { taskId, inputResponses: { start: { action: "accept", content: { ok: true } }, other: { ignored: true } } })
  assert.deepEqual({ ...ack.result, _meta: undefined }, { resultType: "complete", _meta: undefined })
  assert.deepEqual(Object.keys((await until(taskId, "input_required")).inputRequests), ["name"])
  await post("tasks/update", { taskId, inputResponses: { start: { action: "cancel" }, name: { action: "decline" } } })
  assert.equal((await until(taskId, "completed")).result.content[0].text, "started: true, named: decline")
  assert.equal((await post("tasks/cancel", { taskId })).result.resultType, "complete")
  await until(taskId, "completed")
})

test("a task ends", async (t) => {
  /** @type {Record<string, [work: Work, status: string, error: object | undefined]>} */
  const cases = {
    "with an error for the client": [async () => { throw new TaskError(-32000, "no such region", { region: 7 }) }, "failed", { code: -32000, message: "no such region", data: { region: 7 } }],
    "with an error for the log": [async () => { throw new Error("the password is wrong") }, "failed", { code: -32603, message: "It failed inside the server" }],
    "without a result": [async () => /** @type {any} */ (undefined), "failed", { code: -32603, message: "It failed inside the server" }],
    "with a tool's error": [async () => ({ ...says("no"), isError: true }), "completed", undefined],
  }
  for (const [name, [work, status, error]] of Object.entries(cases)) {
    await t.test(name, async () => {
      const { post, until } = serve(work)
      const { taskId } = (await post("tools/call", { name: "work" })).result
      assert.deepEqual((await until(taskId, status)).error, error)
    })
  }
  await t.test("when it asks what the client cannot answer", async () => {
    const { post, until } = serve(asking)
    const { taskId } = (await post("tools/call", { name: "work" }, { capabilities: { extensions: able.extensions } })).result
    const { error } = await until(taskId, "failed")
    assert.deepEqual([error.code, error.data], [-32021, { requiredCapabilities: { elicitation: { form: {} } } }])
  })
  await t.test("when it is canceled", async () => {
    const { post, until } = serve(asking)
    const { taskId } = (await post("tools/call", { name: "work" })).result
    await until(taskId, "input_required")
    await post("tasks/cancel", { taskId })
    await until(taskId, "cancelled")
  })
})

test("nobody else gets to know of a task, and it is forgotten", async () => {
  let now = 1_800_000_000_000
  const { post, until } = serve(asking, { now: () => now, store: taskMemory(1), principal: (context) => context.http?.req?.headers.get("X-User") ?? null })
  const { taskId } = (await post("tools/call", { name: "work" })).result
  await until(taskId, "input_required")
  const gone = { code: -32602, message: "There is no such task, or not any more" }
  for (const method of ["tasks/get", "tasks/update", "tasks/cancel"]) {
    assert.deepEqual((await post(method, { taskId }, { user: "mallory" })).error, gone)
    assert.deepEqual((await post(method, { taskId: "made-up" })).error, gone)
    assert.equal((await post(method, { taskId }, { capabilities: {} })).error.code, -32021)
    for (const name of ["another", null]) assert.equal((await post(method, { taskId }, { name })).error.code, -32020) // by the SDK
  }
  assert.match((await post("tools/call", { name: "work" })).error.message, /too many tasks/)
  now += 24 * 3_600_000 + 1
  assert.deepEqual((await post("tasks/get", { taskId })).error, gone)
  assert.equal((await post("tools/call", { name: "work" })).result.resultType, "task")
})

test("one user has a quarter of a store", async () => {
  const { post } = serve(asking, { store: taskMemory(8), principal: (context) => context.http?.req?.headers.get("X-User") || null })
  /** How many tasks a user gets. @param {string} user */
  const begun = async (user) => {
    for (let n = 0; ; n++) {
      const { error } = await post("tools/call", { name: "work" }, { user })
      if (error) return [n, error.message]
    }
  }
  const full = "There are too many tasks already: try again later"
  assert.deepEqual([await begun("ada"), await begun("bob"), await begun("")], [[2, full], [2, full], [4, full]]) // "" is nobody
})

test("a client without tasks waits, or is told what is missing", async () => {
  const { post } = serve(async () => says("done"))
  const capabilities = { elicitation: {} }
  assert.equal((await post("tools/call", { name: "either" }, { capabilities })).result.content[0].text, "done")
  assert.equal((await post("tools/call", { name: "either" })).result.resultType, "task")
  const { error } = await post("tools/call", { name: "provision" }, { capabilities })
  assert.deepEqual(error, { code: -32021, message: `This needs a client that declares the extension ${tasksExtension}`, data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } } })
})

test("Parley's client answers a round and the task as one call", async () => {
  const { fetch } = serve(asking)
  /** @type {string[]} */
  const asked = []
  const session = connect(await load(), fetchTransport("http://127.0.0.1/mcp", { fetch: (input, init) => fetch(new Request(input, init)) }), {
    askers: {
      tasks: true,
      elicit: async ({ params = "" }) => {
        asked.push(JSON.parse(params).message)
        return { action: "accept", content: { ok: true } }
      },
    },
  })
  const { content } = await session.callTool({ name: "provision" })
  assert.equal(/** @type {any} */ (content[0]).text, "started: true, named: accept")
  assert.deepEqual(asked.sort(), ["It costs 12 EUR. All right?", "Start it?", "With a name?"])
  await session.close()
})

// The official client does not know the extension, so it declares none.
test("the official client waits, and is told", async () => {
  const { fetch } = serve(async () => says("done"))
  const client = new Client({ name: "test", version: "1" }, { capabilities: {}, versionNegotiation: { mode: "auto" } })
  await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch: (input, init) => fetch(new Request(input, init)) }))
  const { content } = await client.callTool({ name: "either", arguments: {} })
  assert.equal(/** @type {any} */ (content)[0].text, "done")
  await assert.rejects(client.callTool({ name: "work", arguments: {} }), { code: -32021 })
  await client.close()
})

test("what a client can do", () => {
  const context = (/** @type {object | undefined} */ declared) => /** @type {ServerContext} */ (/** @type {unknown} */ ({
    mcpReq: { envelope: declared && { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": declared } },
  }))
  const none = { way: null, form: false, url: false, sampling: false, samplingTools: false, roots: false, tasks: false }
  assert.deepEqual(abilities(context({})), none)
  assert.deepEqual(abilities(context({ elicitation: {} })), { ...none, way: "rounds", form: true })
  assert.deepEqual(abilities(context({ elicitation: { url: {} }, sampling: { tools: {} }, roots: {} })), { ...none, way: "rounds", url: true, sampling: true, samplingTools: true, roots: true })
  assert.deepEqual(abilities(context({ extensions: { [tasksExtension]: {} } })), { ...none, tasks: true })
  const early = { getClientCapabilities: () => ({ elicitation: { form: {} }, extensions: { [tasksExtension]: {} } }) }
  assert.deepEqual(abilities(context(undefined), early), { ...none, way: "requests", form: true })
  assert.deepEqual(abilities(context(undefined)), none)
})
