import assert from "node:assert/strict"
import { test } from "node:test"

import { createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server"

import { taskMemory, Tasks, tasksExtension } from "../dist/server/index.js"

/** @import { TasksOptions, TaskStore } from "../dist/server/index.js" */

const hour = 3_600_000
const gone = { code: -32602, message: "There is no such task, or not any more" }
const late = { code: -32603, message: "It took longer than it may" }

/** @type {any} */
const anything = {
  "~standard": { version: 1, vendor: "test", validate: (/** @type {any} */ value) => ({ value }), jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) } },
}
const question = () => inputRequired.elicit({ message: "Start it?", requestedSchema: { type: "object", properties: {} } })

/**
 * A task that asks for each key by itself, all at once, then works until it is let go, and says something when it is nudged. The test moves its clock.
 *
 * @param {TasksOptions & {keys?: string[]}} [options]
 */
async function begin({ keys = ["one"], ...options } = {}) {
  /** @type {() => void} */
  let nudge = () => {}, let_ = () => {}, /** @type {(_: boolean) => void} */ end = () => {}
  const nudged = new Promise((resolve) => { nudge = () => resolve(undefined) }), letGo = new Promise((resolve) => { let_ = () => resolve(undefined) })
  /** Whether the work was told to stop. @type {Promise<boolean>} */
  const over = new Promise((resolve) => { end = resolve })
  const clock = { now: 1_800_000_000_000 }
  const tasks = new Tasks({ poll: 100, now: () => clock.now, ...options })
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer({ name: "test", version: "1" }, { capabilities: { extensions: { [tasksExtension]: {} } } })
    tasks.add(server)
    server.registerTool("work", { inputSchema: anything }, (_, context) => tasks.start(context, async (task) => {
      const { signal } = task
      const stopped = new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("stopped"))))
      stopped.catch(() => {}) // it may be stopped while it asks
      try {
        await Promise.all(keys.map((key) => task.ask({ [key]: question() })))
        await Promise.race([nudged, stopped])
        await task.say("nudged")
        await Promise.race([letGo, stopped])
        return { content: [{ type: "text", text: "done" }] }
      } finally {
        end(signal.aborted)
      }
    }))
    return server
  })
  /** @param {string} method @param {Record<string, any>} params @returns {Promise<any>} */
  const post = async (method, params) => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": { elicitation: {}, extensions: { [tasksExtension]: {} } } }
    const response = await fetch(new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json", Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": method, "Mcp-Name": params.name ?? params.taskId,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    }))
    return response.json()
  }
  const call = () => post("tools/call", { name: "work" })
  const made = (await call()).result
  const { taskId } = made
  const get = () => post("tasks/get", { taskId })
  /** Polls until the task has a status. @param {string} status @param {(state: any) => boolean} [is] */
  const until = async (status, is = () => true) => {
    for (;;) {
      const { result, error } = await get()
      assert.ifError(error)
      if (result.status === status && is(result)) return result
      assert.ok(result.status === "working" || result.status === "input_required", `the task is ${result.status}, not ${status}`)
      await new Promise(setImmediate)
    }
  }
  /** Answers a question; for a key that was not asked, it only wakes whatever waits for a change. @param {string} key */
  const answer = (key) => post("tasks/update", { taskId, inputResponses: { [key]: { action: "decline" } } })
  return { clock, made, call, get, until, answer, over, nudge: () => nudge(), letGo: () => let_() }
}

test("a person's time does not count", async () => {
  const { clock, made, get, until, answer, nudge, letGo } = await begin({ keys: ["one", "two"] })
  assert.equal(made.ttlMs, hour)
  assert.equal((await until("input_required", ({ inputRequests }) => Object.keys(inputRequests).length === 2)).ttlMs, 24 * hour)
  clock.now += 22 * hour
  await answer("one")
  assert.equal((await until("input_required")).ttlMs, 24 * hour) // the other is open
  clock.now += hour
  await answer("two")
  await answer("two") // means nothing
  assert.equal((await until("working")).ttlMs, 24 * hour)
  clock.now += hour - 1
  nudge()
  await until("working", ({ statusMessage }) => statusMessage === "nudged")
  letGo()
  assert.equal((await until("completed")).ttlMs, 25 * hour - 1)
  clock.now += hour
  assert.equal((await get()).result.result.content[0].text, "done")
  clock.now += 1
  assert.deepEqual((await get()).error, gone)
})

test("work that takes too long is stopped", async () => {
  const { clock, until, answer, over, nudge } = await begin()
  await until("input_required")
  await answer("one")
  clock.now += hour
  nudge()
  assert.equal(await over, true)
  assert.deepEqual((await until("failed")).error, late)
})

test("a question that is not answered ends the task", async () => {
  const { clock, until, answer, over } = await begin({ patience: 60_000 })
  assert.equal((await until("input_required")).ttlMs, 60_000)
  clock.now += 60_000
  await answer("another")
  assert.equal(await over, true)
  assert.deepEqual((await until("failed")).error, { code: -32603, message: "It was not answered in time" })
})

test("a timer stops work, too", async () => {
  const { over } = await begin({ keys: [], ttl: 1, now: Date.now })
  const alive = setInterval(() => {}, 1000) // a task does not keep the process
  assert.equal(await over, true)
  clearInterval(alive)
})

test("a time that no timer can be set for is no reason to stop", async () => {
  const { until, answer, nudge, letGo } = await begin({ ttl: 60 * 24 * hour, patience: 90 * 24 * hour })
  const timers = new Set()
  const set = globalThis.setTimeout
  globalThis.setTimeout = /** @type {any} */ ((/** @type {any} */ run, /** @type {number} */ ms) => {
    timers.add(ms)
    return set(run, ms)
  })
  try {
    assert.equal((await until("input_required")).ttlMs, 90 * 24 * hour)
    await answer("one")
    nudge()
    letGo()
    await until("completed")
  } finally {
    globalThis.setTimeout = set
  }
  assert.ok(timers.has(2 ** 31 - 1) && ![...timers].some((ms) => ms > 2 ** 31 - 1), `timers of ${[...timers]}`)
})

test("there is room again once a task has outlived its time, and its work stops", async () => {
  const { clock, call, get, until, over } = await begin({ store: taskMemory(1) })
  await until("input_required")
  assert.match((await call()).error.message, /too many tasks/)
  clock.now += 24 * hour + 1
  assert.equal((await call()).result.resultType, "task")
  await over
  assert.deepEqual((await get()).error, gone)
})

test("a task that is not kept is stopped", async () => {
  /** @type {TaskStore} */
  const store = { ...taskMemory(), wait: async () => { throw new Error("the connection is lost") } }
  /** @type {string[]} */
  const said = []
  const { over, until } = await begin({ keys: [], store, onerror: ({ message }) => said.push(message) })
  assert.equal(await over, true)
  assert.equal((await until("failed")).error.message, "It failed inside the server")
  assert.deepEqual(said, ["parley: a task that is not kept is stopped", "parley: a task failed"])
})

test("times that are none are refused", () => {
  for (const options of [{ ttl: 0 }, { patience: NaN }, { poll: Infinity }, { patience: /** @type {any} */ ("60") }]) {
    assert.throws(() => new Tasks(options), /must be a number of milliseconds above 0/)
  }
})
