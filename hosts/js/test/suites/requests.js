import { Code, connect, Engine, requests, unsent } from "../../dist/index.js"
import { contains, equal, ok, thrown } from "../assert.js"
import { limited } from "../modules.js"
import { call, deferred, done, failed, oneAsk, response, script, sleep, snapshotOf } from "../peer.js"

/** @import { Question, HostSide, SendContext, Session } from "../../dist/index.js" */
/** @import { Env } from "../suite.js" */

const decline = { action: "decline" }
const working = '{"resultType":"task","taskId":"t","status":"working","pollIntervalMs":100}'

/** A form with one field, which has a default. */
const form = `{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer","default":7}}}}}`

/** Sessions over a connection that is there already. @param {Env} env */
export default function connections({ test, load, wasm }) {
  test("what is the connection's own is no option of the session", async () => {
    const engine = await load()
    for (const options of [{ clientInfo: { name: "n", version: "1" } }, { versions: ["2026-07-28"] }, { stringIds: true }]) {
      equal((await thrown(async () => connect(engine, requests(() => ""), options), JSON.stringify(options))).code, Code.options)
    }
    equal(engine.live, 0, "live")
  })

  test("what is no response leaves the call in doubt, and what was never sent does not", async () => {
    const engine = await load()
    const down = new Error("down")
    /** @type {Record<string, [send: () => string, code: number, words: string]>} */
    const tests = {
      "no JSON": [() => "nonsense", Code.inDoubt, "no JSON-RPC message"],
      "not Unicode": [() => response('"\ud800"'), Code.inDoubt, "the answer cannot be read"],
      "a throw": [() => { throw down }, Code.inDoubt, "the transport failed"],
      "never sent": [() => { throw unsent("nobody is there", down) }, Code.lost, "it was not carried out"],
    }
    for (const [name, [send, code, words]] of Object.entries(tests)) {
      const outcome = failed(await call(engine, "tools/call", {}, { send }))
      equal(outcome.code, code, name)
      contains(outcome.detail, words, name)
    }
  })

  test("a task that is given up is canceled, though its caller and its session have gone", async () => {
    const engine = await load()
    for (const minds of [true, false]) {
      const given = new AbortController()
      /** @type {string[]} */
      const log = []
      let ended = false
      const answered = deferred()
      const session = connect(engine, requests(async ({ leg, method, params }, { signal }) => {
          log.push(`${method} ${leg}`)
          if (leg) return response(working)
          equal([signal.aborted, params], [false, '{"taskId":"t"}'])
          signal.addEventListener("abort", () => (ended = true))
          if (minds) await sleep(20)
          else await new Promise(() => {})
          answered.resolve()
          return response("{}")
        }), { askers: { tasks: true } })
      equal(failed(await session.call({ method: "tools/call", watchers: { onTask: () => given.abort() }, signal: given.signal })).code, Code.canceled)
      await session.close()
      equal([log, ended], [["tools/call 1", "tasks/cancel 0"], !minds], "its signal ends only when it takes too long")
      if (minds) await answered.promise
    }
    equal(engine.live, 0, "live")
  })

  test("a save holds back its own call, and no other", async () => {
    const engine = await load()
    const saving = deferred()
    /** @type {string[]} */
    const log = []
    const session = connect(engine, requests(({ leg, params }) => (log.push(`${JSON.parse(params).n} ${leg}`), response(done))))
    const slow = session.call({ method: "tools/call", params: { n: 1 }, save: () => saving.promise })
    equal((await session.call({ method: "tools/call", params: { n: 2 } })).status, "done")
    equal(log, ["2 1"])
    saving.resolve()
    equal((await slow).status, "done")
    equal(log, ["2 1", "1 1"])
    await session.close()
  })

  test("nothing of a call is called once it has returned", async () => {
    const engine = await load()
    /** @type {SendContext | undefined} */
    let late
    /** @type {string[]} */
    const heard = []
    const hears = (/** @type {string} */ name) => () => void heard.push(name)
    const controller = new AbortController()
    const session = connect(engine, requests((_, context) => ((late = context), setTimeout(() => controller.abort()), new Promise(() => {}))))
    const watchers = { onProgress: hears("progress"), onLeg: hears("leg"), onPause: hears("pause"), onNote: hears("note") }
    equal(failed(await session.call({ method: "tools/call", watchers, save: hears("save"), signal: controller.signal })).code, Code.canceled)
    ok(late?.signal.aborted, "the request's signal")
    heard.length = 0
    late?.progress('{"progress":1}')
    await session.close()
    equal(heard, [])
  })

  test("a state that is refused can be started over, with what was filled in beside the same form", async () => {
    const engine = await load()
    let refused = false
    const ask = `{"resultType":"input_required","requestState":"s","inputRequests":{"a":${form}}}`
    const session = connect(
      engine,
      requests(({ params }) => {
        if (!JSON.parse(params).inputResponses) return response(ask)
        if (refused) return response(done)
        refused = true
        return '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"state"}}'
      }),
    )
    /** @type {(string | undefined)[]} */
    const earlier = []
    const elicit = (/** @type {Question} */ question) => (earlier.push(question.earlier), { action: "accept", content: { n: 3 } })
    const snapshot = snapshotOf(await session.call({ method: "tools/call", askers: { elicit } }), Code.state)
    equal((await session.resume({ snapshot, again: true, askers: { elicit } })).status, "done")
    equal(earlier, [undefined, '{"n":3}'])
    await session.close()
  })

  test("a server that asks too often may ask more, by a person's word", async () => {
    const engine = await load()
    const session = connect(engine, requests(script(oneAsk, oneAsk, oneAsk, done)), { askers: { elicit: () => decline } })
    let snapshot = snapshotOf(await session.call({ method: "tools/call", options: { maxRounds: 1 } }), Code.rounds)
    snapshot = snapshotOf(await session.resume({ snapshot }), Code.rounds)
    equal((await session.resume({ snapshot, moreRounds: 2 })).status, "done")
    await session.close()
  })

  test("accepted forms are filled with defaults where that is wished for", async () => {
    const engine = await load()
    for (const [fill, want] of /** @type {const} */ ([[true, '{"n":7}'], [false, "{}"]])) {
      let content = ""
      const send = requests(({ leg, params }) => {
        if (leg === 2) content = JSON.stringify(JSON.parse(params).inputResponses.a.content)
        return response(leg === 1 ? `{"resultType":"input_required","inputRequests":{"a":${form}}}` : done)
      })
      const session = connect(engine, send, { askers: { elicit: () => ({ action: "accept", content: {} }), fill } })
      equal((await session.call({ method: "tools/call" })).status, "done")
      equal(content, want)
      await session.close()
    }
  })

  test("a host that draws any form gets those that Parley cannot read, but none that asks for a secret", async () => {
    const engine = await load()
    const people = '{"type":"object","properties":{"people":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"}}}}}}'
    const elicit = () => ({ action: "accept", content: { people: [{ name: "Ann" }] } })
    /** @param {object} askers @param {string} schema @returns {Promise<[code: number | undefined, content: object | undefined]>} */
    const ask = async (askers, schema) => {
      let content
      const send = requests(({ leg, params }) => {
        if (leg === 2) content = JSON.parse(params).inputResponses.a.content
        return response(leg === 1 ? `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":${schema}}}}}` : done)
      })
      const session = connect(engine, send, { askers })
      const outcome = await session.call({ method: "tools/call" })
      await session.close()
      return [outcome.status === "failed" ? outcome.code : undefined, content]
    }
    equal(await ask({ elicit }, people), [Code.form, undefined])
    equal(await ask({ anyForm: true }, people), [Code.capability, undefined], "nobody is asked")
    equal(await ask({ elicit, anyForm: true }, people), [undefined, { people: [{ name: "Ann" }] }])
    equal(await ask({ elicit, anyForm: true }, '{"type":"object","properties":{"pin":{"type":"string","format":"password"}}}'), [Code.form, undefined])
  })

  test("what waits for a save when the engine traps is not done", async () => {
    const engine = new Engine(limited(await wasm(), 40))
    const large = JSON.stringify({ text: "x".repeat((1 << 20) - 1000) })
    const [saving, saved] = [deferred(), deferred()]
    /** @type {string[]} */
    const log = []
    const session = connect(
      engine,
      requests(({ leg, params }) => {
        const { n } = JSON.parse(params)
        log.push(`${n} ${leg}`)
        return response(n === 2 ? large : done)
      }),
    )
    let saves = 0
    /** @type {HostSide} */
    const watches = {
      watchers: { onLeg: ({ leg, answer }) => void log.push(`${answer ?? "leg"} ${leg}`) },
      save: () => (++saves === 2 && saving.resolve(), saved.promise),
    }
    const calls = [session.call({ method: "tools/call", params: { n: 1 }, ...watches }), session.call({ method: "prompts/get", params: { n: 3 }, ...watches })]
    await saving.promise
    equal(failed(await session.call({ method: "tools/call", params: { n: 2 } })).code, Code.instance)
    saved.resolve()
    equal((await Promise.all(calls)).map(failed).map(({ code, resumable, inDoubt }) => [code, resumable, inDoubt]), [[Code.instance, false, undefined], [Code.instance, false, undefined]])
    equal([log, saves], [["2 1"], 2])
    await session.close()
    equal(engine.live, 0, "live")
  })

  test("a request that was not made yet is dropped, and the call is not in doubt", async () => {
    const engine = await load()
    let sent = 0
    const session = connect(engine, requests(() => (sent++, new Promise(() => {}))))
    const controller = new AbortController()
    const early = session.call({ method: "tools/call", signal: controller.signal })
    controller.abort()
    const { code, inDoubt } = failed(await early)
    equal([code, inDoubt, sent], [Code.canceled, undefined, 0])
    const late = new AbortController()
    const call = session.call({ method: "tools/call", signal: late.signal })
    await sleep(1)
    late.abort()
    equal([failed(await call).inDoubt, sent], [true, 1])
    await session.close()
    equal(engine.live, 0, "live")
  })
}
