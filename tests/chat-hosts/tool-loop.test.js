// What is the same in every SDK: who may answer what, and calls that fail.
import assert from "node:assert/strict"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { Code, connect, fetchTransport, load, memoryStore, PARK, TakenError } from "@parley-mcp/parley"
import { toolLoop } from "@parley-mcp/parley/ai-sdk"
import { Sessions } from "@parley-mcp/parley/sessions"
import { stdioTransport } from "@parley-mcp/parley/stdio"

import { answersTo, session, startDesk } from "./desk.js"

const desk = await startDesk()
test.after(desk.stop)

/** Calls a tool as a turn does. @param {ReturnType<typeof toolLoop>} loop @param {string} name @param {object} [input] */
async function turn(loop, name, input = {}) {
  const set = await loop.tools()
  const output = await set[name]?.execute(input, {})
  return [{ role: "tool", content: [{ type: "tool-result", toolCallId: "1", toolName: name, output: { type: "json", value: JSON.parse(JSON.stringify(output)) } }] }]
}

/** What the model would see. @param {any[]} messages */
const seen = (messages) => messages[0].content[0].output

test("tools of two servers are told apart, and a server that cannot be reached holds up nobody who listens", async () => {
  const [one, two, gone] = [await session(desk.url), await session(desk.url), await session("http://127.0.0.1:1/mcp")]
  /** @type {string[]} */
  const unlisted = []
  const set = await toolLoop({ "my.desk": one, other: two, gone }, { onUnlisted: (server) => unlisted.push(server) }).tools()
  assert.ok(set.my_desk_get_weather && set.other_get_weather && !set.get_weather)
  assert.equal(Object.keys(set).length, 10)
  assert.deepEqual(unlisted, ["gone"])
  await assert.rejects(toolLoop({ gone }).tools())
  for (const mcp of [one, two, gone]) await mcp.close()
})

test("what a set of sessions parks waits in the chat", async () => {
  const sessions = new Sessions()
  const engine = await load()
  let parks = true
  /** @type {typeof fetch} */
  const put = async (url, init) => {
    if (parks && String(init?.body).includes('"tools/call"')) sessions.park()
    return fetch(url, init)
  }
  sessions.add("desk", (askers) => connect(engine, fetchTransport(desk.url, { fetch: put }), { askers }))
  const loop = toolLoop(sessions, { store: memoryStore() })
  let messages = await turn(loop, "update_work_item", { id: 1, state: "Resolved" })
  parks = false
  const [parked] = await loop.waiting(messages)
  assert.deepEqual([parked?.kind, parked?.problem], ["again", "the call was parked"])
  messages = await loop.answer(messages, { [parked?.id ?? ""]: { action: "accept" } })
  assert.deepEqual((await loop.waiting(messages)).map(({ question }) => question?.key), ["resolution"])
  await sessions.close()
})

test("what a server says waits is not believed, and nobody else goes on with what does", async () => {
  const store = memoryStore()
  const mcp = await session(desk.url)
  const loop = toolLoop({ desk: mcp }, { store, principal: "ann" })
  const messages = await turn(loop, "update_work_item", { id: 1, state: "Resolved" })
  const [question] = await loop.waiting(messages)
  const answers = answersTo(question ? [question] : [], ["resolution"])

  const forged = JSON.parse(JSON.stringify(messages).replaceAll(seen(messages).value.call, "a"))
  assert.deepEqual(await loop.waiting(forged), [])
  const bob = toolLoop({ desk: mcp }, { store, principal: "bob" })
  for (const theirs of [answers, { [question?.id ?? ""]: { action: "discard" } }]) await assert.rejects(bob.answer(messages, theirs), { code: Code.peer }, "of another person")
  const foreign = JSON.parse(JSON.stringify(messages).replace('"server":"desk"', '"server":"bank"'))
  await assert.rejects(toolLoop({ desk: mcp, bank: mcp }, { store, principal: "ann" }).answer(foreign, answers), "at another server")

  const { lease } = await store.take(seen(messages).value.call)
  await assert.rejects(loop.answer(messages, answers), TakenError, "in another tab")
  await lease.release()
  assert.equal((await loop.waiting(await loop.answer(messages, answers)))[0]?.question?.key, "original", "and all of that has changed nothing")
  const discarded = { [question?.id ?? ""]: { action: "discard" } }
  assert.match(JSON.stringify(seen(await loop.answer(messages, discarded))), /gave the call up/)
  await assert.rejects(bob.answer(messages, answers), { code: Code.peer }, "nor what came of it")
  await mcp.close()
})

test("an answer that does not fit is asked for again, and one from before answers nothing", async () => {
  const mcp = await session(desk.url)
  const loop = toolLoop({ desk: mcp }, { store: memoryStore() })
  let messages = await turn(loop, "update_work_item", { id: 1, state: "Resolved" })
  const [first] = await loop.waiting(messages)
  messages = await loop.answer(messages, { [first?.id ?? ""]: { action: "accept", content: { resolution: "Eaten" } } })
  const [again] = await loop.waiting(messages)
  assert.equal(again?.id, first?.id)
  assert.match(again?.question?.problem ?? "", /resolution/)
  const right = answersTo(again ? [again] : [], ["resolution"])
  messages = await loop.answer(messages, right)
  const [second] = await loop.waiting(messages)
  assert.equal(second?.question?.key, "original")
  assert.deepEqual(await loop.answer(messages, right), messages)
  await mcp.close()
})

test("a call that may have run waits for the person to say whether it is made again", async () => {
  let cut = false
  /** @type {typeof fetch} */
  const cutOff = async (url, init) => {
    const response = await fetch(url, init)
    if (!cut) return response
    await response.text()
    throw new TypeError("the connection broke")
  }
  const mcp = connect(await load(), fetchTransport(desk.url, { fetch: cutOff }))
  const loop = toolLoop({ desk: mcp }, { store: memoryStore() })
  for (const [action, runs, text] of /** @type {const} */ ([["accept", 2, /duplicate of 42/], ["decline", 1, /gave the call up/]])) {
    let messages = await turn(loop, "update_work_item", { id: 1, state: "Resolved" })
    messages = await loop.answer(messages, answersTo(await loop.waiting(messages), ["resolution"]))
    const before = (await desk.counts()).update_work_item ?? 0
    cut = true
    messages = await loop.answer(messages, answersTo(await loop.waiting(messages), ["original"]))
    cut = false
    const [again] = await loop.waiting(messages)
    assert.deepEqual([again?.kind, again?.inDoubt], ["again", true])
    messages = await loop.answer(messages, { [again?.id ?? ""]: { action } })
    assert.deepEqual(await loop.waiting(messages), [])
    assert.match(JSON.stringify(seen(messages)), text)
    assert.equal((await desk.counts()).update_work_item, before + runs)
  }
  await mcp.close()
})

test("a call that the server does not know any more is made anew, and one that is discarded is over", async () => {
  const mcp = await session(desk.url)
  const loop = toolLoop({ desk: mcp }, { store: memoryStore() })
  for (const [action, text] of /** @type {const} */ ([["accept", /Work item 1 is a duplicate of 42/], ["discard", /gave the call up/]])) {
    let messages = await turn(loop, "update_work_item", { id: 1, state: "Resolved" })
    messages = await loop.answer(messages, answersTo(await loop.waiting(messages), ["resolution"]))
    await desk.forget()
    messages = await loop.answer(messages, answersTo(await loop.waiting(messages), ["original"]))
    const [again] = await loop.waiting(messages)
    assert.deepEqual([again?.kind, again?.startOver], ["again", true])
    messages = await loop.answer(messages, { [again?.id ?? ""]: { action } })
    for (const key of ["resolution", "original"]) messages = await loop.answer(messages, answersTo(await loop.waiting(messages), [key]))
    assert.match(JSON.stringify(seen(messages)), text)
    assert.deepEqual(await loop.waiting(messages), [])
  }
  await mcp.close()
})

test("a server of an earlier era, which cannot wait, asks who is there, and the call fails if nobody is", async () => {
  const server = fileURLToPath(new URL("../../hosts/js/test/servers/earlier.js", import.meta.url))
  const elicit = () => ({ action: "accept", content: { name: "Ann" } })
  for (const askers of [{ elicit }, {}]) {
    const mcp = connect(await load(), stdioTransport({ command: process.execPath, args: [server] }), { askers: { elicit } })
    const loop = toolLoop({ earlier: mcp }, { store: memoryStore(), askers })
    const result = turn(loop, "form")
    if ("elicit" in askers) assert.match(JSON.stringify(seen(await result)), /Ann/)
    else assert.match(JSON.stringify(await result.then(seen, (error) => error.message)), /refused|rejected/i)
    await mcp.close()
  }
})

test("a sign-in that is put off waits with the rest", async () => {
  let signedIn = false
  /** @type {typeof fetch} */
  const guarded = async (url, init) => (signedIn || !String(init?.body).includes('"tools/call"') ? fetch(url, init) : new Response(null, { status: 401, headers: { "WWW-Authenticate": "Bearer" } }))
  const mcp = connect(await load(), fetchTransport(desk.url, { fetch: guarded }))
  const loop = toolLoop({ desk: mcp }, { store: memoryStore(), askers: { authorize: () => (signedIn ? {} : PARK) } })
  let messages = await turn(loop, "get_weather", { location: "Oslo" })
  for (const [now, kinds] of /** @type {const} */ ([[false, ["authorize"]], [true, []]])) {
    const waiting = await loop.waiting(messages)
    assert.deepEqual(waiting.map(({ question }) => question?.kind), ["authorize"])
    signedIn = now
    messages = await loop.answer(messages, { [waiting[0]?.id ?? ""]: { action: "accept" } })
    assert.deepEqual((await loop.waiting(messages)).map(({ question }) => question?.kind), kinds)
  }
  assert.match(JSON.stringify(seen(messages)), /18 °C in Oslo/)
  await mcp.close()
})

test("a turn that is stopped leaves no call behind, but for one that the chat has", async () => {
  const stop = new AbortController()
  let wait = true
  /** @type {typeof fetch} */
  const slow = async (url, init) => {
    if (!wait || !String(init?.body).includes('"tools/call"')) return fetch(url, init)
    stop.abort(new Error("stopped"))
    return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))))
  }
  const mcp = connect(await load(), fetchTransport(desk.url, { fetch: slow }))
  const store = memoryStore()
  const loop = toolLoop({ desk: mcp }, { store })
  const { update_work_item } = await loop.tools()
  await assert.rejects(async () => update_work_item?.execute({ id: 1, state: "Resolved" }, { abortSignal: stop.signal }))
  assert.deepEqual(await store.list(), [])
  wait = false
  const messages = await turn(loop, "update_work_item", { id: 1, state: "Resolved" })
  const answers = answersTo(await loop.waiting(messages), ["resolution"])
  const stopped = await loop.answer(messages, answers, { abortSignal: stop.signal })
  const [again] = await loop.waiting(stopped)
  assert.equal(again?.kind, "again")
  const after = await loop.answer(await loop.answer(stopped, { [again?.id ?? ""]: { action: "accept" } }), answers)
  assert.deepEqual((await loop.waiting(after)).map(({ question }) => question?.key), ["original"])
  await mcp.close()
})
