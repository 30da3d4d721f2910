// Whether a call was carried out, as far as it can be told, and how a person
// goes on with it.

import assert from "node:assert/strict"

import { done, form } from "./scripted-server.js"
import { scene, test } from "./setting.js"

/** @import { Person } from "./person.js" */
/** @import { Answer, Received } from "./scripted-server.js" */

const text = (/** @type {string} */ title) => `{"text":{"type":"string","title":"${title}"}}`

/** Answers one thing after the other. @param {...Answer} answers */
const inTurn =
  (...answers) =>
  (/** @type {unknown} */ _, /** @type {number} */ n) =>
    answers[n] ?? "hang up"

/** What is for logs is not on the screen. @param {Person} person */
async function checkWords(person) {
  assert.doesNotMatch(await person.reads("main"), /\bleg \d|Limits\.|LegTimeout|parley: /i)
}

const refused = '"error":{"code":-32602,"message":"Invalid or expired requestState"}'

test("a state that is refused at the third of four requests: all is filled in again, the person sends, and the tool runs once", async () => {
  let runs = 0
  let forgets = true
  /** A server without a memory: the state says how far it is. @param {Received} request @returns {Answer} */
  const answer = ({ params: { requestState } }) => {
    switch (requestState) {
      case undefined:
        return form("a", "What is it called?", text("Name"), "named")
      case "named":
        return form("b", "Which colour?", text("Colour"), "coloured")
      case "coloured":
        if (forgets) return ((forgets = false), { status: 400, with: refused })
        return form("c", "How many?", text("Number"), "counted")
    }
    runs++
    return done("It is done.")
  }
  const { person, server } = await scene.withScript({ answer })
  await person.calls("x")
  await person.answers({ Name: "Parley" })
  await person.sees("Which colour?")
  await person.answers({ Colour: "green" })
  await person.sees("The server does not accept the answers any more")
  await person.sees("Desk says Invalid or expired requestState (error -32602)")
  await person.sees("They came too late, or the server has changed. Start over, and what it asks again is filled in already, for you to send.")
  await checkWords(person)
  await person.reload()
  await person.press("Start over")
  await person.sees("Filled in with what you answered before. What is it called?")
  assert.equal(await value(person), "Parley")
  await person.reload()
  await person.sees("You started over.")
  assert.equal(await value(person), "Parley", "after a reload")
  assert.equal(server.received.length, 4, "requests before the person sends")
  await person.answers({})
  await person.sees("Filled in with what you answered before. Which colour?")
  assert.equal(await value(person), "green")
  await person.answers({ Colour: "red" })
  await person.sees("How many?")
  await person.seesNo("Filled in with what you answered before.")
  await person.answers({ Number: "2" })
  await person.sees("It is done.")
  assert.equal(runs, 1, "runs of the tool")
  const sent = server.received.map(({ params }) => Object.values(params.inputResponses ?? {})[0]?.content.text)
  assert.deepEqual(sent, [undefined, "Parley", "green", undefined, "Parley", "red", "2"])
})

/** What is in the one field on the screen. @param {Person} person */
async function value(person) {
  await person.sees("Review answer")
  return person.tab.evaluate(() => /** @type {HTMLInputElement | null} */ (document.querySelector(".question .field input"))?.value, undefined)
}

test("a tool call that a gateway answers is in doubt, and stays kept", async () => {
  const { person, server } = await scene.withScript({ answer: inTurn(form("a", "What is it called?", text("Name")), { status: 502 }, done("It is done.")) })
  await person.calls("x")
  await person.answers({ Name: "Parley" })
  await person.sees("In doubt")
  await person.focusIs("It is not known whether this was done")
  await person.sees("It cannot be told whether the tool has run; it is called again only on request: HTTP status 502 (a proxy in front of the server gets no answer from it).")
  await person.sees("Desk is in trouble, or something on the way there: try again later. Find out if you can. Sent again, it may be done twice. Your answers are kept.")
  await checkWords(person)
  await person.comesBack()
  await person.sees("It is not known whether this was done")
  assert.equal(server.received.length, 2, "requests before the person decides")
  await person.press("Send again")
  await person.sees("It is done.")
  assert.deepEqual(server.received[2]?.params.inputResponses, { a: { action: "accept", content: { text: "Parley" } } })
})

test("a status that says that nothing was done is told, with what to do", async () => {
  /** @type {[status: number, advice: string][]} */
  const tests = [
    [403, "the server does not allow it). If you would have to allow more, this page cannot see it"],
    [429, "the server has had too many requests: wait a while, then try again)."],
  ]
  for (const [status, advice] of tests) {
    const { person } = await scene.withScript({ answer: inTurn({ status }, done("It is done.")) })
    await person.calls("x")
    await person.focusIs(`Desk answered with HTTP status ${status}`)
    await person.sees(`It was not carried out: HTTP status ${status} (${advice}`)
    await checkWords(person)
    await person.press("Try again")
    await person.sees("It is done.")
  }
})

test("a server that has moved", async () => {
  const { person } = await scene.withScript({ answer: inTurn({ status: 308 }) })
  await person.calls("x")
  await person.sees("It is not known whether this was done") // a browser does not say which status it was
  await person.sees("the endpoint has moved, and redirects are not followed. Desk has moved: its new address has to come from whoever runs this page.")
})

test("what a browser does not tell: whether the server got it", async () => {
  const { person, server } = await scene.withScript({ answer: () => "hang up" })
  await person.sees("Connected to")
  server.closed = true
  await person.calls("x")
  await person.sees("It is not known whether this was done")
  await person.sees("CORS")
  await checkWords(person)
})

test("stopped in the middle: a tool may have run, and a prompt is nothing to worry about", async () => {
  const { person } = await scene.withScript({ prompts: '[{"name":"p"}]', answer: () => "say nothing" })
  await person.calls("x")
  await person.sees("Waiting for Desk.")
  await person.press("Stop this call")
  await person.sees("Nothing more is sent. What Desk had begun to do may be done.")
  await person.press("Discard")
  await person.calls("p")
  await person.sees("Waiting for Desk.")
  await person.press("Stop this call")
  await person.sees("Nothing more is sent.")
  await person.seesNo("may be done")
})

test("a server that keeps asking may ask on", async () => {
  const most = 10
  const { person, server } = await scene.withScript({ answer: (_, n) => (n <= most ? form("a", `And ${n}?`, "{}") : done("It is done.")) })
  await person.calls("x")
  for (let n = 0; n < most; n++) {
    await person.sees(`And ${n}?`)
    await person.press("Yes")
  }
  await person.sees("The server asks again after 10 rounds. You can let it ask more.")
  await checkWords(person)
  await person.press("Try again")
  await person.sees(`And ${most}?`)
  await person.press("Yes")
  await person.sees("It is done.")
  assert.equal(server.received.length, most + 2, "requests")
})

test("what went too far is named with its size", async () => {
  const { person } = await scene.withScript({ answer: inTurn(form("a", "What?", "{}", "s".repeat(300_000))) })
  await person.calls("x")
  await person.sees("The server asked for too much")
  await person.sees("RequestState has 300002 bytes, and this page takes 262144.")
  await checkWords(person)
})

test("a call that another version of the page has kept is refused in words, and still kept", async () => {
  const { person, server } = await scene.withScript({ answer: inTurn(form("a", "What is it called?", text("Name"))) })
  await person.calls("x")
  await person.press("Park for later")
  await person.sees("Everything is kept in this browser")
  await person.tab.evaluate(rewriteKept, ['"parley":2', '"parley":1'])
  await person.reload()
  for (let n = 0; n < 2; n++) {
    await person.press(n ? "Try again" : "Resume")
    await person.focusIs("What was kept of this call cannot be read")
    await person.sees("Another release took it, in a format that this one cannot read")
    await person.reload()
  }
  await person.tab.evaluate(rewriteKept, ['"parley":1', '"parley":2'])
  await person.press("Try again")
  await person.sees("What is it called?")
  assert.equal(server.received.length, 1, "requests")
})

/** Runs in the page: changes words of all calls that are kept. @param {string[]} words */
async function rewriteKept([from = "", to = ""]) {
  const done = (/** @type {IDBRequest} */ request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)))
  const database = await done(indexedDB.open("parley-chat-calls"))
  for (const name of database.objectStoreNames) {
    const store = database.transaction(name, "readwrite").objectStore(name)
    const [keys, entries] = await Promise.all([done(store.getAllKeys()), done(store.getAll())])
    for (const [i, entry] of entries.entries()) {
      const changed = JSON.parse(JSON.stringify(entry).replaceAll(JSON.stringify(from).slice(1, -1), JSON.stringify(to).slice(1, -1)))
      await done(store.put(changed, store.keyPath ? undefined : keys[i]))
    }
  }
  database.close()
}
