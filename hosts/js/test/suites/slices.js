import { Code, connect, fetchTransport, requests } from "../../dist/index.js"
import { contains, equal, ok } from "../assert.js"
import { deferred, done, failed, oneAsk, response, snapshotOf } from "../peer.js"
import { Traps } from "../traps.js"
import { earlier, Wire } from "../wire.js"

/** @import { Engine, Outcome, Question, SessionEvent, Transport } from "../../dist/index.js" */
/** @import { Env } from "../suite.js" */

const most = 256 << 10

/** @param {number} size @param {string} [char] */
const large = (size, char = "x") => `{"content":[{"type":"text","text":"${char.repeat(size)}"}],"n":1.0}`

/** Notes what each step of an engine's sessions gets, and lets something happen after it. @param {Engine} engine */
function watched(engine) {
  /** @type {{type: string, size: number, session: number}[]} */
  const steps = []
  const watch = { steps, then: (/** @type {{type: string, size: number, session: number}} */ _) => {} }
  const make = engine.newSession.bind(engine)
  let sessions = 0
  engine.newSession = (options) => {
    const core = make(options)
    const session = ++sessions
    const step = core.step.bind(core)
    core.step = (now, event) => {
      const one = { type: event.type, size: "body" in event ? new Blob([/** @type {BlobPart} */ (event.body)]).size : 0, session }
      steps.push(one)
      const actions = step(now, event)
      watch.then(one)
      return actions
    }
    return core
  }
  return watch
}

/** How a result may come, in a session with these versions. @type {Record<string, {transport: (result: string) => Transport, versions?: string[]}>} */
const ways = {
  "text": { transport: (result) => requests(() => response(result)) },
  "bytes": { transport: (result) => requests(() => new TextEncoder().encode(response(result))) },
  "JSON over HTTP": { transport: (result) => fetched(result, "application/json", (text) => text), versions: ["2026-07-28"] },
  "an event over HTTP": { transport: (result) => fetched(result, "text/event-stream", (text) => `data: ${text}\n\n`), versions: ["2026-07-28"] },
  "a line": { transport: (result) => new Wire(() => result, "stdio"), versions: ["2026-07-28"] },
  "a line of an earlier era": { transport: (result) => new Wire(earlier(() => result), "stdio"), versions: ["2025-11-25"] },
}

/** @param {string} result @param {string} type @param {(text: string) => string} as */
function fetched(result, type, as) {
  return fetchTransport("http://127.0.0.1/mcp", {
    fetch: async (_, { body }) => new Response(as(response(result, JSON.parse(String(body)).id)), { headers: { "Content-Type": type } }),
  })
}

/** Long messages are fed in slices. @param {Env} env */
export default function slices({ test, load }) {
  test("however a long message comes, no call into the module hands over more than a slice of it", async () => {
    const traps = new Traps() // which only count
    try {
      const engine = await load()
      for (const [name, { transport, versions }] of Object.entries(ways)) {
        for (const result of [large(1 << 20), large(300_000, "ß"), large(200_000, "\\\\"), large(100_000, "\\u00e9😀")]) {
          traps.rooms.length = 0
          const session = connect(engine, transport(result), versions ? { versions } : {})
          const outcome = await session.call({ method: "tools/call", params: { name: "t" } })
          equal(outcome.status === "done" && outcome.result === result, true, `${name}: the result`)
          await session.close()
          const size = new TextEncoder().encode(result).length
          ok(Math.max(...traps.rooms) <= most + 1024, `${name}: ${Math.max(...traps.rooms)} bytes at once`) // with a head
          ok(traps.rooms.reduce((a, b) => a + b) > size, `${name}: all of it`)
          equal(engine.live, 0, "live")
        }
      }
    } finally {
      traps.end()
    }
  })

  test("a long message is fed in slices, as text and as bytes, and its result is what was sent", async () => {
    const engine = await load()
    const watch = watched(engine)
    for (const result of [large(most - 100), large(most), large(3 * most + 5), large(200_000, "ß"), large(most, "😀")]) {
      const size = new TextEncoder().encode(response(result)).length
      for (const bytes of [false, true]) {
        watch.steps.length = 0
        const session = connect(engine, requests(() => (bytes ? new TextEncoder().encode(response(result)) : response(result))))
        const outcome = await session.call({ method: "tools/call" })
        equal(outcome.status === "done" && outcome.result === result, true, "the result")
        await session.close()
        const fed = watch.steps.filter(({ size }) => size > 0)
        ok(fed.every(({ size }) => size <= most), "no step gets more")
        equal([fed.map(({ size }) => size).reduce((a, b) => a + b), fed.length], [size, Math.ceil(size / most)], "all of it, in as few as it takes")
      }
    }
    equal(engine.live, 0, "live")
  })

  test("between two slices, a call is canceled, answered and parked, in the same session and in another", async () => {
    const engine = await load()
    const watch = watched(engine)
    for (const beside of ["in the same session", "in another"]) {
      const [asked, begun] = [deferred(), deferred()]
      let questions = 0
      /** @type {() => void} */
      let answer = () => {}
      const elicit = async (/** @type {Question} */ _) => {
        const answered = new Promise((resolve) => (answer = () => resolve({ action: "decline" })))
        if (++questions === 3) asked.resolve()
        return answered
      }
      const results = [response(large(20 * most)), response(oneAsk), response(done)]
      const connection = requests(async ({ params, leg }) => {
        if (params.includes('"large"')) return (await begun.promise, /** @type {string} */ (results[0]))
        return /** @type {string} */ (results[leg])
      })
      const busy = connect(engine, connection)
      const other = beside === "in another" ? connect(engine, connection) : busy
      const [cancel, park] = [new AbortController(), new AbortController()]
      /** @type {string[]} */
      const order = []
      const noted = (/** @type {string} */ name, /** @type {Promise<Outcome>} */ outcome) => outcome.then((outcome) => (order.push(name), outcome))
      const long = noted("long", busy.call({ method: "tools/call", params: { name: "large" } }))
      const canceled = noted("canceled", other.call({ method: "tools/call", askers: { elicit }, signal: cancel.signal }))
      const parked = noted("parked", other.call({ method: "tools/call", askers: { elicit }, park: park.signal }))
      const answered = noted("answered", other.call({ method: "tools/call", askers: { elicit } }))
      await asked.promise
      let parts = 0
      watch.then = ({ type }) => {
        if (type !== "part") return
        parts++
        if (parts === 2) cancel.abort()
        if (parts === 4) park.abort()
        if (parts === 6) answer()
      }
      begun.resolve()
      snapshotOf(await canceled, Code.canceled)
      snapshotOf(await parked)
      equal((await answered).status, "done", beside)
      ok(parts < 20, `${beside}: all of them ended before the long message had: ${parts}`)
      const outcome = await long
      equal(outcome.status === "done" && outcome.result.length, large(20 * most).length)
      equal(order, ["canceled", "parked", "answered", "long"], beside)
      watch.then = () => {}
      await busy.close()
      await other.close()
    }
    equal(engine.live, 0, "live")
  })

  test("what is left of a message is dropped when its call is canceled or its session closed", async () => {
    const engine = await load()
    const watch = watched(engine)
    for (const end of ["cancel", "close"]) {
      const wire = new Wire(() => large(20 * most))
      const session = connect(engine, wire, { versions: ["2026-07-28"] })
      const cancel = new AbortController()
      watch.steps.length = 0
      const closed = deferred()
      let parts = 0
      watch.then = ({ type }) => {
        if (type !== "part" || ++parts !== 3) return
        if (end === "cancel") cancel.abort()
        else session.close().then(closed.resolve)
      }
      const outcome = failed(await session.call({ method: "tools/call", signal: cancel.signal }))
      equal(outcome.code, Code.canceled)
      if (end === "cancel") equal((await session.call({ method: "tools/list", signal: AbortSignal.abort() })).status, "failed", "the session is there")
      else await closed.promise
      await session.close()
      ok(parts < 20 && !watch.steps.some(({ type }) => type === "message"), `${end}: ${parts} slices`)
    }
    equal(engine.live, 0, "live")
  })

  test("what comes after a long message of the same exchange waits for it, and the transport is told when there is room", async () => {
    const engine = await load()
    const watch = watched(engine)
    const begun = deferred()
    const wire = new Wire((_, post) => void begun.resolve(post))
    /** @type {string[]} */
    const progress = []
    const session = connect(engine, wire, { versions: ["2026-07-28"] })
    const running = session.call({ method: "tools/call", watchers: { onProgress: (_, params) => void progress.push(/"progress":\d/.exec(params)?.[0] ?? "") } })
    const { exchange, call, body } = /** @type {any} */ (await begun.promise)
    const { id, params } = JSON.parse(body)
    const token = JSON.stringify(params._meta.progressToken)
    const say = (/** @type {string} */ body, last = false) => wire.receive({ type: "message", exchange, body, last })
    watch.steps.length = 0
    const room = say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1,"message":"${"x".repeat(2 * most)}"}}`)
    say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":2}}`)
    say(`{"jsonrpc":"2.0","id":${id},"result":${done}}`, true)
    equal(watch.steps.map(({ type }) => type), ["part"], "the others wait")
    await room
    equal((await running).status, "done")
    equal(progress, ['"progress":1', '"progress":2'])
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("over stdio the end of the process comes after what it said", async () => {
    const engine = await load()
    const wire = new Wire(() => large(5 * most), "stdio")
    const session = connect(engine, wire, { versions: ["2026-07-28"] })
    const running = session.call({ method: "tools/call" })
    queueMicrotask(() => queueMicrotask(() => queueMicrotask(() => wire.receive({ type: "down", reason: "exit code 0" }))))
    const outcome = await running
    equal(outcome.status, "done", JSON.stringify(outcome).slice(0, 200))
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("a long message that is not UTF-8, or text with a lone surrogate, is no response", async () => {
    const engine = await load()
    const bytes = new TextEncoder().encode(response(large(2 * most)))
    bytes[most] = 0xff
    for (const [answer, says] of /** @type {[string | Uint8Array, string][]} */ ([[bytes, "not UTF-8"], [response(large(most, "\ud800")), ""]])) {
      const session = connect(engine, requests(() => answer))
      const outcome = failed(await session.call({ method: "tools/call" }))
      equal(outcome.code, Code.inDoubt)
      contains(outcome.detail, says)
      await session.close()
    }
    equal(engine.live, 0, "live")
  })
}
