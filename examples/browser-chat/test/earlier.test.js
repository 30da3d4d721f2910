// The page with a server of the era before, which asks by requests of its own
// and waits for the answers.

import assert from "node:assert/strict"
import test from "node:test"

import { serve } from "../serve.mjs"
import { startEarlier } from "./earlier-server.js"
import { Person } from "./person.js"
import { setting } from "./setting.js"

/** @import { TestContext } from "node:test" */
/** @import { Server } from "../serve.mjs" */

const scene = setting()

/** Somebody at a page that may call the server. @param {TestContext} t */
async function withEarlier(t) {
  /** @type {Server[]} */
  const servers = []
  const page = await serve({ servers })
  t.after(() => page.close())
  const server = await startEarlier(page.origin)
  t.after(() => server.stop())
  servers.push({ label: "Desk", url: server.url })
  const profile = await scene.browser.newProfile()
  t.after(() => profile.close())
  return { person: await Person.at(profile, page.origin), server }
}

/** Waits until something was received. @param {() => unknown} condition @param {string} what */
async function until(condition, what) {
  for (const end = Date.now() + 6000; !condition(); ) {
    if (Date.now() > end) assert.fail(`waited for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

test("a form, whose answer goes to the server that waits", async (t) => {
  const { person, server } = await withEarlier(t)
  await person.calls("form")
  await person.sees("Desk asks")
  await person.sees("Who?")
  await person.fill({ name: "P" })
  await person.press("Review answer")
  await person.sees("name must be at least 2 characters")
  await person.answers({ name: "Parley" })
  await person.sees("Desk answered")
  await person.sees("You answered name Parley")
  assert.deepEqual(server.answers(), [{ action: "accept", content: { name: "Parley" } }])
  assert.deepEqual(server.of("tools/call").length, 1, "the call went out once")
})

test("no is an answer", async (t) => {
  const { person, server } = await withEarlier(t)
  await person.calls("form")
  await person.press("Decline")
  await person.sees("You declined")
  await person.sees("Desk answered")
  assert.deepEqual(server.answers(), [{ action: "decline" }])
})

test("every kind of question in one call", async (t) => {
  const { person, server } = await withEarlier(t)
  await person.calls("all")
  await person.answers({ name: "Parley" })
  await person.press("Write the answer myself")
  await person.fill({ "Your answer, in place of a model’s": "Hello." })
  await person.press("Send")
  await person.press("Share no folders")
  await person.sees("Desk answered")
  assert.equal(await person.counts(".turn"), 3, "answers in the conversation")
  assert.deepEqual(server.answers().at(-1), { roots: [] })
})

test("two calls at once, in one session", async (t) => {
  const { person, server } = await withEarlier(t)
  await person.calls("form")
  await person.sees("Who?")
  await person.calls("roots")
  await person.sees("Waiting for you 2")
  await person.press("Share no folders")
  await person.sees("Waiting for you 1")
  await person.answers({ name: "Parley" })
  await person.sees("Nothing. Questions appear here.")
  await person.sees("You answered name Parley")
  await until(() => server.answers().length === 2, "both answers")
  assert.equal(server.of("initialize").length, 1, "sessions")
})

test("more calls at once than a browser opens connections", async (t) => {
  const { person, server } = await withEarlier(t)
  for (let n = 0; n < 7; n++) await person.calls("form")
  await person.sees("Waiting for you 4")
  await person.sees("It waits for its turn: Desk keeps a connection busy for each call.")
  await person.press("Stop this call", "It waits for its turn")
  await person.sees("You stopped this call")
  for (let n = 0; n < 6; n++) {
    await person.answers({ name: "Parley" })
    await until(() => server.answers().length === n + 1, `answer ${n + 1}`)
  }
  await person.sees("Nothing. Questions appear here.")
  assert.deepEqual([server.of("initialize").length, server.of("tools/call").length], [1, 6], "sessions and calls")
})

test("stopped while the server waits: it is told", async (t) => {
  const { person, server } = await withEarlier(t)
  await person.calls("form")
  await person.sees("Who?")
  await person.press("Stop this call")
  await person.sees("You stopped this call")
  await until(() => server.of("notifications/cancelled").length === 1, "the cancellation")
  await person.calls("form")
  await person.answers({ name: "Parley" })
  await person.sees("Desk answered")
})

test("a call that cannot be parked says what can be done instead", async (t) => {
  const { person, server } = await withEarlier(t)
  await person.calls("form")
  await person.fill({ name: "Parley" })
  await person.press("Park for later")
  await person.sees("This call cannot be parked: Desk waits for this answer, and keeps the call only while this page is open.")
  await person.focusIs("Desk asks")
  const parks = await person.tab.evaluate(
    () => [...document.querySelectorAll(".question button")].filter((button) => button.textContent === "Park for later" && button.getClientRects().length > 0).length,
    undefined,
  )
  assert.equal(parks, 0, "buttons to park it with")
  await person.press("Review answer")
  await person.press("Send")
  await person.sees("Desk answered")
  assert.deepEqual(server.answers(), [{ action: "accept", content: { name: "Parley" } }], "what was filled in is kept")
})

test("from another tab too", async (t) => {
  const { person, server } = await withEarlier(t)
  await person.calls("form")
  await person.sees("Who?")
  const other = await person.second()
  await other.press("Park for later")
  await other.sees("This call cannot be parked")
  await person.sees("This call cannot be parked")
  await other.answers({ name: "Parley" })
  await other.sees("Desk answered")
  await person.sees("Desk answered")
  assert.equal(server.answers().length, 1)
})

test("a page that goes while the server waits leaves the call in doubt", async (t) => {
  const { person, server } = await withEarlier(t)
  await person.calls("form")
  await person.sees("Who?")
  await person.reload()
  await person.sees("It is not known whether this was done")
  assert.equal(server.of("tools/call").length, 1, "calls before the person decides")
  await person.press("Send it again")
  await person.answers({ name: "Parley" })
  await person.sees("Desk answered")
  assert.equal(server.of("tools/call").length, 2)
})

test("what the page does not offer is not declared, from the next call on", async (t) => {
  const { person, server } = await withEarlier(t)
  await person.calls("roots")
  await person.press("Share no folders")
  await person.sees("Desk answered")
  await person.press("Folders and model")
  await person.fill({ "/^Servers may ask which folders/": false, "/^Servers may not ask/": true })
  await person.press("Done")
  await person.calls("form")
  await person.answers({ name: "Parley" })
  await person.sees("You answered name Parley")
  const declared = server.of("initialize").map(({ params }) => Object.keys(params.capabilities).filter((name) => name !== "extensions"))
  assert.deepEqual(declared, [["elicitation", "roots", "sampling"], ["elicitation"]])
  await until(() => server.of("DELETE").length === 1, "the end of the session before")
})
