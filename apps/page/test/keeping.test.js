// Calls outlast what happens to the page: nothing is asked twice, nothing is
// sent that was not to be.

import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

import { installed } from "./browser.js"
import { launchToKill } from "./chromium.js"
import { patiently } from "./patience.js"
import { Person } from "./person.js"
import { done, form } from "./scripted-server.js"
import { scene, test } from "./setting.js"

const name = '{"name":{"type":"string","title":"Name","minLength":2},"note":{"type":"string","title":"Note"}}'
const colour = '{"colour":{"type":"string","title":"Colour","enum":["red","green"]}}'

/** Asks for a name, then for a colour. @param {unknown} _ @param {number} n */
const twoRounds = (_, n) =>
  [form("a", "What is it called?", name, "s1"), form("b", "Which colour?", colour, "s2"), done("It is done.")][n] ?? done("once too often")

/** What went to the server, in short. @param {import("./scripted-server.js").Received[]} received */
const sent = (received) => received.map(({ params }) => [params.requestState ?? "", JSON.stringify(params.inputResponses ?? {})].join(" ").trim())

const bothRounds = ["{}", 's1 {"a":{"action":"accept","content":{"name":"Parley"}}}', 's2 {"b":{"action":"accept","content":{"colour":"green"}}}']

test("a parked call goes on", async () => {
  const { person, server } = await scene.withScript({ answer: twoRounds })
  await person.calls("x")
  await person.answers({ Name: "Parley" })
  await person.sees("Which colour?")
  await person.press("Park for later")
  await person.sees("Everything is kept in this browser")
  await person.focusIs("Parked")
  await person.reload()
  await person.sees("Parked")
  assert.equal(server.received.length, 2, "requests while it is parked")
  await person.press("Resume")
  await person.focusIs("Desk asks")
  await person.answers({ green: true })
  await person.sees("It is done.")
  assert.deepEqual(sent(server.received), bothRounds)
})

// Drivers of other browsers run a test's scripts beside the page's, not among them.
const beside = (process.env.BROWSER || "chromium") !== "chromium"

test("a parked call is given to a file, for another program to go on with", { skip: beside }, async () => {
  const { person, server } = await scene.withScript({ answer: twoRounds })
  await person.calls("x")
  await person.answers({ Name: "Parley" })
  await person.press("Park for later")
  await person.tab.evaluate(() => {
    URL.createObjectURL = (blob) => {
      if (blob instanceof Blob) void blob.text().then((text) => Object.assign(globalThis, { given: text }))
      return "blob:"
    }
    HTMLAnchorElement.prototype.click = () => {} // the browser has no folder for it
  }, undefined)
  await person.press("Export to a file")
  await person.sees("Exported to a file")
  const given = await patiently(async () => {
    const text = await person.tab.evaluate(() => /** @type {any} */ (globalThis).given, undefined)
    if (typeof text !== "string") throw new Error("nothing was given")
    return text
  })
  const { peer, method } = JSON.parse(given)
  assert.deepEqual({ peer, method }, { peer: server.url, method: "tools/call" })
  await person.reload()
  await person.sees("Exported to a file")
  assert.equal(server.received.length, 2, "requests meanwhile")
  await person.press("Resume here")
  await person.answers({ green: true })
  await person.sees("It is done.")
  assert.deepEqual(sent(server.received), bothRounds)
})

test("a reload in the middle: what was filled in is still there", async () => {
  const { person, server } = await scene.withScript({ answer: twoRounds })
  await person.calls("x")
  await person.fill({ Name: "Parley" })
  await person.reload()
  await person.sees("What is it called?")
  await person.press("Review answer")
  await person.press("Send")
  await person.sees("Which colour?")
  await person.reload()
  await person.sees("You answered Name Parley Note left out")
  await person.answers({ green: true })
  await person.sees("It is done.")
  assert.deepEqual(sent(server.received), bothRounds)
  await patiently(async () => assert.deepEqual(await person.tab.evaluate(phases, undefined), ["done"], "what is written down"))
  await person.reload()
  await person.sees("It is done.")
  assert.equal(await person.counts(".turn"), 2, "answers in the conversation")
})

/** Runs in the page: how far its calls are, as it has written down, which is a moment after it shows it. */
async function phases() {
  const done = (/** @type {IDBRequest} */ request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)))
  const database = await done(indexedDB.open("parley-chat"))
  const records = await done(database.transaction("records").objectStore("records").getAll())
  database.close()
  return records.map((/** @type {{phase: string}} */ { phase }) => phase)
}

test("a tab that is closed in the middle of a question", async () => {
  const { person, server } = await scene.withScript({ answer: twoRounds })
  await person.calls("x")
  await person.answers({ Name: "Parley" })
  await person.sees("Which colour?")
  await person.comesBack()
  await person.answers({ green: true })
  await person.sees("It is done.")
  assert.deepEqual(sent(server.received), bothRounds)
})

test("a browser that is killed in the middle of a question", async (t) => {
  if (scene.browser.name !== "chromium") return t.skip("only Chromium is killed")
  const { origin, server } = await scene.withScript({ answer: twoRounds })
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  let chromium = await launchToKill(installed("chromium"), folder)
  t.after(async () => {
    await chromium.kill()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  const before = await Person.at(chromium.profile, origin)
  await before.calls("x")
  await before.answers({ Name: "Parley" })
  await before.sees("Which colour?")
  await chromium.kill()
  chromium = await launchToKill(installed("chromium"), folder)
  const after = await Person.at(chromium.profile, origin)
  await after.sees("You answered Name Parley Note left out")
  await after.answers({ green: true })
  await after.sees("It is done.")
  assert.deepEqual(sent(server.received), bothRounds)
})

test("a page that goes while the tool runs leaves it in doubt", async () => {
  const { person, server } = await scene.withScript({
    answer: (_, n) => [form("a", "What is it called?", name, "s1"), "say nothing", done("It is done.")][n] ?? "hang up",
  })
  await person.calls("x")
  await person.answers({ Name: "Parley" })
  await person.sees("Waiting for Desk.")
  await patiently(() => assert.equal(server.received.length, 2, "requests before the page goes"))
  await person.reload()
  await person.sees("It is not known whether this was done")
  await person.sees("Sent again, it may be done twice.")
  assert.equal(server.received.length, 2, "requests before the person decides")
  await person.press("Send again")
  await person.sees("It is done.")
  assert.deepEqual(sent(server.received), [bothRounds[0], bothRounds[1], bothRounds[1]])
})

test("two tabs: one drives, the other answers", async () => {
  const { person, server } = await scene.withScript({ answer: twoRounds })
  await person.calls("x")
  await person.sees("What is it called?")
  const other = await person.second()
  await other.sees("The call runs in another tab: your answer is handed over.")
  await other.answers({ Name: "Parley" })
  await person.sees("Which colour?")
  await other.sees("Which colour?")
  await person.answers({ green: true })
  await person.sees("It is done.")
  await other.sees("It is done.")
  await other.sees("You answered Name Parley")
  assert.deepEqual(sent(server.received), bothRounds)
})

test("two tabs: one is closed, and the other goes on", async () => {
  const { person, server } = await scene.withScript({ answer: twoRounds })
  await person.calls("x")
  const other = await person.second()
  await other.sees("The call runs in another tab")
  await other.fill({ Name: "Parley" })
  await person.tab.close()
  await other.press("Review answer")
  await other.press("Send")
  await other.sees("Which colour?")
  await other.answers({ green: true })
  await other.sees("It is done.")
  assert.deepEqual(sent(server.received), bothRounds)
})

test("two tabs: one takes an answer and is closed before it passes it on", async () => {
  const { person, server } = await scene.withScript({ answer: twoRounds })
  await person.calls("x")
  const other = await person.second()
  await other.sees("The call runs in another tab")
  await other.fill({ Name: "Parley" })
  await person.tab.close()
  // In the place of the tab that is gone: it says that it has the answer, and that is all.
  await other.tab.inject(`
    const channel = new BroadcastChannel("parley")
    channel.onmessage = ({ data: { type, call, token } }) => type === "answer" && channel.postMessage({ call, type: "answered", token, taken: true })`)
  await other.press("Review answer")
  await other.press("Send")
  await other.sees("Which colour?")
  await other.answers({ green: true })
  await other.sees("It is done.")
  await other.sees("You answered Name Parley")
  assert.deepEqual(sent(server.received), bothRounds)
})

test("two tabs: stopped and forgotten from the other", async () => {
  const { person, server } = await scene.withScript({ answer: twoRounds })
  await person.calls("x")
  const other = await person.second()
  await other.sees("The call runs in another tab") // before, there is another button to stop it
  await other.press("Stop this call")
  await person.sees("You stopped this call")
  await other.press("Discard")
  await person.seesNo("You stopped this call")
  await person.reload()
  await person.sees("Call something, answer what it asks")
  assert.equal(server.received.length, 1, "requests")
})

test("two tabs: forgotten before the other has let go of it", async () => {
  const { person, server } = await scene.withScript({ answer: twoRounds })
  await person.calls("x")
  const other = await person.second()
  // The snapshot stays where it is, as long as this tab is there.
  await person.tab.inject(`
    const { prototype } = IDBObjectStore
    const remove = prototype.delete
    prototype.delete = function (key) { return this.name === "calls" ? this.get(key) : remove.call(this, key) }`)
  await other.sees("The call runs in another tab") // before, there is another button to stop it
  await other.press("Stop this call")
  await person.sees("You stopped this call")
  await other.press("Discard")
  await person.seesNo("You stopped this call")
  await person.reload()
  await person.sees("Call something, answer what it asks")
  assert.equal(server.received.length, 1, "requests")
})
