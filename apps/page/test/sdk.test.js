// A server on the official TypeScript SDK, whose rounds are sealed by Parley's Guard.

import assert from "node:assert/strict"

import { scene, test } from "./setting.js"

/** The rounds in the log of tests/stories/js-server. @param {string} log */
const rounds = (log) => [...log.matchAll(/^round of (.*)$/gm)].map(([, round]) => round)

test("a call of several rounds at the TypeScript SDK’s server, with reloads in the middle", async () => {
  const { person, log } = await scene.withJsServer()
  await person.calls("Update a work item", { id: "4711", state: "Resolved" })
  await person.sees("How was work item 4711 resolved?")
  await person.fill({ Duplicate: true })
  await person.reload()
  await person.press("Review answer")
  await person.press("Send")
  await person.sees("Which other work item does 4711 duplicate?")
  await person.fill({ "Original work item": "4711", Comment: "The same crash." })
  await person.reload()
  await person.sees("You answered Resolution Duplicate")
  await person.press("Review answer")
  await person.press("Send")
  await person.sees("That answer could not be used. Which other work item does 4711 duplicate?")
  await person.answers({ "Original work item": "4242", Comment: "The same crash." })
  await person.sees('Work item 4711 is now Resolved as a duplicate of 4242. Comment: "The same crash.".')
  assert.equal(await person.counts(".turn"), 3, "answers in the conversation")
  assert.deepEqual(
    rounds(log()),
    ["asks resolution", "asks duplicate", "asks duplicate", "done"].map((round) => `update_work_item: ${round}`),
  )
})

test("a prompt and a resource of the TypeScript SDK’s server", async () => {
  const { person } = await scene.withJsServer()
  await person.calls("Review code", { code: "x := 1" })
  await person.answers({ Go: true, "Is it safe?": true })
  await person.sees("Review this Go code for security. x := 1")
  await person.calls("Quarterly report")
  await person.answers({ Q2: true })
  await person.sees("| Q2 | 1350 |")
})

test("a server whose key is another by now does not take the answers, and the call starts over", async () => {
  const { person, log, anew } = await scene.withJsServer()
  await person.calls("Update a work item", { id: "4711", state: "Resolved" })
  await person.answers({ Duplicate: true })
  await person.sees("Which other work item does 4711 duplicate?")
  await anew()
  await person.answers({ "Original work item": "4242" })
  await person.sees("The server does not accept the answers any more")
  assert.deepEqual(rounds(log()), [], "rounds that the new server played")
  await person.press("Start over")
  await person.sees("Filled in with what you answered before.", "How was work item 4711 resolved?")
  await person.answers({})
  await person.sees("Filled in with what you answered before.", "Which other work item does 4711 duplicate?")
  await person.answers({})
  await person.sees("Work item 4711 is now Resolved as a duplicate of 4242.")
  assert.deepEqual(
    rounds(log()),
    ["asks resolution", "asks duplicate", "done"].map((round) => `update_work_item: ${round}`),
  )
})
