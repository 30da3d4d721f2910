// What the session with a server brings to the page: tasks, and lists without
// what cannot be called.

import assert from "node:assert/strict"
import test from "node:test"

import { done } from "./scripted-server.js"
import { setting } from "./setting.js"

const scene = setting()

/** A task as it stands. @param {string} status @param {string} rest further members, JSON text */
const task = (status, rest) => `"result":{"resultType":"task","taskId":"t1","status":"${status}","pollIntervalMs":200,${rest}}`

test("a call that becomes a task shows how it stands", async () => {
  const { person, server } = await scene.withScript({
    answer: ({ method }, n) =>
      method === "tools/call"
        ? task("working", '"statusMessage":"Counting the stars"')
        : n < 8
          ? task("working", `"statusMessage":"${n} stars so far"`).replace('"resultType":"task",', "")
          : task("completed", '"result":{"content":[{"type":"text","text":"There are many."}]}').replace('"resultType":"task",', ""),
  })
  await person.calls("x")
  await person.sees("Desk has made a task of it, and works on that.")
  await person.sees("stars so far")
  await person.sees("There are many.")
  assert.deepEqual([...new Set(server.received.map(({ method }) => method))], ["tools/call", "tasks/get"])
})

test("a task that is stopped is cancelled", async () => {
  const { person, server } = await scene.withScript({
    answer: ({ method }) => (method === "tools/call" ? task("working", '"statusMessage":"Counting the stars"') : '"result":{}'),
  })
  await person.calls("x")
  await person.sees("Counting the stars")
  await person.press("Stop this call")
  await person.sees("You stopped this call")
  for (const end = Date.now() + 6000; !server.received.some(({ method }) => method === "tasks/cancel"); ) {
    assert.ok(Date.now() < end, "waited for tasks/cancel")
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
})

test("a tool that cannot be called is left out, and that is said", async () => {
  const bad = '{"name":"bad","inputSchema":{"type":"object","properties":{"n":{"type":"array","x-mcp-header":"N"}}}}'
  const { person } = await scene.withScript({ tools: `[${bad},{"name":"x","inputSchema":{"type":"object"}}]`, answer: () => done("Hello.") })
  await person.sees('left out the tool "bad"')
  assert.equal(await person.counts(".group button"), 1, "entries of the catalogue")
  await person.calls("x")
  await person.sees("Hello.")
})
