// The page with a server of the era before, which asks by requests of its own
// and waits for the answers.

import assert from "node:assert/strict"

import { patiently, until } from "./patience.js"
import { scene, test } from "./setting.js"

/** Which tools were called. @param {Awaited<ReturnType<typeof scene.withEarlier>>["server"]} server */
const calls = (server) => server.of("tools/call").map(({ params }) => params.name)

test("a form, whose answer goes to the server that waits", async () => {
  const { person, server } = await scene.withEarlier()
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

test("no is an answer", async () => {
  const { person, server } = await scene.withEarlier()
  await person.calls("form")
  await person.press("Decline")
  await person.sees("You declined")
  await person.sees("Desk answered")
  assert.deepEqual(server.answers(), [{ action: "decline" }])
})

test("every kind of question in one call", async () => {
  const { person, server } = await scene.withEarlier()
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

test("two calls at once, in one session", async () => {
  const { person, server } = await scene.withEarlier()
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

test("more calls at once than a browser opens connections", async () => {
  const { person, server } = await scene.withEarlier()
  for (let n = 1; n <= 4; n++) {
    await person.calls("form")
    await person.sees(`Waiting for you ${n}`)
  }
  for (let n = 5; n <= 7; n++) {
    await person.calls("form")
    await patiently(async () => assert.equal(await person.counts(".status:not(.still, [hidden])"), n - 4, "calls that wait for their turn"))
  }
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

test("stopped while the server waits: it is told", async () => {
  const { person, server } = await scene.withEarlier()
  await person.calls("form")
  await person.sees("Who?")
  await person.press("Stop this call")
  await person.sees("You stopped this call")
  await until(() => server.of("notifications/cancelled").length === 1, "the cancellation")
  await person.calls("form")
  await person.answers({ name: "Parley" })
  await person.sees("Desk answered")
})

test("a call that cannot be parked says what can be done instead", async () => {
  const { person, server } = await scene.withEarlier()
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

test("from another tab too", async () => {
  const { person, server } = await scene.withEarlier()
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

test("a page that goes while the server waits leaves the call in doubt", async () => {
  const { person, server } = await scene.withEarlier()
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

test("what the page does not offer is not declared, from the next call on", async () => {
  const { person, server } = await scene.withEarlier()
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

test("a page that must be opened first: the call goes on when the server says that it is done", async () => {
  const { person, server } = await scene.withEarlier()
  await person.calls("gate", { "wait: Yes": true })
  await person.sees("Desk wants you to open a page")
  await person.sees("Please open the gate")
  await person.sees("It leads to example.com")
  assert.deepEqual([await person.counts(".turn"), server.of("tools/call").length], [0, 1], "what happened before the person agrees")
  await person.press("I opened it myself")
  await person.sees("Desk waits until you are done on its page")
  await person.sees("When Desk says that you are done, the call goes on by itself.")
  assert.equal(server.of("tools/call").length, 1, "calls before it is done")
  await person.calls("open")
  await person.sees("Desk says that you are done there.")
  await person.sees("Nothing. Questions appear here.")
  await person.sees("Done", "Please open the gate")
  assert.deepEqual(calls(server), ["gate", "open", "gate"])
  assert.deepEqual(server.answers(), [], "nothing is answered: the call is made again")
})

test("a page that must be opened first: the person says that it is done", async () => {
  const { person, server } = await scene.withEarlier()
  await person.calls("gate", { "wait: Yes": true })
  await person.press("I opened it myself")
  await person.press("I’m done: go on")
  await person.sees("Desk is still waiting for what you do on its page")
  await person.sees("You agreed to this very address before. Nothing was opened by itself.")
  await person.calls("open", { "quietly: Yes": true })
  await person.sees("Desk answered opened")
  await person.press("I’m done: check again")
  await person.sees("Done", "Please open the gate")
  assert.deepEqual(calls(server), ["gate", "gate", "open", "gate"])
})

test("a page that must be opened first: a reload in the middle, and parked", async () => {
  const { person, server } = await scene.withEarlier()
  await person.calls("gate", { "wait: Yes": true })
  await person.press("I opened it myself")
  await person.sees("Desk waits until you are done on its page")
  await person.reload()
  await person.sees("Desk waits until you are done on its page")
  await person.press("Park for later")
  await person.sees("Everything is kept in this browser")
  await person.calls("open")
  await person.sees("Desk answered opened")
  await person.press("Go on")
  await person.press("I’m done: go on")
  await person.sees("Done", "Please open the gate")
  assert.deepEqual(calls(server), ["gate", "open", "gate"])
})

test("a page that must be opened first, and the person does not", async () => {
  const { person, server } = await scene.withEarlier()
  await person.calls("gate", { "wait: Yes": true })
  await person.press("Decline")
  await person.sees("You said no")
  await person.sees("Desk cannot do it without what it asked for.")
  await person.press("Try again")
  await person.sees("Desk wants you to open a page")
  assert.deepEqual(calls(server), ["gate"], "the question is put again, and nothing was sent")
})

test("a server of 2025-06-18", async () => {
  const { person, server } = await scene.withEarlier("2025-06-18")
  await person.calls("form")
  await person.sees("Desk asks")
  await person.fill({ Name: "P" })
  await person.press("Review answer")
  await person.sees("Name must be at least 2 characters")
  await person.answers({ Name: "Parley" })
  await person.sees('It was {"action":"accept","content":{"name":"Parley"}}')
  await person.calls("roots")
  await person.press("Share no folders")
  await person.sees('It was {"roots":[]}')
  assert.equal(server.version(), "2025-06-18")
})

test("a server of 2025-03-26", async () => {
  const { person, server } = await scene.withEarlier("2025-03-26")
  await person.calls("sample")
  await person.press("Write the answer myself")
  await person.fill({ "Your answer, in place of a model’s": "Hello." })
  await person.press("Send")
  await person.sees('"text":"Hello."')
  await person.calls("roots")
  await person.press("Share no folders")
  await person.sees('It was {"roots":[]}')
  assert.equal(server.version(), "2025-03-26")
})
