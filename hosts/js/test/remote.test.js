// A session that another process drives: the same callbacks. What becomes of it
// when the connection is lost, or somebody is hostile, is beside this.

import { readdirSync, readFileSync } from "node:fs"
import test from "node:test"
import { Code, connect, Engine, Failure, fetchTransport, memoryStore, PARK } from "../dist/index.js"
import { contains, equal, ok, thrown } from "./assert.js"
import { marks, playDriver, Stage } from "./corpus/drivers.js"
import { remote } from "./remote-pair.js"
import { ada, answer, asks, desk, end, engine, form, person, promised, tool } from "./remote-desk.js"

/** @import { Question, Send } from "../dist/index.js" */

test("the corpus of drivers, but for what the host's own server keeps", async (t) => {
  const folder = new URL("../../testdata/drivers/", import.meta.url)
  const module = new WebAssembly.Module(readFileSync(new URL("../dist/parley.wasm", import.meta.url)))
  // What is saved is not told to the page, and a handle is no snapshot to be damaged.
  const left = (/** @type {string} */ name, /** @type {string} */ text) => /"save"/.test(text) || marks(text).needs.length > 0 || marks(text).changes.includes("js") || /^resume-(damaged|older)/.test(name)
  let played = 0
  let leftOut = 0
  /** @type {string[]} */
  const wrong = []
  for (const name of readdirSync(folder).sort()) {
    const text = readFileSync(new URL(name, folder), "utf8")
    if (left(name, text)) {
      leftOut++
      continue
    }
    const store = memoryStore()
    /** A page's session in place of one of its own. */
    class RemoteConnection {
      #remote
      /** @type {unknown} */
      #threw
      /** @param {Engine} engine @param {import("../dist/index.js").Askers} askers @param {Send} send */
      constructor(engine, askers, send) {
        this.#remote = remote(engine, (request, context) => Promise.resolve(send(request, context)).catch((error) => { throw (this.#threw = error) }), { askers, settings: { store } })
      }
      /** What the transport threw stays on the server. @param {import("../dist/index.js").Outcome} outcome */
      #told = (outcome) => {
        if (outcome.status === "failed" && (outcome.code === Code.lost || outcome.code === Code.inDoubt)) outcome.cause ??= this.#threw
        return outcome
      }
      /** @param {any} script @param {string} params @param {object} running */
      call({ method, options }, params, running) {
        return this.#remote.session.call({ method, params, options, ...running }).then(this.#told)
      }
      /** @param {string} snapshot @param {any} how @param {object} running */
      resume(snapshot, { resend, again, moreRounds, expect }, running) {
        return this.#remote.session.resume({ snapshot, resend, again, moreRounds, expect, ...running }).then(this.#told)
      }
      close() {
        return end(this.#remote)
      }
    }
    await playDriver(text, new Stage(() => new Engine(module), /** @type {any} */ (RemoteConnection))).then(() => played++, (error) => wrong.push(`${name}: ${error.message}`))
  }
  ok(wrong.length === 0, wrong.join("\n\n"))
  t.diagnostic(`${played} scripts played, ${leftOut} left out`)
  ok(played >= 74, `scripts played: ${played}`)
})

test("texts travel as they are", async () => {
  const params = String.raw`{"name":"t","arguments":{"n":1.0,"big":9007199254740993,"s":"\ud800"}}`
  const raw = String.raw`{"action":"accept", "content":{"name":"\u0041da"}}`
  const result = String.raw`{"content":[],"structuredContent":{"n":1.0,"big":9007199254740993,"s":"\udfff"}}`
  /** @type {string[]} */
  const sent = []
  const r = remote(engine, ({ params }) => (sent.push(params), params.includes("inputResponses") ? `{"jsonrpc":"2.0","id":1,"result":${result}}` : answer(asks)), { askers: { elicit: () => raw } })
  const outcome = await r.session.call({ method: "tools/call", params })
  equal(outcome.status === "done" ? outcome.result : outcome, result)
  equal(sent[0], params)
  contains(sent[1], `"who":${raw}`)
  await end(r)
})

test("a page that draws any form is asked with any", async () => {
  const schema = '{"type":"object","properties":{"people":{"type":"array","items":{"type":"object"}}}}'
  const asked = `{"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":${schema}}}}}`
  for (const anyForm of [true, false]) {
    const elicit = (/** @type {Question} */ question) => (equal(engine.questionForm(question).unreadable?.property, "people"), '{"action":"accept","content":{"people":[{}]}}')
    const r = remote(engine, ({ params }) => (params.includes("inputResponses") ? answer({ content: [] }) : `{"jsonrpc":"2.0","id":1,"result":${asked}}`), { askers: { elicit, anyForm } })
    const outcome = await r.session.call({ method: "tools/call" })
    equal([outcome.status, "code" in outcome ? outcome.code : undefined], anyForm ? ["done", undefined] : ["failed", Code.form])
    await end(r)
  }
})

test("lists, typed calls and completions are those of a session", async () => {
  /** @type {Record<string, object>} */
  const results = { "tools/list": { tools: [{ name: "t", inputSchema: { type: "object" } }], ttlMs: 0, cacheScope: "private" }, "tools/call": { content: [], isError: true }, "completion/complete": { completion: { values: ["a"] } } }
  const r = remote(engine, ({ method }) => (results[method] ? answer(results[method]) : '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no such method"}}'))
  const names = []
  for await (const { name } of r.session.tools()) names.push(name)
  for await (const { name } of r.session.prompts()) names.push(name)
  equal(names, ["t"])
  equal((await r.session.callTool({ name: "t" })).isError, true)
  equal(await r.session.complete({ prompt: "p", argument: "a", value: "" }), { values: ["a"], hasMore: false })
  const failure = await thrown(() => r.session.readResource({ uri: "u" }), "reading")
  ok(failure instanceof Failure && failure.code === Code.rpc, "a failure")
  contains(failure.message, "no such method")
  await end(r)
})

test("many calls run at once, each with its own questions and progress", async () => {
  /** @type {string[]} */
  const told = []
  const r = remote(engine, (leg, { progress }) => {
    const { name, inputResponses } = JSON.parse(leg.params)
    if (!inputResponses) return answer(asks)
    progress(`{"progress":1,"message":"${name}"}`)
    return answer({ content: [{ type: "text", text: name + inputResponses.who.content.name }] })
  })
  const names = Array.from({ length: 60 }, (_, i) => `t${i}`)
  const results = await Promise.all(names.map((name) => r.session.callTool({ name, askers: { elicit: () => ({ action: "accept", content: { name } }) }, watchers: { onProgress: (_, params) => told.push(JSON.parse(params).message) } })))
  equal(results.map(({ content }) => content[0]?.text), names.map((name) => name + name))
  equal(told.sort(), [...names].sort())
  await end(r)
})

test("a question stays where it is while the connection is lost, and is answered once", async () => {
  for (const when of ["before", "after"]) {
    const { legs, send } = desk()
    const ann = person()
    /** @type {(() => void)[]} */
    const open = []
    const r = remote(engine, send, { askers: { elicit: ann.elicit }, meet: () => open.shift()?.() })
    const call = r.session.callTool({ name: "t" })
    const { answer, signal } = await ann.question()
    const again = promised()
    open.push(() => again.settle(undefined))
    r.cut()
    if (when === "before") answer(ada) // while there is no connection
    await again.promise
    if (when === "after") answer(ada)
    equal((await call).content[0]?.text, "Ada", when)
    equal([ann.asked.length, legs.length, signal.aborted], [1, 2, false], when)
    await end(r)
  }
})

test("an answer that is lost with the connection is sent again, and nobody is asked again", async () => {
  const { legs, send } = desk()
  let asked = 0
  const r = remote(engine, send, {
    askers: { elicit: () => (asked++, ada) },
    meet: (page) => (page.passes = ({ type }) => type !== "answer" || r.lines.length > 1 || (page.close(), false)),
  })
  equal((await r.session.callTool({ name: "t" })).content[0]?.text, "Ada")
  equal([asked, legs.length, r.lines.length], [1, 2, 2])
  await end(r)
})

test("a page that is loaded again goes on with its call, and the one before is told", async () => {
  const { legs, send } = desk()
  const [ann, later] = [person(), person()]
  let kept = ""
  const r = remote(engine, send, { askers: { elicit: ann.elicit } })
  const before = r.session.call({ ...tool, save: (snapshot) => (kept = snapshot) })
  const { signal } = await ann.question()
  ok(!kept.includes("secret"), kept)
  const after = remote(engine, send, { host: r.server, askers: { elicit: later.elicit } })
  const resumed = after.session.resume({ snapshot: kept })
  const { question, answer } = await later.question()
  equal(question.params, JSON.stringify(form.params))
  const moved = await before
  equal([moved.status === "failed" && moved.code, signal.aborted], [Code.lost, true])
  answer(ada)
  equal([(await resumed).status, legs.length], ["done", 2])
  await after.session.close()
  await end(r)
})

test("parked, resumed, canceled; and only by whose call it is", async () => {
  const { legs, send } = desk()
  const r = remote(engine, send, { askers: { elicit: () => PARK } })
  const parked = await r.session.call(tool)
  if (parked.status !== "parked") throw new Error(parked.status)
  const { snapshot } = parked
  const bob = remote(engine, send, { host: r.server, visitor: { owner: "bob" }, askers: { elicit: () => ada } })
  const other = remote(engine, send, { host: r.server, visitor: { server: "files" }, askers: { elicit: () => ada } })
  for (const stranger of [bob, other]) {
    const outcome = await stranger.session.resume({ snapshot })
    ok(outcome.status === "failed" && !outcome.resumable, "a stranger's")
    await stranger.session.close()
  }
  const stop = new AbortController()
  const canceled = await r.session.resume({ snapshot, signal: stop.signal, askers: { elicit: () => (stop.abort(new Error("enough")), new Promise(() => {})) } })
  ok(canceled.status === "failed" && canceled.code === Code.canceled && canceled.resumable && !canceled.inDoubt, "canceled")
  contains(String(canceled.status === "failed" && canceled.cause), "enough")
  const park = new AbortController()
  const again = await r.session.resume({ snapshot, park: park.signal, askers: { elicit: () => (park.abort(), new Promise(() => {})) } })
  equal(again.status, "parked")
  equal((await r.session.resume({ snapshot, askers: { elicit: () => ada } })).status, "done")
  equal(legs.length, 2)
  await end(r)
})

test("a server of an earlier era asks in the middle of a leg, and its call is not parked: the page comes back to it", async () => {
  const ann = person()
  const posts = /** @type {any[]} */ ([])
  const session = (/** @type {any} */ { askers, watchers }) => connect(engine, { kind: "stdio", open: (receive) => ({ perform: (/** @type {any} */ { exchange, body }) => {
    const message = JSON.parse(body)
    posts.push(message)
    const say = (/** @type {object} */ said) => queueMicrotask(() => receive({ type: "message", exchange: 0, body: JSON.stringify({ jsonrpc: "2.0", ...said }) }))
    if (message.method === "server/discover") say({ id: message.id, error: { code: -32601, message: "no such method" } })
    if (message.method === "initialize") say({ id: message.id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } })
    if (message.method === "tools/call") say({ id: "q", ...form })
    if (message.id === "q") say({ id: posts.find(({ method }) => method === "tools/call").id, result: { content: [{ type: "text", text: message.result.content.name }] } })
  }, reset: () => {}, close: async () => {} }) }, { askers, watchers })
  /** @type {string[]} */
  const ready = []
  const r = remote(engine, () => "", { visitor: { session }, askers: { elicit: ann.elicit }, watchers: { onReady: ({ version }) => void ready.push(version) } })
  const call = r.session.callTool({ name: "t" })
  const { answer } = await ann.question()
  r.cut()
  answer(ada)
  equal((await call).content[0]?.text, "Ada")
  equal([ann.asked.length, posts.filter(({ method }) => method === "tools/call").length, ready], [1, 1, ["2025-11-25"]])
  await end(r)
})

test("a sign-in is asked of the page, and who signed in is not believed", async () => {
  let signedIn = false
  const fetching = async (/** @type {unknown} */ _, /** @type {any} */ { body }) => {
    if (!signedIn) return new Response(null, { status: 401, headers: { "WWW-Authenticate": "Bearer" } })
    const { id } = JSON.parse(body)
    return new Response(JSON.stringify({ jsonrpc: "2.0", id, result: asks }), { headers: { "Content-Type": "application/json" } })
  }
  const session = (/** @type {any} */ page) => connect(engine, fetchTransport("http://127.0.0.1/mcp", { fetch: fetching, authorization: () => (signedIn ? "Bearer t" : "Bearer s") }), page)
  for (const own of [undefined, "account-7"]) {
    signedIn = false
    const store = memoryStore()
    const authorize = (/** @type {Question} */ { kind }) => {
      equal(kind, "authorize")
      signedIn = true
      return { account: own ?? "root" }
    }
    const askers = (/** @type {any} */ page) => (own ? { ...page, authorize } : page)
    const r = remote(engine, () => "", { settings: { store }, visitor: { session, askers }, askers: { authorize: own ? () => ({ account: "root" }) : authorize, elicit: () => PARK } })
    const outcome = await r.session.call(tool)
    equal(outcome.status, "parked", JSON.stringify(outcome))
    const [{ id = "" } = {}] = await store.list()
    const { snapshot, lease } = await store.take(id)
    await lease.release()
    equal([snapshot.includes("root"), snapshot.includes("account-7")], [false, own !== undefined])
    // Whoever has signed in, the page need not say so again.
    equal((await r.session.resume({ snapshot: /** @type {any} */ (outcome).snapshot })).status, "parked")
    await end(r)
  }
})

test("misuse throws, as in a session", async () => {
  const r = remote(engine, () => answer({}))
  for (const misuse of [() => r.session.call(/** @type {any} */ ({})), () => r.session.call(/** @type {any} */ ({ method: "m", elicit: () => {} })), () => r.session.resume(/** @type {any} */ ({})), () => r.session.callTool({ name: "t", arguments: "[]" })]) ok((await thrown(misuse, "misuse")) instanceof TypeError, "a TypeError")
  equal((await thrown(() => r.session.resume({ snapshot: "nonsense" }), "a handle")).code, Code.snapshot)
  const unkept = await r.session.call({ ...tool, save: () => Promise.reject(new Error("disk full")) })
  equal(unkept.status === "failed" && [unkept.code, unkept.resumable], [Code.save, false])
  await r.session.close()
  equal((await thrown(() => r.session.call(tool), "closed")).code, Code.order)
  await r.server.close()
})
