// Pages and hosts' servers that say what they may not.

import test from "node:test"
import { Code, connect, memoryStore, ParleyError } from "../dist/index.js"
import { RemoteHost } from "../dist/remote/index.js"
import { equal, ok, thrown } from "./assert.js"
import { pair, remote } from "./remote-pair.js"
import { ada, answer, desk, end, engine, form, opener, person, promised, tool } from "./remote-desk.js"

test("a page does only what the host lets it, and gets at nothing by forging", async () => {
  const { legs, send } = desk()
  const ann = person()
  /** @type {string[]} */
  const warnings = []
  const r = remote(engine, send, { askers: { elicit: ann.elicit }, visitor: { allow: ({ method, params }) => method === "tools/call" && JSON.parse(params).name === "t" }, watchers: { onWarning: (text) => void warnings.push(text) } })
  for (const request of [{ method: "tools/list" }, { method: "tools/call", params: { name: "rm" } }, { ...tool, options: { limits: { response: 1 << 30 } } }]) {
    const error = await thrown(() => r.session.call(request), request.method)
    ok(error instanceof ParleyError && error.code === Code.options, String(error))
  }
  const call = r.session.callTool({ name: "t" })
  const { answer } = await ann.question()
  const [page] = r.lines[0] ?? []
  const { call: id } = page?.sent.filter(({ type }) => type === "call").at(-1)
  for (const forged of [{ call: id, number: 2 }, { call: id, number: 0 }, { call: "a".repeat(26), number: 1 }]) page?.send(JSON.stringify({ type: "answer", raw: JSON.stringify(ada), ...forged }))
  page?.send(JSON.stringify({ type: "cancel", call: "b".repeat(26) }))
  page?.send(JSON.stringify({ type: "call", call: id, method: "tools/call", params: "{}", options: {}, can: {}, tell: [] }))
  r.session.subscribe({ toolsListChanged: true })
  answer(ada)
  equal((await call).content[0]?.text, "Ada")
  equal([legs.length, warnings.length], [2, 6], warnings.join("; "))
  await end(r)
})

const id = "c".repeat(26)
const hello = { type: "hello", version: 1, can: {}, tell: [] }
const begin = { type: "call", call: id, method: "tools/call", params: '{"name":"t"}', options: {}, can: {}, tell: [] }

test("what a page may not say ends its connection", async () => {
  /** @type {Record<string, any[]>} */
  const pages = {
    "no hello": [begin],
    "two hellos": [hello, hello],
    "another version": [{ ...hello, version: 2 }],
    "no JSON": [hello, "{"],
    "no object": [hello, null],
    "no text": [hello, new Uint8Array(4)],
    "an unknown type": [hello, { type: "constructor" }],
    "a member too many": [hello, { ...begin, more: 1 }],
    "a number that is none": [hello, { type: "answer", call: id, number: "1", raw: "{}" }],
    "an id that is none": [hello, { type: "cancel", call: "../../etc" }],
    "too long": [hello, { ...begin, params: "x".repeat(1000) }],
  }
  for (const [name, said] of Object.entries(pages)) {
    let calls = 0
    const host = new RemoteHost({ maxMessage: 500 })
    const [page, other] = pair()
    host.serve(other, { owner: "ann", server: "desk", session: () => connect(engine, { kind: "requests", open: opener(() => (calls++, answer({}))) }) })
    const closed = promised()
    page.addEventListener("close", ({ code }) => closed.settle(code))
    for (const message of said) other.tell("message", { data: typeof message === "string" || message instanceof Uint8Array ? message : JSON.stringify(message) })
    equal(await closed.promise, 1002, name)
    equal(calls, 0, name)
    await host.close()
  }
})

test("a page that reads nothing is cut off", async () => {
  const host = new RemoteHost({ maxBacklog: 100 })
  const [page, other] = pair()
  host.serve(Object.assign(other, { bufferedAmount: 101 }), { owner: "ann", server: "desk", session: () => connect(engine, { kind: "requests", open: opener(() => answer({})) }) })
  const closed = promised()
  page.addEventListener("close", ({ code }) => closed.settle(code))
  page.send(JSON.stringify(hello))
  equal(await closed.promise, 1008)
  await host.close()
})

test("a connection that takes nothing any more ends, and the call is kept", async () => {
  const { legs, send } = desk()
  const store = memoryStore()
  const host = new RemoteHost({ store })
  const [page, other] = pair()
  let broken = false
  const own = other.send.bind(other)
  other.send = (text) => {
    if (broken) throw new Error("EPIPE")
    own(text)
  }
  host.serve(other, { owner: "ann", server: "desk", session: ({ askers }) => connect(engine, { kind: "requests", open: opener((leg, context) => ((broken = true), send(leg, context))) }, { askers }) })
  const closed = promised()
  page.addEventListener("close", ({ code }) => closed.settle(code))
  page.send(JSON.stringify(hello))
  page.send(JSON.stringify({ ...begin, can: { elicit: true } }))
  equal(await closed.promise, 1011)
  await host.close()
  equal([legs.length, (await store.list()).map(({ id }) => id)], [1, [id]])
})

test("what a host's server may not say ends the calls, and throws nothing into the page", async () => {
  const greeting = { type: "hello", version: 1, memory: "m", most: 1000 }
  const question = { ask: 1, key: "k", kind: "elicitation/create", mode: "form", params: "{}", round: 1 }
  const call = "CALL"
  /** @type {Record<string, any[]>} */
  const servers = {
    "no hello": [{ type: "error", detail: "d" }],
    "two hellos": [greeting, greeting],
    "another version": [{ ...greeting, version: 2 }],
    "no JSON": [greeting, "["],
    "an unknown type": [greeting, { type: "toString" }],
    "a question without a number": [greeting, { type: "ask", call, question }],
    "a question that is none": [greeting, { type: "ask", call, number: 1, question: { ...question, ask: "1" } }],
    "an outcome that is none": [greeting, { type: "end", call, outcome: { status: "__proto__" } }],
    "a result that is no JSON": [greeting, { type: "end", call, outcome: { status: "done", result: "{" } }],
    "an error that is no JSON": [greeting, { type: "end", call, outcome: { status: "failed", code: 9, detail: "d", resumable: false, response: "null" } }],
    "a watcher that is none": [greeting, { type: "tell", call, what: "hasOwnProperty", said: [] }],
    "a watcher of something else": [greeting, { type: "tell", call, what: "onProgress", said: ["1", 2] }],
    "too long": [greeting, { type: "error", detail: "x".repeat(3000) }],
    "too many questions": [greeting, ...Array.from({ length: 65 }, (_, i) => ({ type: "ask", call, number: i, question: { ...question, ask: i } }))],
  }
  const { connectRemote } = await import("../dist/remote/index.js")
  for (const [name, said] of Object.entries(servers)) {
    let lines = 0
    const session = connectRemote(() => {
      const [page, host] = pair()
      lines++
      host.addEventListener("message", ({ data }) => {
        const { type, call } = JSON.parse(data)
        if (type === "hello") for (const message of said.slice(0, 1)) host.send(JSON.stringify(message))
        if (type === "hello" && said[0] === greeting && said[1] === greeting) host.send(JSON.stringify(greeting))
        if (type === "call") for (const message of said.slice(1)) page.tell("message", { data: typeof message === "string" ? message : JSON.stringify(message).replace("CALL", call) })
      })
      return page
    }, { askers: { elicit: () => new Promise(() => {}) }, maxMessage: 2000 })
    const outcome = await session.call(tool)
    ok(outcome.status === "failed" && (outcome.code === Code.inDoubt || outcome.code === Code.lost), `${name}: ${JSON.stringify(outcome)}`)
    equal(lines, 1, `${name}: it is not tried again`)
    await session.close()
  }
})

test("numbers that a host's server makes up change nothing", async () => {
  const { send } = desk()
  const ann = person()
  const r = remote(engine, send, { askers: { elicit: ann.elicit } })
  const call = r.session.callTool({ name: "t" })
  const { answer, signal } = await ann.question()
  const [, host] = r.lines[0] ?? []
  const { call: own } = host?.sent.find(({ type }) => type === "ask")
  for (const message of [{ type: "withdraw", call: own, number: 7 }, { type: "end", call: id, outcome: {} }, { type: "moved", call: id }, { type: "unknown", call: id }]) host?.send(JSON.stringify(message))
  answer(ada)
  equal((await call).content[0]?.text, "Ada")
  equal([ann.asked.length, signal.aborted], [1, false])
  await end(r)
})
