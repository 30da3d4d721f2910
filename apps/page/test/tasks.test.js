// Calls that become tasks: they go on at the server, and the page asks how they
// stand.

import assert from "node:assert/strict"

import { until } from "./patience.js"
import { done, form } from "./scripted-server.js"
import { scene, test } from "./setting.js"

/** @import { Received } from "./scripted-server.js" */

/** How a task stands. @param {string} status @param {string} [rest] further members, JSON text */
const stands = (status, rest = "") => `"taskId":"t1","status":"${status}","pollIntervalMs":300${rest && `,${rest}`}`

/** @param {string} message */
const working = (message) => stands("working", `"statusMessage":${JSON.stringify(message)}`)

/**
 * A server whose tool becomes a task. It stands as `now` says.
 *
 * @param {string} first
 */
function tasking(first) {
  const task = {
    now: first,
    /** @param {Received} request */
    answer({ method }) {
      if (method === "tools/call") return `"result":{"resultType":"task",${task.now}}`
      return method === "tasks/get" ? `"result":{${task.now}}` : '"result":{}'
    },
  }
  return task
}

/** @param {Received[]} received @param {string} method */
const count = (received, method) => received.filter((one) => one.method === method).length

test("a task shows how it stands", async () => {
  const task = tasking(working("Counting the stars"))
  const { person, server } = await scene.withScript(task)
  await person.calls("x")
  await person.sees("Desk has made a task of it, and works on that.")
  await person.sees("Counting the stars")
  task.now = working("4000 stars so far \u001b[31m\u202e")
  await person.sees("4000 stars so far ␛[31m<U+202E>")
  task.now = stands("completed", done("There are many."))
  await person.sees("There are many.")
  await person.seesNo("stars so far")
  assert.deepEqual([...new Set(server.received.map(({ method }) => method))], ["tools/call", "tasks/get"])
})

test("a reload in the middle goes on with the task", async () => {
  const task = tasking(working("Counting the stars").replace("300", "1500"))
  const { person, server } = await scene.withScript(task)
  await person.calls("x")
  await person.sees("Counting the stars")
  await person.reload()
  await person.sees("Desk has made a task of it, and works on that.")
  await person.sees("Counting the stars")
  await person.comesBack()
  await person.sees("Counting the stars")
  task.now = stands("completed", done("There are many."))
  await person.sees("There are many.")
  assert.equal(count(server.received, "tools/call"), 1, "calls of the tool")
})

test("a task asks", async () => {
  const task = tasking(working("Looking around"))
  const { person, server } = await scene.withScript(task)
  await person.calls("x")
  await person.sees("Looking around")
  const { inputRequests } = JSON.parse(`{${form("where", "Where?", '{"place":{"type":"string","title":"Place"}}')}}`).result
  task.now = stands("input_required", `"inputRequests":${JSON.stringify(inputRequests)}`)
  await person.sees("Where?")
  await person.fill({ Place: "Home" })
  await person.reload()
  await person.press("Review answer")
  await person.press("Send")
  await until(() => count(server.received, "tasks/update") === 1, "the answer")
  task.now = stands("completed", done("It is there."))
  await person.sees("It is there.")
  await person.sees("You answered Place Home")
  const update = server.received.find(({ method }) => method === "tasks/update")
  assert.deepEqual(update?.params.inputResponses, { where: { action: "accept", content: { place: "Home" } } })
})

test("a task is cancelled", async () => {
  const { person, server } = await scene.withScript(tasking(working("Counting the stars")))
  await person.calls("x")
  await person.sees("Counting the stars")
  await person.press("Stop this task")
  await person.sees("You stopped this task")
  await person.sees("Desk was told to stop it. What it has begun to do may be done all the same.")
  await until(() => count(server.received, "tasks/cancel") === 1, "tasks/cancel")
  await person.reload()
  await person.sees("You stopped this task")
})

test("a task is seen and cancelled from another tab", async () => {
  const { person, server } = await scene.withScript(tasking(working("Counting the stars")))
  await person.calls("x")
  await person.sees("Counting the stars")
  const other = await person.second()
  await other.sees("Desk has made a task of it, and works on that. It runs in another tab of this browser.")
  await other.sees("Counting the stars")
  await other.press("Stop this task")
  await other.sees("You stopped this task")
  await person.sees("You stopped this task")
  await until(() => count(server.received, "tasks/cancel") === 1, "tasks/cancel")
})

test("a task that fails, and one that the server cancels", async () => {
  const task = tasking(working("Counting the stars"))
  const { person } = await scene.withScript(task)
  await person.calls("x")
  await person.sees("Counting the stars")
  task.now = stands("failed", '"error":{"code":-32000,"message":"Clouds came up."}')
  await person.sees("The task ended without a result")
  await person.sees("Clouds came up. (error -32000)")
  await person.press("Discard")
  task.now = working("Counting again")
  await person.calls("x")
  await person.sees("Counting again")
  task.now = stands("cancelled")
  await person.sees("The task was cancelled.")
})

test("a real server’s task: consent before it, a question in its middle, reloads", async () => {
  const { person } = await scene.withGoServer({}, ["-step", "3s"])
  await person.calls("Provision a machine", { name: "build-1" })
  await person.answers({ "I accept the monthly cost": true })
  await person.sees("Desk has made a task of it, and works on that.")
  await person.sees("of 5")
  await person.reload()
  await person.sees("build-1 is installed. Who may log in?")
  await person.fill({ "User name": "ada" })
  await person.reload()
  await person.press("Review answer")
  await person.press("Send")
  await person.sees("Provisioned build-1 for 48 EUR a month. ada may log in with a key.")
  assert.equal(await person.counts(".turn"), 2, "answers in the conversation")
})

test("a real server’s task is cancelled", async () => {
  const { person } = await scene.withGoServer()
  await person.calls("Provision a machine", { name: "build-2" })
  await person.answers({ "I accept the monthly cost": true })
  await person.sees("Desk has made a task of it, and works on that.")
  await person.press("Stop this task")
  await person.sees("You stopped this task")
})
