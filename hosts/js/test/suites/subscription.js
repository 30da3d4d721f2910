import { Code, connect, Engine, ParleyError, requests } from "../../dist/index.js"
import { equal, ok, thrown } from "../assert.js"
import { limited } from "../modules.js"
import { done, failed } from "../peer.js"
import { Wire } from "../wire.js"

/** @import { Changed, Subscribed } from "../../dist/index.js" */
/** @import { Env } from "../suite.js" */

/** Subscriptions of a session over a scripted transport. @param {Env} env */
export default function subscription({ test, load, wasm }) {
  const versions = ["2026-07-28"]

  /** A notification on a stream. @param {Wire} wire @param {number} exchange @param {string} method @param {string} [params] */
  const notify = (wire, exchange, method, params = "{}") =>
    wire.receive({ type: "message", exchange, body: `{"jsonrpc":"2.0","method":"notifications/${method}","params":${params}}` })
  const tools = `{"notifications":{"toolsListChanged":true}}`

  test("a subscription tells what the server agreed to and what changes, and ends with the session", async () => {
    const engine = await load()
    /** @type {(Subscribed | Changed | string)[]} */
    const told = []
    /** @type {string[]} */
    const asked = []
    const wire = new Wire(({ method, params }) => {
      asked.push(`${method} ${JSON.stringify(params.notifications)}`)
    })
    const watchers = { onSubscribed: (/** @type {Subscribed} */ s) => void told.push(s), onChanged: (/** @type {Changed} */ c) => void told.push(c), onNotification: (/** @type {string} */ m) => void told.push(m) }
    const session = connect(engine, wire, { versions, watchers })
    session.subscribe({ toolsListChanged: true, resourceSubscriptions: ["file:///a"] })
    equal(asked.splice(0), ['subscriptions/listen {"toolsListChanged":true,"resourceSubscriptions":["file:///a"]}'])
    notify(wire, 1, "subscriptions/acknowledged", tools)
    notify(wire, 1, "tools/list_changed")
    notify(wire, 1, "prompts/list_changed")
    equal(told.splice(0), [{ toolsListChanged: true }, { toolsListChanged: true }, "notifications/prompts/list_changed"])
    session.subscribe({})
    equal(wire.take(), "subscriptions/listen 1, abort 1")
    session.subscribe({ toolsListChanged: true })
    await session.close()
    equal(wire.take(), "subscriptions/listen 2, abort 2, close")
    const closed = await thrown(async () => session.subscribe({ toolsListChanged: true }), "after close")
    ok(closed instanceof ParleyError && closed.code === Code.order, String(closed))
    equal(engine.live, 0)
  })

  test("a trap ends a subscription, which is told, and another can be made", async () => {
    const engine = new Engine(limited(await wasm(), 40))
    const large = JSON.stringify({ text: "x".repeat((1 << 20) - 1000) })
    const wire = new Wire(({ params }) => (params.large ? large : undefined))
    /** @type {Subscribed[]} */
    const told = []
    const session = connect(engine, wire, { versions, watchers: { onSubscribed: (one) => void told.push(one) } })
    const traps = async () => equal(failed(await session.call({ method: "tools/call", params: { large: true } })).code, Code.instance)
    session.subscribe({ toolsListChanged: true })
    notify(wire, 1, "subscriptions/acknowledged", tools)
    equal(told.splice(0), [{ toolsListChanged: true }])
    await traps()
    equal(told.splice(0).map(({ reason, over }) => [reason, over]), [["the engine's instance trapped", true]])
    equal(wire.take(), "subscriptions/listen 1, tools/call 2, reset")
    await thrown(async () => session.subscribe(/** @type {any} */ ({ toolsListChanged: 1 })), "no filter")
    await traps()
    equal([told, wire.take()], [[], "tools/call 1, reset"], "without a subscription nothing is told")
    session.subscribe({ toolsListChanged: true })
    notify(wire, 1, "subscriptions/acknowledged", tools)
    equal(told, [{ toolsListChanged: true }])
    await session.close()
    equal(wire.take(), "subscriptions/listen 1, abort 1, close")
  })

  test("a filter that is none is refused, and so is any over requests", async () => {
    const engine = await load()
    const wire = new Wire(() => done)
    const session = connect(engine, wire, { versions })
    for (const filter of [{ tools: true }, { toolsListChanged: "yes" }, { resourceSubscriptions: [""] }]) {
      const error = await thrown(async () => session.subscribe(/** @type {any} */ (filter)), JSON.stringify(filter))
      ok(error instanceof ParleyError && error.code === Code.order, String(error))
    }
    await session.close()
    equal(wire.take(), "close")
    const others = connect(engine, requests(async () => done))
    const error = await thrown(async () => others.subscribe({ toolsListChanged: true }), "over requests")
    ok(error instanceof ParleyError && error.code === Code.options, String(error))
    await others.close()
  })
}
