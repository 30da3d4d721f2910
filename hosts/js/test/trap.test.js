// The engine traps at each call into it in turn, while five calls of a session
// stand at five places. Each fails with what was kept of it last, what may have
// arrived is in doubt, nothing runs twice, and the session goes on.
import { readFileSync } from "node:fs"
import test from "node:test"

import { Code, connect, Engine, fetchTransport, requests } from "../dist/node.js"
import { equal, ok } from "./assert.js"
import { deferred, failed } from "./peer.js"
import { Traps } from "./traps.js"

/** @import { Carried, HostSide, Outcome, Transport } from "../dist/node.js" */

const module = new WebAssembly.Module(readFileSync(new URL("../dist/parley.wasm", import.meta.url)))

/** One that never traps. */
const judge = new Engine(module)

/** How messages travel, and what the server speaks. @type {Record<string, {transport: (server: Server) => Transport, version?: string}>} */
const ways = {
  "requests": { transport: (server) => requests(({ method, params }) => new Promise((answer, fail) => server.take({ id: 1, method, params: JSON.parse(params) }, answer, fail))) },
  "HTTP": { transport: (server) => fetchTransport("http://127.0.0.1/mcp", { fetch: fetched(server, false) }) },
  "HTTP, by events": { transport: (server) => fetchTransport("http://127.0.0.1/mcp", { fetch: fetched(server, true) }) },
  "HTTP, at once": { transport: atOnce },
  "stdio": { transport: lines },
  "HTTP, earlier": { transport: (server) => fetchTransport("http://127.0.0.1/mcp", { fetch: fetched(server, true) }), version: "2025-11-25" },
  "stdio, earlier": { transport: lines, version: "2025-11-25" },
}

for (const [name, way] of Object.entries(ways)) {
  for (const { saves, twice = false, beside } of [{ saves: true, beside: "" }, { saves: true, twice: true, beside: ", and another soon after" }, { saves: false, beside: ", and nothing is saved" }]) {
    if (twice && name.startsWith("HTTP")) continue // it takes long
    test(`a trap at every call into the engine, over ${name}${beside}`, async () => {
      const traps = new Traps()
      try {
        for (let at = 1; ; at++) {
          Object.assign(traps, { at: [], trapped: [], late: [] })
          const engine = new Engine(module)
          Object.assign(traps, { calls: 0, at: twice ? [at, at + 1 + (at % 19)] : [at] }) // in what follows from the first
          try {
            await new Story(engine, traps, way, saves).play()
            equal(traps.late, [], "what was called of an instance that was gone")
          } catch (error) {
            throw new Error(`trap ${at}, at ${traps.trapped}: ${error instanceof Error ? error.stack : error}`)
          }
          if (!traps.trapped.length) return ok(at > 100, `calls: ${at}`)
        }
      } finally {
        traps.end()
      }
    })
  }
}

test("a result that has come is there, though the engine traps at what comes next", async () => {
  const traps = new Traps()
  try {
    const engine = new Engine(module)
    /** @type {import("../dist/node.js").Receive} */
    let receive = () => {}
    /** @type {string[]} */
    const ids = []
    const carrier = { perform: (/** @type {any} */ { body }) => void ids.push(JSON.parse(body).id), reset() {}, async close() {} }
    const session = connect(engine, { kind: "stdio", open: (take) => ((receive = take), carrier) }, { versions: ["2026-07-28"] })
    const [first, second] = [1, 2].map((n) => session.call({ method: "tools/call", params: { name: "t", n } }))
    const answer = (/** @type {number} */ n) => receive({ type: "message", exchange: 0, body: `{"jsonrpc":"2.0","id":${ids[n]},"result":{"content":[],"n":${n}}}` })
    answer(0)
    traps.next = "parley_session_step"
    answer(1)
    equal(await first, { status: "done", result: '{"content":[],"n":0}', noStore: undefined })
    const { code, inDoubt } = failed(/** @type {Outcome} */ (await second))
    equal([code, inDoubt], [Code.instance, true])
    await session.close()
    equal(engine.live, 0, "live")
  } finally {
    traps.end()
  }
})

/** @typedef {{id?: number | string, method?: string, params?: any, result?: any}} Message */

/**
 * A server whose tool asks once: by a result or, in an earlier era, by a request.
 * The tool "hangs" never answers, and the answer of "lost" is lost.
 */
class Server {
  /** How often each tool has run. @type {Record<string, number>} */
  runs = {}
  /** What happens to the tool's answer, by the id of the question. @type {Map<unknown, () => void>} */
  #asked = new Map()

  /** @param {string} [version] of an earlier era */
  constructor(version) {
    this.version = version
  }

  /** @param {Message} message @param {(text: string) => void} answer may be called more than once in an earlier era @param {(error: Error) => void} fail */
  take({ id, method, params, result }, answer, fail) {
    const say = (/** @type {unknown} */ result) => answer(JSON.stringify({ jsonrpc: "2.0", id, result }))
    if (result) return this.#asked.get(id)?.()
    if (method === "initialize") return say({ protocolVersion: this.version, capabilities: {}, serverInfo: { name: "s", version: "1" } })
    if (method !== "tools/call") return
    const { name } = params
    const run = () => {
      this.runs[name] = (this.runs[name] ?? 0) + 1
      if (name === "lost") fail(new Error("the connection broke"))
      else say({ content: [], _meta: { of: name } })
    }
    const question = { method: "elicitation/create", params: { message: "Sure?", requestedSchema: { type: "object", properties: {} } } }
    if (name === "hangs") return
    if (name === "lost" || params.inputResponses) return run()
    if (!this.version) return say({ resultType: "input_required", requestState: "s", inputRequests: { q: question }, _meta: { of: name } })
    const ask = `ask ${this.#asked.size}`
    this.#asked.set(ask, run)
    answer(JSON.stringify({ jsonrpc: "2.0", id: ask, ...question }))
  }
}

/** A fetch whose other side is the server. @param {Server} server @param {boolean} events */
function fetched(server, events) {
  const ready = { headers: { "Content-Type": events ? "text/event-stream" : "application/json" } }
  return async (/** @type {string} */ _, /** @type {RequestInit} */ { method, body, signal }) => {
    signal?.throwIfAborted()
    if (method !== "POST") return new Response(null, { status: 405 })
    const message = JSON.parse(String(body))
    if (!message.method || message.id === undefined) {
      server.take(message, () => {}, () => {})
      return new Response(null, { status: 202 })
    }
    const { readable, writable } = new TransformStream()
    const writer = writable.getWriter()
    const gone = (/** @type {unknown} */ reason) => void writer.abort(reason).catch(() => {})
    signal?.addEventListener("abort", () => gone(signal.reason))
    server.take(
      message,
      (text) => {
        writer.write(new TextEncoder().encode(events ? `data: ${text}\n\n` : text)).catch(() => {})
        if (JSON.parse(text).result) writer.close().catch(() => {})
      },
      gone,
    )
    return new Response(readable, ready)
  }
}

/** A process in here. @param {Server} server @returns {Transport} */
function lines(server) {
  return {
    kind: "stdio",
    open: (receive) => {
      let running = {}
      const whileIn = (/** @type {object} */ life, /** @type {() => void} */ act) => queueMicrotask(() => life === running && act())
      return {
        perform(/** @type {Carried} */ action) {
          const life = running
          const ends = () => {
            running = {}
            receive({ type: "down", reason: "exit code 1" })
          }
          if (action.type === "post") whileIn(life, () => server.take(JSON.parse(action.body), (body) => whileIn(life, () => receive({ type: "message", exchange: 0, body })), ends))
        },
        reset: () => void (running = {}),
        close: async () => void (running = {}),
      }
    },
  }
}

/** A server that has answered before its request was made, as it were. @param {Server} server @returns {Transport} */
function atOnce(server) {
  return {
    kind: "http",
    open: (receive) => ({
      perform(/** @type {Carried} */ action) {
        if (action.type !== "post") return
        const { exchange } = action
        server.take(JSON.parse(action.body), (body) => receive({ type: "message", exchange, body, last: true }), (cause) => receive({ type: "ended", exchange, reason: cause.message }, cause))
      },
      reset() {},
      async close() {},
    }),
  }
}

/** Five calls of one session, and what is known of each by its name. */
class Story {
  /** How many legs went out. @type {Record<string, number>} */
  legs = {}
  /** What was kept last, and before that. @type {Record<string, (string | undefined)[]>} */
  kept = {}

  /** @param {Engine} engine @param {Traps} traps @param {typeof ways[string]} way @param {boolean} saves */
  constructor(engine, traps, way, saves) {
    this.engine = engine
    this.traps = traps
    this.way = way
    this.saves = saves
    this.server = new Server(way.version)
  }

  async play() {
    const { traps, way } = this
    try {
      const transport = this.#watched(way.transport(this.server))
      this.session = connect(this.engine, transport, transport.kind === "requests" ? {} : { versions: [way.version ?? "2026-07-28"] })
    } catch (error) {
      if (!traps.trapped.length) throw error
      return // and nothing was done
    }
    const [asked, answered, held, kept, stop] = [deferred(), deferred(), deferred(), deferred(), new AbortController()]
    const waits = this.call("waits", { asked: () => (asked.resolve(), answered.promise) })
    await Promise.race([asked.promise, waits])
    const hangs = this.call("hangs", { signal: stop.signal })
    const holds = this.call("holds", { saving: () => (held.resolve(), kept.promise) })
    if (this.saves) await Promise.race([held.promise, holds])
    await still()

    await this.finish("books", await this.call("books"))
    kept.resolve()
    await this.finish("holds", await holds)
    answered.resolve()
    await this.finish("waits", await waits)
    stop.abort()
    await this.finish("hangs", await hangs)
    await this.finish("lost", await this.call("lost"))
    await this.session.close()
    equal(this.engine.live, 0, "live")
  }

  /** @param {string} name @param {{asked?: () => unknown, saving?: () => unknown, signal?: AbortSignal}} [how] @param {string} [snapshot] to go on from @returns {Promise<Outcome>} */
  async call(name, { asked = () => {}, saving = () => {}, signal } = {}, snapshot) {
    const { session } = this
    if (!session) throw new Error("there is no session")
    /** @type {HostSide} */
    const side = {
      signal,
      askers: {
        elicit: async () => {
          await asked()
          return { action: "accept", content: {} }
        },
      },
      save: this.saves
        ? async (snapshot) => {
            await saving()
            this.kept[name] = [snapshot, this.kept[name]?.[0]]
          }
        : undefined,
    }
    this.kept[name] = [snapshot]
    return snapshot ? session.resume({ snapshot, ...side }) : session.call({ method: "tools/call", params: { name }, ...side })
  }

  /** Goes on with a call until it is done, or in doubt. @param {string} name @param {Outcome} outcome */
  async finish(name, outcome) {
    const { legs, kept, server, traps } = this
    for (let tries = 0; outcome.status !== "done"; tries++) {
      const said = JSON.stringify(outcome)
      ok(tries < 5, `${name}: it ends: ${said}`)
      let { inDoubt = false, snapshot, resumable, code } = failed(outcome)
      const ran = server.runs[name] ?? 0
      const [last, before] = kept[name] ?? []
      ok(ran <= (inDoubt ? 1 : 0), `${name} has run ${ran} times: ${said}`)
      if (!legs[name] && last === undefined) equal(inDoubt, false, `${name} is in doubt: ${said}`)
      if (code === Code.instance) {
        equal(resumable, snapshot !== undefined, said)
        ok(this.saves ? snapshot === last || snapshot === before : snapshot === undefined, `${name}: the snapshot is what was kept last: ${said}`)
        const { inDoubt: truth = false } = snapshot ? judge.snapshotInfo(snapshot) : {}
        if (inDoubt && !truth && traps.trapped.length > 1) inDoubt = false // the second trap came when the host asked for it
        if (snapshot) equal(inDoubt, truth, `${name}: the doubt is that of its snapshot: ${said}`)
        else equal(inDoubt, legs[name] !== undefined, `${name} is in doubt if a request of it went out: ${said}`)
      } else {
        ok(name === "hangs" || name === "lost" || code === Code.inDoubt, `${name}: only a trap ends it: ${said}`)
      }
      if (inDoubt) return this.refused(name, snapshot)
      if (name === "hangs") return
      outcome = await this.call(name, {}, snapshot)
    }
    equal(server.runs[name], 1, `how often ${name} has run`)
  }

  /** A call in doubt is not sent again by itself. @param {string} name @param {string} [snapshot] */
  async refused(name, snapshot) {
    if (!snapshot) return
    const { [name]: sent } = this.legs
    for (let tries = 0; tries < 3; tries++) {
      const { code, inDoubt } = failed(await this.call(name, {}, snapshot))
      equal([inDoubt, this.legs[name]], [true, sent], `${name} goes on in doubt`)
      if (code === Code.inDoubt) return
    }
    throw new Error(`${name}: it traps again and again`)
  }

  /** Notes what is sent. @param {Transport} transport @returns {Transport} */
  #watched({ kind, open }) {
    return {
      kind,
      open: (receive) => {
        const carrier = open(receive)
        return {
          perform: (action) => {
            if ("leg" in action && action.leg) {
              const { name } = action.type === "post" ? JSON.parse(action.body).params : JSON.parse(action.params)
              this.legs[name] = (this.legs[name] ?? 0) + 1
            }
            carrier.perform(action)
          },
          reset: () => carrier.reset(),
          close: () => carrier.close(),
        }
      },
    }
  }
}

/** Lets everything happen that happens by itself. */
async function still() {
  for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
}
