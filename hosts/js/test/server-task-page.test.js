import assert from "node:assert/strict"
import { test } from "node:test"

import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { createMcpHandler, inputRequired, McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"

import { connect, fetchTransport, load } from "../dist/node.js"
import { TaskError, Tasks, tasksExtension } from "../dist/server/index.js"

/** @import { Work } from "../dist/server/index.js" */

/** @type {any} */
const anything = {
  "~standard": { version: 1, vendor: "test", validate: (/** @type {any} */ value) => ({ value }), jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) } },
}
const who = (/** @type {string} */ message) =>
  inputRequired.elicit({ message, requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } })

/** @type {Work} */
const greet = async (task) => {
  await task.say("Nearly there")
  const { first } = await task.ask({ first: who("First?") })
  const { second } = await task.ask({ second: who("Second?") })
  return { content: [{ type: "text", text: `Hello ${first.content.name} and ${second.content.name}` }], _meta: { own: 1 } }
}

/** A server of tasks in both forms: how it is reached in a session, and without. @param {Work} work */
async function serve(work) {
  const tasks = new Tasks({ poll: 100, page: true, now: () => 1_800_000_000_000 })
  const make = () => {
    const server = new McpServer({ name: "test", version: "1" }, { capabilities: { extensions: { [tasksExtension]: {} } } })
    tasks.add(server)
    server.registerTool("work", { inputSchema: anything }, (_, context) => tasks.start(context, work))
    server.registerTool("either", { inputSchema: anything }, (_, context) => /** @type {any} */ (tasks.run(context, work)))
    return server
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => "one" })
  await make().connect(transport)
  return { inSession: (/** @type {Request} */ request) => transport.handleRequest(request), modern: createMcpHandler(make).fetch }
}

/** A session of Parley's with it. @param {import("node:test").TestContext} t @param {Work} work */
async function begin(t, work) {
  const { inSession } = await serve(work)
  const session = connect(await load(), fetchTransport("http://127.0.0.1/mcp", { fetch: (input, init) => inSession(new Request(input, init)) }), {
    dialect: "SEP-2322", versions: ["2025-11-25"],
    askers: { elicit: async () => ({ action: "accept", content: { name: "Ada" } }) },
  })
  t.after(() => session.close())
  /** @param {string} method @param {any} params @param {(status: string) => void} [onTask] @returns {Promise<any>} */
  const send = async (method, params, onTask) => {
    const outcome = /** @type {any} */ (await session.call({ method, params, watchers: { onTask } }))
    return outcome.status === "done" ? JSON.parse(outcome.result) : JSON.parse(outcome.response)
  }
  return send
}

const asTask = (name = "work") => ({ name, arguments: {}, task: { ttl: 60000 } })

test("Parley's client sees a task of SEP-2322's page through", async (t) => {
  const send = await begin(t, greet)
  /** @type {string[]} */
  const stages = []
  const { content, _meta } = await send("tools/call", asTask(), (status) => stages.push(status))
  assert.equal(content[0].text, "Hello Ada and Ada")
  assert.equal(_meta.own, 1)
  const { taskId } = _meta["io.modelcontextprotocol/related-task"]
  assert.deepEqual(stages.slice(0, 2), ["working", "input_required"])
  const { status, ttl, pollInterval, ttlMs, result } = await send("tasks/get", { taskId })
  assert.deepEqual([status, ttl, pollInterval, ttlMs, result], ["completed", 3_600_000, 100, undefined, undefined])
  const related = { "io.modelcontextprotocol/related-task": { taskId } }
  assert.equal((await send("tasks/input_response", { inputResponses: {}, _meta: related })).code, -32602)
  assert.equal((await send("tasks/cancel", { taskId })).code, -32602)
  assert.equal((await send("tasks/result", { taskId: "made-up" })).code, -32602)
  assert.equal((await send("tools/call", asTask("either"))).content[0].text, "Hello Ada and Ada")
})

test("a task of the page's form ends", async (t) => {
  const failing = await begin(t, async () => { throw new TaskError(-32000, "no such region", { region: 7 }) })
  assert.deepEqual(await failing("tools/call", asTask()), { code: -32000, message: "no such region", data: { region: 7 } })
  /** @type {string[]} */
  const stages = []
  const wrong = await begin(t, async () => ({ content: [], isError: true }))
  assert.equal((await wrong("tools/call", asTask(), (status) => stages.push(status))).isError, true)
  assert.equal(stages.at(-1), "failed")
})

// What asks nothing is in the form of MCP 2025-11-25, too: the official client of that revision polls, and gets the result.
test("the official client of 2025-11-25 sees a task through that does not ask", async (t) => {
  const { inSession } = await serve(async () => ({ content: [{ type: "text", text: "done" }] }))
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} })
  await client.connect(new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch: (input, init) => inSession(new Request(input, init)) }))
  t.after(() => client.close())
  const seen = []
  for await (const message of client.experimental.tasks.callToolStream({ name: "work", arguments: {} }, CallToolResultSchema, { task: { ttl: 60000 } })) {
    seen.push(message.type === "result" ? message.result.content[0] : message.type === "error" ? message.error : message.type)
  }
  assert.equal(seen[0], "taskCreated")
  assert.deepEqual(seen.at(-1), { type: "text", text: "done" })
})

// A task made by one form is none to the other, and `task` means nothing where the SDK drops it.
test("with 2026-07-28 there is the extension alone", async () => {
  const { modern } = await serve(greet)
  /** @param {string} method @param {any} params @param {object} capabilities @returns {Promise<any>} */
  const post = async (method, params, capabilities) => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": capabilities }
    const response = await modern(new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json", Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method, "Mcp-Name": params.name ?? params.taskId,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    }))
    return response.json()
  }
  const extension = { elicitation: {}, extensions: { [tasksExtension]: {} } }
  const { resultType, taskId, task } = (await post("tools/call", asTask(), extension)).result
  assert.deepEqual([resultType, task], ["task", undefined])
  assert.equal((await post("tasks/get", { taskId }, extension)).result.taskId, taskId)
  assert.equal((await post("tasks/get", { taskId }, { elicitation: {} })).error.code, -32602)
  assert.equal((await post("tasks/result", { taskId }, extension)).error.code, -32601)
  assert.equal((await post("tools/call", asTask(), { elicitation: {} })).error.code, -32021)
})
