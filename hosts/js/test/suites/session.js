import { Code, connect, Engine, PARK, ParleyError } from "../../dist/index.js"
import { contains, equal, ok, thrown } from "../assert.js"
import { limited } from "../modules.js"
import { deferred, done, failed, oneAsk, response, sleep, snapshotOf, someModel, someRoots, threeAsk, until } from "../peer.js"
import { Traps } from "../traps.js"
import { earlier, rounds, Wire } from "../wire.js"

/** @import { Askers, Outcome, Question, Session, Watchers } from "../../dist/index.js" */
/** @import { Env } from "../suite.js" */

const decline = { action: "decline" }

/** They answer everything. @type {Askers} */
const answers = { elicit: () => decline, sample: () => someModel, listRoots: () => someRoots }

/** A question of a server of an earlier era. */
const serverAsks = `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}`

/** Sessions over a scripted transport. @param {Env} env */
export default function session({ test, load, wasm }) {
  test("a session's call completes, with the session's askers", async () => {
    const engine = await load()
    const wire = new Wire((message, post) => {
      const meta = message.params._meta
      equal(meta["io.modelcontextprotocol/clientCapabilities"], { elicitation: { form: {} }, roots: {}, sampling: {} })
      equal(meta["io.modelcontextprotocol/clientInfo"], { name: "host", version: "1" })
      equal(Object.fromEntries(post.headers ?? [])["Mcp-Method"], "tools/call")
      return rounds(threeAsk, done)(message, post)
    })
    const session = connect(engine, wire, { clientInfo: { name: "host", version: "1" }, askers: answers })
    equal(await session.call({ method: "tools/call", params: { name: "t" }, askers: undefined }), { status: "done", result: done, noStore: true })
    equal(await session.call({ method: "tools/call", params: '{"name":"t","requestState":"kept"}' }), { status: "done", result: done, noStore: true })
    equal(wire.take(), "tools/call 1, tools/call 2, tools/call 3")
    await session.close()
    equal([wire.take(), engine.live], ["close", 0])
  })

  test("what stands beside its group is refused, not overlooked", async () => {
    const engine = await load()
    const wire = new Wire(() => done)
    const elicit = () => decline
    for (const options of [{ elicit }, { onReady: elicit }, { elicitURL: elicit, askers: {} }, { save: elicit }]) {
      contains((await thrown(async () => connect(engine, wire, /** @type {any} */ (options)), "options")).message, "who answers goes into askers, who is told into watchers")
    }
    const session = connect(engine, wire)
    /** @type {Record<string, () => unknown>} */
    const calls = {
      "elicit is no member of a request": () => session.call(/** @type {any} */ ({ method: "tools/call", elicit })),
      "onLeg is no member of a request": () => session.callTool(/** @type {any} */ ({ name: "t", onLeg: elicit })),
      "resend is no member of a request": () => session.tools(/** @type {any} */ ({ resend: true })).next(),
      "peer is no member of a resumption": () => session.resume(/** @type {any} */ ({ snapshot: "{}", peer: "p" })),
      "one object, with a method": () => session.call(/** @type {any} */ ("tools/call")),
      "one object, with a snapshot": () => session.resume(/** @type {any} */ ("{}")),
      "the params of tools/call are made": () => session.callTool(/** @type {any} */ ({ name: "t", params: {} })),
    }
    for (const [want, call] of Object.entries(calls)) {
      const error = await thrown(call, want)
      ok(error instanceof TypeError, want)
      contains(error.message, want)
    }
    await session.close()
    equal([wire.take(), engine.live], ["close", 0], "nothing was sent")
  })

  test("a call declares what its askers can do, or the session's, and adds what it is told to", async () => {
    const engine = await load()
    /** @type {string[]} */
    const declared = []
    const wire = new Wire(({ params }) => {
      declared.push(JSON.stringify(params._meta["io.modelcontextprotocol/clientCapabilities"]))
      return done
    })
    const session = connect(engine, wire, { capabilities: { extensions: { "org/x": {} } }, askers: { elicit: () => decline, sample: () => someModel, sampleTools: true, tasks: true } })
    const declares = async (/** @type {Askers | undefined} */ askers, options = {}) => {
      equal((await session.call({ method: "tools/list", options, askers })).status, "done")
      return declared.pop()
    }
    const extensions = (/** @type {string} */ own) => `"extensions":{"io.modelcontextprotocol/tasks":{},${own}}}`
    equal(await declares(undefined), `{"elicitation":{"form":{}},"sampling":{"tools":{}},${extensions('"org/x":{}')}`)
    equal(await declares({}), '{"extensions":{"org/x":{}}}', "a call's askers stand in place of the session's")
    equal(await declares({ listRoots: () => someRoots }), '{"roots":{},"extensions":{"org/x":{}}}')
    equal(await declares({ sample: () => someModel, tasks: true }), `{"sampling":{},${extensions('"org/x":{}')}`)
    equal(await declares(undefined, { capabilities: { extensions: { "org/y": {} } } }), `{"elicitation":{"form":{}},"sampling":{"tools":{}},${extensions('"org/y":{}')}`)
    equal((await thrown(() => declares({ sample: () => someModel }, { capabilities: { sampling: { tools: {} } } }), "what askers say")).code, Code.options)
    equal((await thrown(async () => connect(engine, wire, { capabilities: { roots: {} } }), "what askers say")).code, Code.options)
    equal((await thrown(() => session.call({ method: "tools/list", params: "[]" }), "params that are no object")).code, Code.options)
    equal(engine.live, 1, "the session alone")
    await session.close()
  })

  test("save comes before each leg is posted, when questions open and after each answer", async () => {
    const engine = await load()
    const wire = new Wire(rounds(threeAsk, done))
    const session = connect(engine, wire)
    /** @param {string} raw */
    const answer = (raw) => (/** @type {Question} */ { key }) => (wire.log.push(`ask ${key}`), raw)
    const save = async () => (await undefined, void wire.log.push("save"))
    const outcome = await session.call({ method: "tools/call", askers: { elicit: answer('{"action":"decline"}'), sample: answer(someModel), listRoots: answer(someRoots) }, save })
    equal(outcome.status, "done")
    equal(wire.take(), "save, tools/call 1, save, ask a, save, ask b, save, ask c, save, tools/call 2")
    await session.close()
  })

  test("a call that cannot be saved ends, nothing is in doubt, and another session goes on", async () => {
    const engine = await load()
    const stop = new Error("no space")
    for (const [failing, sent, rest] of /** @type {[number, string, string][]} */ ([
      [0, "", "tools/call 1"],
      [1, "tools/call 1", "tools/call 1"],
      [4, "tools/call 1", "tools/call 1"],
    ])) {
      const [first, second] = [new Wire(rounds(threeAsk, done)), new Wire(rounds(threeAsk, done))]
      const [from, to] = [connect(engine, first, { askers: answers }), connect(engine, second, { askers: answers })]
      let saves = 0
      const outcome = failed(await from.call({ method: "tools/call", save: () => (saves++ < failing ? undefined : Promise.reject(stop)) }))
      equal([outcome.code, outcome.cause === stop, first.take()], [Code.save, true, sent])
      equal((await to.resume({ snapshot: snapshotOf(outcome, Code.save) })).status, "done")
      contains(second.take(), rest)
      await from.close()
      await to.close()
    }
    equal(engine.live, 0, "live")
  })

  test("of two saves at once, the one that fails ends the call", async () => {
    const engine = await load()
    const stop = new Error("no space")
    const second = deferred()
    const wire = new Wire(
      earlier(({ method }, { exchange, call }) => {
        if (method !== "tools/call") return
        const ask = (/** @type {string} */ id) => wire.receive({ type: "message", exchange, body: serverAsks.replace('"q"', id), sessionId: "s" })
        queueMicrotask(() => (ask('"q"'), ask('"r"')))
      }),
    )
    const session = connect(engine, wire, { versions: ["2025-11-25"] })
    let [saves, asked] = [0, 0]
    const save = () => (++saves === 3 ? Promise.reject(stop) : saves === 2 && second.promise)
    const running = session.call({ method: "tools/call", options: { askConcurrency: -1 }, askers: { elicit: () => (asked++, new Promise(() => {})) }, save })
    await until(() => saves === 2, "the second save")
    second.resolve()
    const outcome = failed(await running)
    equal([outcome.code, outcome.cause === stop, saves, asked], [Code.save, true, 3, 1])
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("a task is kept before its first poll, and another session goes on with it", async () => {
    const engine = await load()
    const working = '{"resultType":"task","taskId":"t","status":"working","pollIntervalMs":100}'
    const [first, second] = [
      new Wire(({ method }) => (method === "tools/call" ? working : "{}")),
      new Wire(() => `{"taskId":"t","status":"completed","result":${done}}`),
    ]
    const [from, to] = [connect(engine, first, { askers: { tasks: true } }), connect(engine, second, { askers: { tasks: true } })]
    const controller = new AbortController()
    let kept = ""
    const outcome = from.call({ method: "tools/call", watchers: { onTask: (status) => void (first.log.push(status), controller.abort()) }, save: (snapshot) => void (first.log.push("save"), (kept = snapshot)), signal: controller.signal })
    equal((await outcome).status, "failed")
    equal(first.take(), "save, tools/call 1, save, working, tasks/cancel 2")
    equal((await to.resume({ snapshot: kept })).status, "done")
    equal(second.take(), "tasks/get 1")
    await from.close()
    await to.close()
    equal(engine.live, 0, "live")
  })

  test("a call is parked from outside, between two polls and while one is in flight", async () => {
    const engine = await load()
    const task = '{"resultType":"task","taskId":"t","status":"working","pollIntervalMs":100}'
    for (const hangs of [false, true]) {
      const park = new AbortController()
      const wire = new Wire(({ method }) => {
        if (method === "tools/call") return task
        if (hangs) park.abort()
        else return `{"taskId":"t","status":"completed","result":${done}}`
      })
      const session = connect(engine, wire, { askers: { tasks: true } })
      const outcome = await session.call({ method: "tools/call", watchers: { onTask: () => hangs || park.abort() }, park: park.signal })
      equal([outcome.status, wire.take()], ["parked", hangs ? "tools/call 1, tasks/get 2, abort 2" : "tools/call 1"])
      /** @type {string[]} */
      const stages = []
      const other = connect(engine, new Wire(() => `{"taskId":"t","status":"completed","result":${done}}`), { askers: { tasks: true } })
      equal((await other.resume({ snapshot: snapshotOf(outcome), watchers: { onTask: (status) => void stages.push(status) } })).status, "done")
      equal(stages, ["working", "completed"])
      await session.close()
      await other.close()
    }
    equal(engine.live, 0, "live")
  })

  test("parking waits for a leg that may do something", async () => {
    const engine = await load()
    const park = AbortSignal.abort()
    const wire = new Wire(rounds(oneAsk, done))
    const session = connect(engine, wire, { askers: { elicit: () => decline } })
    const outcome = await session.call({ method: "tools/call", park })
    equal([outcome.status, wire.take()], ["parked", "tools/call 1"])
    equal((await session.resume({ snapshot: snapshotOf(outcome) })).status, "done")
    await session.close()
  })

  test("aborting returns at once, whatever hangs, and the session goes on", async () => {
    const engine = await load()
    for (const [hanging, sent] of [["post", "tools/call 1, abort 1"], ["elicit", "tools/call 1"], ["save", ""]]) {
      const controller = new AbortController()
      const reason = new Error("window closed")
      const hang = () => {
        setTimeout(() => controller.abort(reason))
        return new Promise(() => {})
      }
      const wire = new Wire((message, post) => {
        if (message.method !== "tools/call") return done
        if (hanging !== "post") return rounds(oneAsk, done)(message, post)
        hang()
      })
      const session = connect(engine, wire, { askers: { elicit: () => decline } })
      const outcome = failed(await session.call({ method: "tools/call", ...(hanging === "elicit" && { askers: { elicit: hang } }), ...(hanging === "save" && { save: hang }), signal: controller.signal }))
      equal([outcome.code, outcome.cause === reason, outcome.resumable], [Code.canceled, true, true], hanging)
      equal(wire.take(), sent, hanging)
      equal((await session.call({ method: "tools/list" })).status, "done")
      await session.close()
    }
    const session = connect(engine, new Wire(() => done))
    equal(failed(await session.call({ method: "tools/call", signal: AbortSignal.abort() })).code, Code.canceled)
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("what one message releases goes to each call, after its save", async () => {
    const engine = await load()
    const wire = new Wire(({ method }) => (method === "server/discover" ? '{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}' : done))
    /** @type {unknown[]} */
    const ready = []
    const session = connect(engine, wire, { discover: true, watchers: { onReady: (server) => void ready.push(server) } })
    const save = () => void wire.log.push("save")
    const outcomes = await Promise.all([session.call({ method: "tools/list", save }), session.call({ method: "prompts/list", save }), session.call({ method: "resources/list" })])
    equal(outcomes.map(({ status }) => status), ["done", "done", "done"])
    equal(wire.take(), "server/discover 1, save, save, resources/list 2, tools/list 3, prompts/list 4")
    equal(ready, [{ version: "2026-07-28", capabilities: '{"tools":{}}' }])
    await session.close()
  })

  test("progress and notifications are passed on, and observers that fail do no harm", async () => {
    const engine = await load()
    /** @type {unknown[][]} */
    const seen = []
    const wire = new Wire(({ id, params }, { exchange, call }) => {
      const say = (/** @type {string} */ method, /** @type {string} */ params) => wire.receive({ type: "message", exchange, body: `{"jsonrpc":"2.0","method":"${method}","params":${params}}` })
      queueMicrotask(() => {
        say("notifications/progress", `{"progressToken":${params._meta.progressToken},"progress":1.0}`)
        say("notifications/message", '{"data":1.0}')
        wire.receive({ type: "message", exchange, body: "nonsense" })
        say("notifications/message", '{"data":2.0}')
        wire.answer(`{"jsonrpc":"2.0","id":${id},"result":${done}}`, exchange)
      })
    })
    /** @param {string} name */
    const observer = (name) => (/** @type {unknown[]} */ ...args) => {
      seen.push([name, ...args])
      if (seen.length % 2) throw new Error("an observer that throws")
      return /** @type {any} */ (Promise.reject(new Error("an observer that rejects")))
    }
    const session = connect(engine, wire, { firstId: 1, watchers: { onNotification: observer("session"), onWarning: observer("warning"), onReady: observer("ready") } })
    const own = { onProgress: observer("progress"), onNotification: observer("call") }
    equal((await session.call({ method: "tools/call", watchers: own })).status, "done")
    equal((await session.call({ method: "tools/call" })).status, "done")
    equal(seen.filter(([name]) => name !== "warning"), [
      ["progress", 1, '{"progressToken":1,"progress":1.0}'],
      ["call", "notifications/message", '{"data":1.0}'],
      ["call", "notifications/message", '{"data":2.0}'],
      ["ready", { version: "2026-07-28" }],
      ["session", "notifications/message", '{"data":1.0}'],
      ["session", "notifications/message", '{"data":2.0}'],
    ])
    equal(seen.filter(([name]) => name === "warning").length, 1, "warnings: it is told of once")
    await session.close()
  })

  test("legs are told of as they go out and come back, and the pauses between them", async () => {
    const engine = await load()
    const later = '{"resultType":"input_required","requestState":"later"}'
    const wire = new Wire(({ id, params }, { exchange, call }) => {
      if (params.requestState !== undefined) return params.inputResponses ? done : oneAsk
      const progress = `{"progressToken":${params._meta.progressToken},"progress":1}`
      queueMicrotask(() => {
        wire.receive({ type: "message", exchange, body: `{"jsonrpc":"2.0","method":"notifications/progress","params":${progress}}` })
        wire.answer(`{"jsonrpc":"2.0","id":${id},"result":${later}}`, exchange, call)
      })
    })
    /** @type {unknown[]} */
    const seen = []
    const session = connect(engine, wire, { firstId: 1 })
    /** @type {Watchers} */
    const watchers = {
      onLeg: (leg) => {
        seen.push(leg)
        throw new Error("an observer that throws")
      },
      onPause: ({ until, waits }) => void seen.push([until > 1e12, waits]),
      onProgress: () => seen.push("progress"),
    }
    const outcome = await session.call({ method: "tools/call", options: { audit: true }, askers: { elicit: () => (seen.push("ask"), decline) }, watchers })
    const out = (/** @type {number} */ leg, /** @type {number} */ size) => ({ leg, method: "tools/call", size })
    const back = (/** @type {number} */ leg, /** @type {string} */ result, /** @type {string} */ answer, beside = {}) => ({ leg, size: response(result).length, answer, ...beside })
    equal(outcome.status, "done")
    equal(seen, [
      out(1, 2), "progress", back(1, later, "input_required", { state: 7 }), [true, 1],
      out(2, 24), back(2, oneAsk, "input_required", { state: 14, asks: 1 }), "ask",
      out(3, 77), back(3, done, "complete"),
    ])
    await session.close()
  })

  test("a call that cannot be parked goes on, and the person is told", async () => {
    const engine = await load()
    const wire = new Wire(
      earlier(({ method, id, params }, { exchange, call }) => {
        if (method === "tools/call") queueMicrotask(() => wire.receive({ type: "message", exchange, body: serverAsks, sessionId: "s" }))
        else if (params === undefined && id === undefined) return
      }),
    )
    const original = wire.perform.bind(wire)
    wire.perform = (action) => {
      original(action)
      if (action.type === "post" && action.body.includes('"id":"q"')) wire.answer(`{"jsonrpc":"2.0","id":${id},"result":${done}}`, leg)
      else if (action.type === "post" && action.leg) [leg, id] = [action.exchange, JSON.parse(action.body).id]
    }
    let [leg, id] = [0, 0]
    /** @type {(string | undefined)[]} */
    const problems = []
    const session = connect(engine, wire, { versions: ["2025-11-25"], askers: { elicit: ({ problem }) => (problems.push(problem), problem === undefined ? PARK : decline) } })
    equal(await session.call({ method: "tools/call", params: { name: "t" } }), { status: "done", result: done })
    equal(problems.length, 2)
    ok(problems[0] === undefined && problems[1], "the problem")
    contains(wire.take(), 'reply {"action":"decline"}')
    let asked = 0
    equal((await session.call({ method: "tools/call", params: { name: "t" }, askers: { elicit: () => (asked++, PARK) } })).status, "done")
    equal(asked, 20, "how often a callback is asked that parks forever")
    contains(wire.take(), 'reply {"code":', "it counts as refused")
    const park = new AbortController()
    const parking = () => (park.abort(), sleep(1).then(() => decline))
    equal((await session.call({ method: "tools/call", params: { name: "t" }, askers: { elicit: parking }, park: park.signal })).status, "done", "parked from outside")
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("the end of the process is told apart from what was never sent to it", async () => {
    const engine = await load()
    const wire = new Wire(({ params }) => (params.waits ? done : undefined), "stdio")
    const session = connect(engine, wire, { known: "2026-07-28" })
    const [saving, saved] = [deferred(), deferred()]
    const waits = session.call({ method: "tools/call", params: { waits: true }, save: () => (saving.resolve(), saved.promise) })
    const flies = session.call({ method: "tools/call", params: {} })
    await saving.promise
    const why = new Error("exit code 3")
    wire.receive({ type: "down", reason: "exit code 3" }, why)
    const inDoubt = failed(await flies)
    equal([inDoubt.code, inDoubt.cause === why], [Code.inDoubt, true])
    contains(inDoubt.detail, "exit code 3")
    equal(wire.take(), "tools/call 1", "what was posted")
    saved.resolve()
    equal([(await waits).status, wire.take()], ["done", "tools/call 2"], "what waited for its save is posted after it")

    const again = deferred()
    const fails = session.call({ method: "tools/call", save: () => again.promise.then(() => Promise.reject(why)) })
    wire.receive({ type: "down" })
    again.resolve()
    const snapshot = snapshotOf(await fails, Code.save)
    const resumed = session.resume({ snapshot, signal: AbortSignal.timeout(20) })
    equal([failed(await resumed).code, wire.take()], [Code.canceled, "tools/call 3, notifications/cancelled 4"], "it was not in doubt")
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("a transport that throws fails the call, and nothing else", async () => {
    const engine = await load()
    for (const [unsent, code] of /** @type {const} */ ([[true, Code.lost], [false, Code.inDoubt]])) {
      const wire = new Wire(({ method }) => {
        if (method === "tools/call") throw Object.assign(new Error("no wire"), { unsent })
        return done
      })
      const session = connect(engine, wire)
      const outcome = failed(await session.call({ method: "tools/call" }))
      equal([outcome.code, String(outcome.cause)], [code, "Error: no wire"])
      equal((await session.call({ method: "tools/list" })).status, "done")
      await session.close()
    }
  })

  test("a transport may answer before it returns", async () => {
    const engine = await load()
    const wire = new Wire(() => undefined)
    wire.perform = (action) => {
      if (action.type !== "post") return
      const { id, method, params } = JSON.parse(action.body)
      const result = method === "server/discover" ? '{"supportedVersions":["2026-07-28"],"capabilities":{}}' : (rounds(threeAsk, done)({ id, method, params }, action) ?? "")
      wire.receive({ type: "message", exchange: action.exchange, body: `{"jsonrpc":"2.0","id":${id},"result":${result}}`, last: true })
    }
    const session = connect(engine, wire, { discover: true, askers: answers })
    equal(await Promise.all([session.call({ method: "tools/call" }), session.call({ method: "tools/call" })]), [{ status: "done", result: done, noStore: true }, { status: "done", result: done, noStore: true }])
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("the first call leaves when a server of an earlier era has asked for roots, and has looked at them", async () => {
    const engine = await load()
    for (const kind of /** @type {const} */ (["stdio", "http"])) {
      let knows = false
      const asks = (/** @type {number} */ exchange) => wire.receive({ type: "message", exchange, body: '{"jsonrpc":"2.0","id":0,"method":"roots/list"}' })
      const answers = earlier(({ id }) => {
        if (id === 0) queueMicrotask(() => (knows = true))
        else return `{"content":[],"isError":${!knows}}`
      })
      const wire = new Wire((message, post) => {
        if (kind === "stdio" && message.method === "notifications/initialized") queueMicrotask(() => asks(0))
        return answers(message, post)
      }, kind)
      const perform = wire.perform.bind(wire)
      wire.perform = (action) => {
        perform(action)
        if (action.type !== "listen") return
        wire.receive({ type: "opened", exchange: action.exchange })
        queueMicrotask(() => asks(action.exchange))
      }
      let asked = 0
      const listRoots = () => (asked++, { roots: [{ uri: "file:///work" }] })
      const session = connect(engine, wire, { versions: ["2025-11-25"], askers: { listRoots } })
      equal((await session.callTool({ name: "list" })).isError, false, kind)
      equal((await session.callTool({ name: "list" })).isError, false, kind)
      const stream = kind === "http" ? "listen 3, " : ""
      contains(wire.take(), `notifications/initialized 2, ${stream}reply {"roots":[{"uri":"file:///work"}]}, tools/call `, kind)
      equal(asked, 1, kind)
      await session.close()
    }
    equal(engine.live, 0, "live")
  })

  test("closing cancels what runs, resumably, tells the server, and refuses what comes after", async () => {
    const engine = await load()
    const wire = new Wire(
      earlier(({ method }, { exchange }) => {
        if (method === "tools/call") wire.receive({ type: "message", exchange, body: '{"jsonrpc":"2.0","method":"notifications/message"}' })
      }),
    )
    const original = wire.answer.bind(wire)
    wire.answer = (body, exchange) => (body.includes('"serverInfo"') ? queueMicrotask(() => wire.receive({ type: "message", exchange, body, sessionId: "abc", last: true })) : original(body, exchange))
    const session = connect(engine, wire, { versions: ["2025-11-25"] })
    const running = session.call({ method: "tools/call" })
    await sleep(1)
    const [outcome] = await Promise.all([running, session.close(), session.close()])
    equal([failed(outcome).code, failed(outcome).resumable], [Code.canceled, true])
    contains(failed(outcome).cause, "the session was closed")
    equal(wire.take().replace(/listen \d+, /, ""), "initialize 1, notifications/initialized 2, tools/call 4, notifications/cancelled 5, abort 4, abort 3, delete 6, close")
    const error = await thrown(() => session.call({ method: "tools/call" }), "a call of a closed session")
    ok(error instanceof ParleyError && error.code === Code.order, "a ParleyError of Code.order")
    wire.receive({ type: "message", exchange: 4, body: "{}" })
    equal(engine.live, 0, "live")
  })

  test("calls stop in one session and go on in another", async () => {
    const [from, to] = [await load(), await load()]
    const [first, second] = [new Wire(rounds(threeAsk, done)), new Wire(rounds(threeAsk, done))]
    const [here, there] = [connect(from, first, { askers: answers }), connect(to, second, { askers: answers })]
    const labels = { peer: "shop", principal: "ann" }
    const snapshot = snapshotOf(await here.call({ method: "tools/call", params: '{"n":1.0}', options: labels, askers: { ...answers, sample: () => PARK } }))
    equal((await thrown(() => there.resume({ snapshot, expect: { ...labels, peer: "bank" } }), "another peer")).code, Code.peer)
    const mute = connect(to, new Wire(() => undefined))
    contains((await thrown(() => mute.resume({ snapshot, expect: labels }), "without askers")).message, "which this host cannot answer")
    await mute.close()
    /** @type {string[]} */
    const asked = []
    const note = (/** @type {unknown} */ answer) => (/** @type {Question} */ { key }) => (asked.push(key), /** @type {object} */ (answer))
    const outcome = await there.resume({ snapshot, expect: labels, askers: { elicit: note(decline), sample: note(someModel), listRoots: note(someRoots) } })
    equal([outcome.status, asked, second.take()], ["done", ["b", "c"], "tools/call 1"])
    await here.close()
    await there.close()
    equal([from.live, to.live], [0, 0])
  })

  test("a trap ends every call, each with what was kept of it last, and the session goes on with a new core", async () => {
    const engine = new Engine(limited(await wasm(), 40))
    const large = JSON.stringify({ text: "x".repeat((1 << 20) - 1000) })
    const wire = new Wire((message, post) => (message.params.large ? large : message.params.hang ? undefined : rounds(oneAsk, done)(message, post)))
    const session = connect(engine, wire, { askers: { elicit: () => decline } })
    const asking = deferred()
    /** @type {string[]} */
    const asked = []
    /** @type {AbortSignal[]} */
    const signals = []
    const elicit = (/** @type {Question} */ { key }, /** @type {{signal: AbortSignal}} */ { signal }) => {
      asked.push(key)
      signals.push(signal)
      if (asked.length === 2) asking.resolve()
      return new Promise(() => {})
    }
    const save = () => {}
    const kept = session.call({ method: "tools/call", params: { n: 1 }, askers: { elicit }, save })
    const unsaved = session.call({ method: "tools/call", params: { n: 2 }, askers: { elicit } })
    const prompt = session.call({ method: "prompts/get", params: { hang: true } })
    const flying = session.call({ method: "tools/call", params: { hang: true }, save })
    await asking.promise
    wire.take()
    const outcomes = [await session.call({ method: "tools/call", params: { large: true }, save }), await flying, await kept, await unsaved, await prompt].map(failed)
    equal(outcomes.map(({ code, resumable, inDoubt = false, snapshot }) => [code, resumable, inDoubt, snapshot !== undefined]), [
      [Code.instance, true, true, true],
      [Code.instance, true, true, true],
      [Code.instance, true, false, true],
      [Code.instance, false, true, false],
      [Code.instance, false, false, false],
    ])
    ok(outcomes.every(({ cause }) => cause instanceof Error), "the trap is the cause")
    equal(signals.map(({ aborted }) => aborted), [true, true], "askers are told")
    equal(wire.take(), "tools/call 5, reset")
    const [, flew, , ,] = outcomes
    snapshotOf(await session.resume({ snapshot: flew?.snapshot ?? "" }), Code.inDoubt)
    equal(wire.take(), "", "what is in doubt is not sent again")
    equal(await session.resume({ snapshot: outcomes[2]?.snapshot ?? "", save }), { status: "done", result: done, noStore: true })
    equal([asked, wire.take()], [["who", "who"], "tools/call 1"])
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("a trap that is another's fault is seen at the next step", async () => {
    const engine = new Engine(limited(await wasm(), 40))
    const wire = new Wire(rounds(oneAsk, done))
    const session = connect(engine, wire)
    const elicit = async () => {
      await thrown(() => engine.snapshotInfo("x".repeat(8 << 20)), "a snapshot larger than the memory")
      return decline
    }
    const snapshot = snapshotOf(await session.call({ method: "tools/call", askers: { elicit }, save: () => {} }), Code.instance)
    equal(wire.take(), "tools/call 1, reset")
    equal((await session.resume({ snapshot, askers: { elicit: () => decline } })).status, "done")
    equal(wire.take(), "tools/call 1")
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("a resumed call that traps before anything is kept leaves what it came from, if it is saved", async () => {
    const engine = new Engine(limited(await wasm(), 40))
    const session = connect(engine, new Wire(rounds(oneAsk, done)))
    const snapshot = snapshotOf(await session.call({ method: "tools/call", askers: { elicit: () => PARK } }))
    const traps = async () => {
      await thrown(() => engine.snapshotInfo("x".repeat(8 << 20)), "a snapshot larger than the memory")
      return decline
    }
    const saved = failed(await session.resume({ snapshot, askers: { elicit: () => decline }, save: traps }))
    equal([saved.code, saved.snapshot !== snapshot, saved.inDoubt], [Code.instance, true, undefined], "kept, and then it trapped")
    const unsaved = failed(await session.resume({ snapshot, askers: { elicit: () => decline }, save: () => traps().then(() => Promise.reject(new Error("full"))) }))
    equal([unsaved.code, unsaved.snapshot === snapshot, unsaved.inDoubt], [Code.instance, true, undefined])
    const without = failed(await session.resume({ snapshot, askers: { elicit: traps } }))
    equal([without.code, without.resumable, without.snapshot, without.inDoubt], [Code.instance, false, undefined, undefined])
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("watchers and askers that use the session, or stop it, take their turn", async () => {
    const engine = await load()
    const wire = new Wire(rounds(oneAsk, done))
    /** @type {Promise<Outcome>[]} */
    const calls = []
    const controller = new AbortController()
    /** @type {Session} */
    const session = connect(engine, wire, { watchers: { onReady: () => void calls.push(session.call({ method: "prompts/get" })) }, askers: { elicit: () => decline } })
    calls.push(session.call({ method: "tools/call", signal: controller.signal, watchers: { onQuestion: () => controller.abort(new Error("enough")) }, askers: { elicit: () => new Promise(() => {}) } }))
    const first = failed(await /** @type {Promise<Outcome>} */ (calls[0]))
    equal([first.code, String(first.cause), first.inDoubt], [Code.canceled, "Error: enough", undefined])
    equal((await /** @type {Promise<Outcome>} */ (calls[1])).status, "done")
    /** @type {Promise<void> | undefined} */
    let closed
    const last = failed(await session.call({ method: "tools/call", params: { n: 2 }, watchers: { onQuestion: () => void (closed = session.close()) }, askers: { elicit: () => new Promise(() => {}) } }))
    equal([last.code, String(last.cause)], [Code.canceled, "Error: parley: the session was closed"])
    await closed
    equal(engine.live, 0, "live")
  })

  test("what is told of a call that has ended does not reach the engine", async () => {
    const traps = new Traps() // which only count
    try {
      const engine = new Engine(new WebAssembly.Module(await wasm()))
      const session = connect(engine, new Wire(() => oneAsk))
      const counts = []
      for (const late of [false, true]) {
        const [park, controller] = [new AbortController(), new AbortController()]
        const before = traps.calls
        const onQuestion = () => {
          park.abort()
          if (late) controller.abort()
        }
        const outcome = await session.call({ method: "tools/call", park: park.signal, signal: controller.signal, watchers: { onQuestion }, askers: { elicit: () => decline } })
        equal(outcome.status, "parked")
        counts.push(traps.calls - before)
      }
      equal(counts[0], counts[1], "calls into the module")
      await session.close()
    } finally {
      traps.end()
    }
  })

  test("nothing of a step is done after a trap", async () => {
    const traps = new Traps()
    try {
      const engine = new Engine(new WebAssembly.Module(await wasm()))
      const wire = new Wire(earlier(() => done))
      const session = connect(engine, wire, { versions: ["2025-11-25"], askers: { elicit: () => decline } })
      const initialized = wire.receive
      wire.receive = (event) => initialized(event.type === "message" ? { ...event, sessionId: "s" } : event)
      equal((await session.call({ method: "tools/call" })).status, "done")
      const perform = wire.perform.bind(wire)
      wire.perform = (action) => {
        perform(action)
        if (action.type !== "abort") return
        traps.next = "parley_session_step"
        wire.receive({ type: "ended", exchange: action.exchange, unsent: true })
      }
      ok(wire.take().includes("listen"), "the server's own stream")
      await session.close()
      equal([wire.take().replace(/\d+/, "n"), traps.trapped], ["abort n, reset, close", ["parley_session_step"]])
      equal(engine.live, 0)
    } finally {
      traps.end()
    }
  })

  test("nothing is saved of a call that has ended", async () => {
    const engine = await load()
    const session = connect(engine, new Wire(() => done))
    const controller = new AbortController()
    let saves = 0
    const call = session.call({ method: "tools/call", save: () => saves++, signal: controller.signal })
    controller.abort()
    const { code, inDoubt } = failed(await call)
    await sleep(1)
    equal([code, inDoubt, saves], [Code.canceled, undefined, 0])
    await session.close()
  })

  test("many calls at once share one session", async () => {
    const engine = await load()
    const wire = new Wire(({ id, params }, { exchange, call }) => {
      const result = params.inputResponses ? `{"content":[],"n":${params.n}}` : oneAsk
      setTimeout(() => wire.answer(`{"jsonrpc":"2.0","id":${id},"result":${result}}`, exchange, call), Math.random() * 5)
    })
    const session = connect(engine, wire, { askers: { elicit: async () => (await sleep(Math.random() * 5), decline) } })
    const results = await Promise.all(Array.from({ length: 200 }, (_, n) => session.call({ method: "tools/call", params: { n } })))
    equal(results, Array.from({ length: 200 }, (_, n) => ({ status: "done", result: `{"content":[],"n":${n}}`, noStore: true })))
    await session.close()
    equal(engine.live, 0, "live")
  })
}
