// Connections that are lost, wherever they are.

import test from "node:test"
import { Code, connect, memoryStore, PARK } from "../dist/index.js"
import { RemoteHost } from "../dist/remote/index.js"
import { equal, ok } from "./assert.js"
import { pair, remote } from "./remote-pair.js"
import { ada, answer, asks, desk, end, engine, opener, person, promised, tool } from "./remote-desk.js"

/** @import { Outbound, SendContext } from "../dist/index.js" */
/** @import { End } from "./remote-pair.js" */

/**
 * Cuts the connection at a message, counted over both directions and all
 * connections, before or after it has arrived.
 *
 * @param {number[]} at @param {boolean} arrives
 */
function cutAt(at, arrives) {
  let count = 0
  /** @param {End} page @param {End} host */
  return (page, host) => {
    for (const end of [page, host]) {
      end.passes = () => {
        if (!at.includes(count++)) return true
        if (!arrives) page.close()
        else queueMicrotask(() => page.close())
        return arrives
      }
    }
  }
}

/** All the moments for one cut, and for two. */
const moments = Array.from({ length: 12 }, (_, i) => Array.from({ length: 12 - i }, (_, j) => [i, i + j])).flat()

test("wherever the connection is cut, the person is asked once and the tool is called as often as without", async () => {
  for (const slow of [false, true]) {
    for (const arrives of [false, true]) {
      for (const at of moments) {
        const { legs, send } = desk()
        let asked = 0
        const later = async (/** @type {Outbound} */ leg, /** @type {SendContext} */ context) => {
          if (slow) await new Promise((resolve) => setTimeout(resolve))
          return send(leg, context)
        }
        const r = remote(engine, later, { askers: { elicit: () => (asked++, ada) }, meet: cutAt(at, arrives), retries: [0, 0, 0, 0] })
        const what = `cut at ${at}, ${arrives ? "after" : "before"} it arrives${slow ? ", a slow server" : ""}`
        const outcome = await r.session.call(tool)
        equal(outcome.status, "done", `${what}: ${JSON.stringify(outcome)}`)
        equal([asked, legs.length], [1, 2], what)
        await end(r)
      }
    }
  }
})

test("wherever it is cut and the host's server started anew, nothing runs twice, and doubt is told", async () => {
  /** @type {Record<string, number>} */
  const ends = {}
  for (const arrives of [false, true]) {
    for (const at of moments) {
      const { legs, send } = desk()
      const store = memoryStore()
      let asked = 0
      let host = new RemoteHost({ store })
      const hosts = [host]
      const cut = cutAt(at, arrives)
      const proxy = /** @type {any} */ ({ serve: (/** @type {[any, any]} */ ...visit) => host.serve(...visit) })
      const r = remote(engine, send, { host: proxy, askers: { elicit: () => (asked++, ada) }, retries: [0, 0, 0, 0], meet: (page, other) => {
        if (r.lines.length > 1) hosts.push((host = new RemoteHost({ store })))
        cut(page, other)
      } })
      const outcome = await r.session.call(tool)
      const what = `cut at ${at}, ${arrives ? "after" : "before"} it arrives: ${JSON.stringify(outcome)}`
      ok(outcome.status === "done" || (outcome.status === "failed" && outcome.inDoubt), what)
      ok(legs.length <= 2 && asked <= 1, `${what}: ${legs.length} legs, asked ${asked} times`)
      if (outcome.status === "done") equal([legs.length, asked], [2, 1], what)
      ends[outcome.status] = (ends[outcome.status] ?? 0) + 1
      await r.session.close()
      for (const one of hosts) await one.close()
    }
  }
  ok((ends.done ?? 0) > 20 && (ends.failed ?? 0) > 10, `both happen: ${JSON.stringify(ends)}`)
})

test("a call that never arrived is not in doubt: it is made", async () => {
  const { legs, send } = desk()
  const r = remote(engine, send, { askers: { elicit: () => ada }, meet: (page) => (page.passes = ({ type }) => type !== "call" || r.lines.length > 1 || (page.close(), false)) })
  equal((await r.session.callTool({ name: "t" })).content[0]?.text, "Ada")
  equal([legs.length, r.lines.length], [2, 2])
  await end(r)
})

test("a result that is lost with the connection is told afterwards, and the tool has run once", async () => {
  const { legs, send } = desk()
  const r = remote(engine, send, { askers: { elicit: () => ada }, meet: (_, host) => (host.passes = ({ type }) => type !== "end" || r.lines.length > 1 || (host.close(), false)) })
  equal((await r.session.callTool({ name: "t" })).content[0]?.text, "Ada")
  equal([legs.length, r.lines.length], [2, 2])
  await end(r)
})

test("a leg in flight when the connection is lost ends, and its result is told", async () => {
  const sent = promised()
  const result = promised()
  let legs = 0
  const r = remote(engine, async () => (legs++, sent.settle(undefined), /** @type {Promise<string>} */ (result.promise)))
  const call = r.session.callTool({ name: "t" })
  await sent.promise
  r.cut()
  result.settle(answer({ content: [{ type: "text", text: "done" }] }))
  equal((await call).content[0]?.text, "done")
  equal(legs, 1)
  await end(r)
})

test("the host's server is another process afterwards, with the same store", async () => {
  const store = memoryStore()
  const { legs, send } = desk()
  const ann = person()
  const first = new RemoteHost({ store })
  const second = new RemoteHost({ store })
  let host = first
  const connectTo = (/** @type {End} */ line) => host.serve(line, { owner: "ann", server: "desk", session: ({ askers }) => connect(engine, { kind: "requests", open: opener(send) }, { askers }) })
  const { connectRemote } = await import("../dist/remote/index.js")
  const session = connectRemote(() => {
    const [page, other] = pair()
    connectTo(other)
    return page
  }, { askers: { elicit: ann.elicit }, retries: [0, 1, 1] })
  const call = session.callTool({ name: "t" })
  const { answer } = await ann.question()
  host = second
  await first.close()
  answer(ada)
  equal((await call).content[0]?.text, "Ada")
  equal([ann.asked.length, legs.length, (await store.list()).length], [1, 2, 0])
  await session.close()
  await second.close()
})

test("a host's server that remembers nothing leaves a tool call in doubt, and no other", async () => {
  for (const [method, code] of /** @type {const} */ ([["tools/call", Code.inDoubt], ["prompts/get", Code.lost]])) {
    const sent = promised()
    const r = remote(engine, (_, { signal }) => (sent.settle(undefined), new Promise((_, reject) => signal.addEventListener("abort", reject))))
    const fresh = new RemoteHost()
    const call = r.session.call({ method, params: { name: "t" } })
    await sent.promise
    r.server.serve = (...visit) => fresh.serve(...visit)
    r.cut()
    const outcome = await call
    equal(outcome.status === "failed" && [outcome.code, outcome.inDoubt, outcome.resumable], [code, method === "tools/call" ? true : undefined, false], method)
    await end(r)
    await fresh.close()
  }
})

test("sending again is said once: a resumption that is lost with its server does not send a third time", async () => {
  let last = ""
  const kept = memoryStore()
  const first = new RemoteHost({ store: memoryStore({ seal: (_, snapshot) => (last = snapshot) }) })
  let host = first
  let legs = 0
  const flying = promised()
  const send = (/** @type {Outbound} */ _, /** @type {SendContext} */ { signal }) => {
    if (++legs === 1) throw new Error("cut off")
    flying.settle(undefined)
    return new Promise((_, reject) => signal.addEventListener("abort", reject))
  }
  const r = remote(engine, send, { host: /** @type {any} */ ({ serve: (/** @type {[any, any]} */ ...visit) => host.serve(...visit) }) })
  const doubtful = await r.session.call(tool)
  const { snapshot } = /** @type {{snapshot: string}} */ (doubtful)
  const resumed = r.session.resume({ snapshot, resend: true })
  await flying.promise
  await kept.put(JSON.parse(snapshot).call, last) // all that is left of a server that was killed
  host = new RemoteHost({ store: kept })
  r.cut()
  const outcome = await resumed
  equal(outcome.status === "failed" && [outcome.code, outcome.inDoubt, outcome.resumable, legs], [Code.inDoubt, true, true, 2])
  await r.session.close()
  await Promise.all([first.close(), host.close()])
})

test("a store that fails is no word about the call", async () => {
  const { legs, send } = desk()
  const store = memoryStore()
  const settings = { store: { create: store.create.bind(store), take: store.take.bind(store) } }
  settings.store.create = () => Promise.reject(new Error("disk full"))
  const r = remote(engine, send, { settings, askers: { elicit: () => PARK } })
  const unsent = await r.session.call(tool)
  equal(unsent.status === "failed" && [unsent.code, unsent.resumable, legs.length], [Code.save, false, 0])
  settings.store.create = store.create.bind(store)
  const parked = await r.session.call(tool)
  settings.store.take = () => Promise.reject(new Error("disk full"))
  const { snapshot } = /** @type {{snapshot: string}} */ (parked)
  const unknown = await r.session.resume({ snapshot })
  equal(unknown.status === "failed" && [unknown.code, unknown.inDoubt, unknown.resumable], [Code.inDoubt, true, true])
  settings.store.take = store.take.bind(store)
  equal((await r.session.resume({ snapshot, askers: { elicit: () => ada } })).status, "done")
  equal(legs.length, 2)
  await end(r)
})

test("where there is no connection at all, nothing is in doubt", async () => {
  const r = remote(engine, () => answer({}), { })
  const { connectRemote } = await import("../dist/remote/index.js")
  let tries = 0
  const session = connectRemote(() => {
    const [page] = pair()
    tries++
    page.other?.close()
    return page
  }, { retries: [0, 1] })
  const outcome = await session.call(tool)
  equal(outcome.status === "failed" && [outcome.code, outcome.inDoubt, outcome.resumable, outcome.snapshot], [Code.lost, undefined, false, undefined])
  equal(tries, 3)
  await session.close()
})

test("a connection that stays lost leaves a tool call in doubt, and resume asks what became of it", async () => {
  const { legs, send } = desk()
  let broken = false
  const r = remote(engine, send, {
    askers: { elicit: () => ada },
    meet: (page, host) => (broken ? page.close() : (host.passes = ({ type }) => type !== "end" || ((broken = true), host.close(), false))),
  })
  const outcome = await r.session.call(tool)
  if (outcome.status !== "failed" || !outcome.inDoubt) throw new Error("it is not in doubt")
  r.lines.length = 0
  broken = false
  const resumed = await remote(engine, send, { host: r.server }).session.resume({ snapshot: outcome.snapshot ?? "" })
  equal([resumed.status, legs.length], ["done", 2])
  await end(r)
})
