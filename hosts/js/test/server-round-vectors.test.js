// Replays hosts/testdata/rounds, whose README.md says how the files read.
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"

import { createMcpHandler, InMemoryTransport, McpServer } from "@modelcontextprotocol/server"

import { guardServer, Tasks } from "../dist/server/index.js"
import { anything, guardOf } from "./asking-server.js"

const folder = new URL("../../testdata/rounds/", import.meta.url)
const names = readdirSync(folder).filter((name) => name.endsWith(".json"))
assert.ok(names.length > 15, "files")

for (const name of names) {
  const vector = JSON.parse(readFileSync(new URL(name, folder), "utf8"))
  for (const way of vector.work ? ["results", "work"] : ["results"]) test(`rounds: ${name} by ${way}`, async (t) => {
    const { declares, rounds, times, end, js = end } = vector
    const at = (/** @type {number} */ n) => rounds[Math.min(n, rounds.length - 1)]
    const server = guardServer(new McpServer({ name: "test", version: "1" }, { inputRequired: { maxRounds: 10 } }), guardOf())
    let runs = 0
    if (way === "work") addWork(server, vector)
    else server.registerTool("ask", { inputSchema: anything }, (_, { mcpReq }) => {
      const { state, answers = {} } = runs > 0 ? at(runs - 1) : {}
      same([mcpReq.requestState(), mcpReq.inputResponses ?? {}], [state, answers], `what the handler gets in round ${runs + 1}`)
      if (runs++ === rounds.length && !times) return { content: [{ type: "text", text: end.text }] }
      const { asks: inputRequests, state: requestState } = at(runs - 1)
      return { resultType: "input_required", inputRequests, requestState }
    })

    const client = await bare(t, server)
    await client.call("initialize", { protocolVersion: "2025-11-25", capabilities: declares, clientInfo: { name: "bare", version: "1" } })
    client.send({ method: "notifications/initialized" })
    let asked = 0
    /** @type {Set<string>} */
    let left = new Set()
    client.asked = ({ method, params: { _meta, elicitationId, ...params } = {} }) => {
      assert.equal(typeof elicitationId, params.mode === "url" ? "string" : "undefined", "elicitationId")
      if (left.size === 0) {
        assert.ok(times || asked < rounds.length, "no more than the handler asks")
        left = new Set(Object.keys(at(asked++).asks))
      }
      const { asks, answers } = at(asked - 1)
      const is = JSON.stringify(sorted({ method, params }))
      const key = [...left].find((key) => JSON.stringify(sorted(asks[key])) === is)
      assert.ok(key && answers, `round ${asked} asks ${is}`)
      left.delete(key)
      return answers[key].error ? answers[key] : { result: answers[key] }
    }
    const { error, result } = await client.call("tools/call", { name: "ask", arguments: {}, ...vector.call })

    if (js.error) {
      same([error?.code, error?.data], [js.error.code, js.error.data])
      assert.ok(error.message.includes(js.error.message ?? js.error.says), error.message)
    } else {
      assert.deepEqual([error, Boolean(result?.isError)], [undefined, Boolean(js.failed)])
      const [{ text }] = result.content
      if (js.failed) assert.ok(text.includes(js.failed), text)
      else assert.equal(text, js.text)
    }
    const unasked = rounds.findIndex((/** @type {any} */ { answers }) => !answers)
    if (times) assert.ok(times[0] <= asked && asked <= times[1], `asked ${asked} times`)
    else assert.equal(asked, js.asked ?? (unasked < 0 ? rounds.length : unasked))
    assert.equal(left.size, 0)
  })
  if (vector.work) test(`rounds: ${name} by work, in rounds`, async () => {
    const handler = createMcpHandler(() => addWork(guardServer(new McpServer({ name: "test", version: "1" }), guardOf()), vector))
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": vector.declares }
    const call = async (/** @type {object} */ more) => {
      const response = await handler.fetch(new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: {
          "Content-Type": "application/json", Accept: "application/json, text/event-stream",
          "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "ask",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta, name: "ask", arguments: {}, ...more } }),
      }))
      return /** @type {any} */ (await response.json()).result
    }
    let result = await call({})
    for (const { asks, answers } of vector.rounds) {
      same(result.inputRequests, asks)
      result = await call({ requestState: result.requestState, inputResponses: answers })
    }
    assert.deepEqual(result.content, [{ type: "text", text: vector.end.text }])
  })
}

/** Adds a tool whose work need not be a task, and asks the same. @param {McpServer} server @param {any} vector */
function addWork(server, { rounds, end }) {
  const tasks = new Tasks()
  tasks.add(server)
  server.registerTool("ask", { inputSchema: anything }, (_, context) => /** @type {any} */ (tasks.run(context, async (task) => {
    for (const { asks, answers } of rounds) same(await task.ask(asks), answers, "what the work gets")
    return { content: [{ type: "text", text: end.text }] }
  })))
  return server
}

/** Compares what JSON can tell. @param {any} got @param {any} want @param {string} [message] */
const same = (got, want, message) => assert.equal(JSON.stringify(sorted(got)), JSON.stringify(sorted(want)), message)

/** With the members of each object by name. @param {any} value @returns {any} */
function sorted(value) {
  if (typeof value !== "object" || value === null) return value
  return Array.isArray(value) ? value.map(sorted) : Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])]))
}

/** A client that sends and gets JSON-RPC as it is. @param {import("node:test").TestContext} t @param {McpServer} server */
async function bare(t, server) {
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(near)
  await far.start()
  t.after(() => far.close())
  /** @type {[resolve: (response: any) => void, reject: (error: unknown) => void]} */
  let answer
  let id = 0
  const client = {
    asked: (/** @type {any} */ _) => /** @type {any} */ ({}),
    send: (/** @type {object} */ message) => far.send(/** @type {any} */ ({ jsonrpc: "2.0", ...message })),
    call: (/** @type {string} */ method, /** @type {object} */ params) => /** @type {Promise<any>} */ (new Promise((...both) => {
      answer = both
      client.send({ id: ++id, method, params })
    })),
  }
  far.onmessage = (/** @type {any} */ message) => {
    if (!message.method) return answer[0](message)
    if (message.id === undefined) return
    try {
      client.send({ id: message.id, ...client.asked(message) })
    } catch (error) {
      answer[1](error)
    }
  }
  return client
}
