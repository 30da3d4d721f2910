// What goes wrong is said, with what can be done next.

import assert from "node:assert/strict"

import { done, form } from "./scripted-server.js"
import { scene, test } from "./setting.js"

const name = '{"name":{"type":"string","title":"Name"}}'
const prompts = '[{"name":"p"}]'

test("a server that does not let the page in, and then does", async () => {
  const { person, server } = await scene.withScript({ answer: () => done("Hello.") })
  server.closed = true
  await person.reload()
  await person.sees("No connection to 127.0.0.1")
  await person.sees("No answer will come:")
  server.closed = false
  await person.press("Try again")
  await person.calls("x")
  await person.sees("Hello.")
})

test("a tool call that is lost is sent again only if the person says so", async () => {
  const { person, server } = await scene.withScript({
    answer: (_, n) => [form("a", "What is it called?", name), "hang up", done("It is done.")][n] ?? "hang up",
  })
  await person.calls("x")
  await person.answers({ Name: "Parley" })
  await person.sees("It is not known whether this was done")
  await person.focusIs("It is not known whether this was done")
  assert.equal(server.received.length, 2)
  await person.press("Send again")
  await person.sees("It is done.")
})

test("a tool call that is left in doubt", async () => {
  const { person, server } = await scene.withScript({ answer: () => "hang up" })
  await person.calls("x")
  await person.press("Discard")
  await person.sees("Call something, answer what it asks")
  assert.equal(server.received.length, 1)
})

test("a prompt that is lost is asked for again by itself, and then by the person", async () => {
  const { person, server } = await scene.withScript({
    prompts,
    answer: (_, n) => (n < 3 ? "hang up" : '"result":{"messages":[{"role":"user","content":{"type":"text","text":"Do it."}}]}'),
  })
  await person.tab.evaluate(() => {
    const { dataset } = document.documentElement
    new MutationObserver(() => (dataset.seen += document.querySelector("article .status")?.textContent ?? "")).observe(document.body, { subtree: true, childList: true })
  }, undefined)
  await person.calls("p")
  await person.sees("No usable answer came")
  const seen = await person.tab.evaluate(() => document.documentElement.dataset.seen, undefined)
  assert.match(seen ?? "", /No answer came from Desk: it is asked again\./)
  assert.equal(server.received.length, 3)
  await person.press("Try again")
  await person.sees("Do it.")
})

test("an error of the server, in its own words", async () => {
  const { person } = await scene.withScript({
    answer: (_, n) =>
      [form("a", "What is it called?", name), '"error":{"code":-32000,"message":"The disk is full","data":{"free":0}}', done("It is done.")][n] ?? "hang up",
  })
  await person.calls("x")
  await person.answers({ Name: "Parley" })
  await person.sees("The server answered with an error")
  await person.sees('Desk says The disk is full (error -32000, {"free":0})')
  await person.press("Try again")
  await person.sees("It is done.")
})

test("a round that makes no sense asks nobody", async () => {
  const { person } = await scene.withScript({ answer: () => form("a", "What?", '{"a":{"type":"string","minLength":"two"}}') })
  await person.calls("x")
  await person.sees("The server’s answer makes no sense")
  await person.sees('InputRequests["a"]: ')
  assert.equal(await person.counts(".question"), 0)
})

test("what the page does not offer is not asked for", async () => {
  const { person } = await scene.withGoServer()
  await person.press("Folders and model")
  await person.fill({ "/^Servers may not ask/": true })
  await person.press("Done")
  await person.calls("Summarise a text", { text: "Parley." })
  await person.sees("This needs a client that declares the sampling capability")
})

test("stopped while the tool runs", async () => {
  const { person } = await scene.withScript({ answer: () => "say nothing" })
  await person.calls("x")
  await person.sees("Waiting for Desk.")
  await person.press("Stop this call")
  await person.sees("What Desk had begun to do may be done.")
  await person.focusIs("You stopped this call")
})

test("arguments that no form can ask for are typed as JSON, and go out as typed", async () => {
  const schema =
    '{"type":"object","properties":{"where":{"type":"object","description":"A place"},"n":{"type":"number","exclusiveMinimum":0},"word":{"type":"string","pattern":"^a"}},"required":["where"]}'
  const { person, server } = await scene.withScript({ tools: `[{"name":"x","inputSchema":${schema}}]`, answer: () => done("Hello.") })
  await person.pick("x")
  await person.fill({ where: "{", n: "1.0", word: "any" })
  await person.press("Call the tool")
  await person.sees("where must be a JSON object")
  await person.fill({ where: '{"x": 1.0, "id": 9007199254740993}' })
  await person.press("Call the tool")
  await person.sees("Hello.")
  assert.match(server.received[0]?.body ?? "", /"arguments":\{"where":\{"x": 1\.0, "id": 9007199254740993\},"n":1\.0,"word":"any"\}/)
})

test("the same again, with other arguments", async () => {
  const { person, server } = await scene.withScript({
    tools: '[{"name":"x","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}}]',
    answer: (_, n) => (n % 2 ? done("Hello.") : form("k", "What is it called?", name)),
  })
  await person.calls("x", { a: "one" })
  await person.answers({ Name: "Parley" })
  await person.sees("Hello.")
  await person.press("Call again")
  await person.fill({ a: "two" })
  await person.press("Call the tool")
  await person.answers({ Name: "Parley" })
  await person.sees("Hello.", "a two")
  assert.deepEqual(server.received[2]?.params.arguments, { a: "two" })
  assert.deepEqual(server.received[3]?.params.inputResponses, { k: { action: "accept", content: { name: "Parley" } } })
})

test("two servers", async () => {
  const { person, other } = await scene.withTwo(
    { answer: () => done("One.") },
    { tools: '[{"name":"y","title":"The other","inputSchema":{}}]', answer: () => done("Two.") },
  )
  await person.fill({ Server: "Second" })
  await person.calls("The other")
  await person.sees("Second answered")
  await person.sees("Two.")
  assert.equal(other.received.length, 1)
})

test("a browser that keeps nothing for the page", async (t) => {
  if (scene.browser.name !== "chromium") return t.skip("only Chromium lets a test take the database away")
  const { person } = await scene.withScript({ answer: (_, n) => (n ? done("Hello.") : form("k", "What is it called?", name)) }, { amnesia: true })
  await person.sees("This browser keeps nothing for the page, so calls are lost when it closes.")
  await person.calls("x")
  await person.fill({ Name: "Parley" })
  await person.press("Park for later")
  await person.press("Resume")
  await person.answers({})
  await person.sees("Hello.")
})

test("progress of a call", async () => {
  const { person } = await scene.withScript({ answer: () => ({ progress: '{"progress":2,"total":5}', then: "say nothing" }) })
  await person.calls("x")
  await person.sees("2 of 5")
})
