import { Code, Engine, ParleyError, PARK } from "../../dist/index.js"
import { contains, equal, ok, thrown } from "../assert.js"
import { limited } from "../modules.js"
import { call, deferred, done, failed, Host, oneAsk, response, resume, script, sleep, snapshotOf, someModel, someRoots, threeAsk } from "../peer.js"

/** @import { Asker, Question } from "../../dist/index.js" */
/** @import { Sending } from "../peer.js" */
/** @import { Env } from "../suite.js" */

const stop = new Error("stop here")

/** The driver: calls that stop and go on, here or in another engine. @param {Env} env */
export default function resuming({ test, load, wasm }) {
  test("whatever stops a call, nobody is asked twice", async () => {
    const retry = `{"name":"t","inputResponses":{"a":{"action":"decline"},"b":${someModel},"c":${someRoots}}}`
    /** @type {Record<string, {stop: (controller: AbortController) => Asker, code?: number}>} */
    const tests = {
      parked: { stop: () => () => PARK },
      "parked later": { stop: () => async () => PARK },
      "parked by throwing": { stop: () => () => { throw PARK } },
      refused: { stop: () => () => Promise.reject(stop), code: Code.refused },
      canceled: { stop: (controller) => () => (controller.abort(), new Promise(() => {})), code: Code.canceled },
    }
    for (const [name, test] of Object.entries(tests)) {
      const [from, to] = [await load(), await load()]
      const [before, after] = [new Host(), new Host()]
      const controller = new AbortController()
      const stopped = await call(from, "tools/call", '{"name":"t"}', before.callbacks(script(threeAsk), { sample: test.stop(controller), signal: controller.signal }))
      const snapshot = snapshotOf(stopped, test.code)
      equal(before.take(), "send 1, ask a", name)
      const outcome = await resume(
        to,
        snapshot,
        after.callbacks(({ leg, method, params, capabilities }) => {
          equal([leg, method, params, capabilities], [2, "tools/call", retry, '{"elicitation":{"form":{}},"roots":{},"sampling":{}}'])
          return response(done)
        }),
      )
      equal(outcome, { status: "done", result: done, noStore: true }, name)
      equal(after.take(), "ask b, ask c, send 2", name)
      equal([from.live, to.live], [0, 0], "live")
    }
  })

  test("prompts are fetched again when the connection is lost, and once more on resume", async () => {
    const engine = await load()
    const host = new Host()
    let up = false
    const callbacks = host.callbacks(async ({ leg }) => {
      if (leg > 1 && !up) throw stop
      return response(up ? done : oneAsk)
    })
    const lost = await call(engine, "prompts/get", "{}", callbacks)
    ok(failed(lost).cause === stop, "the cause")
    up = true
    equal((await resume(engine, snapshotOf(lost, Code.lost), callbacks)).status, "done")
    equal(host.take(), "send 1, ask who, send 2, send 3, send 4, send 5")
  })

  test("a tool that may have run is called again only by a person's word", async () => {
    const engine = await load()
    const host = new Host()
    const callbacks = host.callbacks(async (request) => {
      if (request.leg === 2) throw stop
      return script(oneAsk, "", done)(request)
    })
    let snapshot = snapshotOf(await call(engine, "tools/call", "{}", callbacks), Code.inDoubt)
    for (let i = 0; i < 2; i++) snapshot = snapshotOf(await resume(engine, snapshot, callbacks), Code.inDoubt)
    equal(host.take(), "send 1, ask who, send 2")
    const { inDoubt, questions } = engine.snapshotInfo(snapshot)
    equal([inDoubt, questions], [true, 0])
    equal((await resume(engine, snapshot, callbacks, { resend: true })).status, "done")
    equal(host.take(), "send 3")
  })

  test("a snapshot that cannot be used is refused before anything is sent", async () => {
    const engine = await load()
    const host = new Host()
    const callbacks = host.callbacks(script(threeAsk, done))
    const ours = { peer: "shop", principal: "ann" }
    const snapshot = snapshotOf(await call(engine, "tools/call", "{}", { ...callbacks, listRoots: () => PARK }, ours))
    host.take()
    /** @param {keyof Sending} name */
    const without = (name) => ({ ...callbacks, [name]: undefined })
    /** @type {Record<string, [snapshot: string, expect: object, callbacks: Sending, want: number | string]>} */
    const tests = {
      "another peer": [snapshot, { ...ours, peer: "bank" }, callbacks, Code.peer],
      "another principal": [snapshot, { ...ours, principal: "bob" }, callbacks, Code.peer],
      "no labels": [snapshot, {}, callbacks, Code.peer],
      damaged: [snapshot.replace("shop", "shoq"), { ...ours, peer: "shoq" }, callbacks, Code.snapshot],
      empty: ["", ours, callbacks, Code.snapshot],
      "too long": [snapshot, { ...ours, size: 10 }, callbacks, Code.snapshot],
      "without send": [snapshot, ours, without("send"), "a function that sends"],
      "without elicit": [snapshot, ours, without("elicit"), "a form, which this host cannot answer"],
      "without sample": [snapshot, ours, without("sample"), "sampling, which this host cannot answer"],
      "without listRoots": [snapshot, ours, without("listRoots"), "roots, which this host cannot answer"],
    }
    for (const [name, [snapshot, expect, callbacks, want]] of Object.entries(tests)) {
      const error = await thrown(() => resume(engine, snapshot, callbacks, { expect, resend: true }), name)
      if (typeof want === "string") contains(error.message, want, name)
      else equal([error instanceof ParleyError, error.code], [true, want], name)
    }
    equal([host.take(), engine.live], ["", 0])
    equal((await resume(engine, snapshot, callbacks, { expect: ours })).status, "done")
    equal(host.take(), "ask c, send 2")
  })

  test("save comes before each leg, when questions open and after each answer; from each the call can go on", async () => {
    const [from, to] = [await load(), await load()]
    const host = new Host()
    /** @type {string[]} */
    const saved = []
    const save = async (/** @type {string} */ snapshot) => {
      await undefined
      host.log.push("save")
      saved.push(snapshot)
    }
    equal((await call(from, "tools/call", "{}", host.callbacks(script(threeAsk, done), { save }))).status, "done")
    equal(host.take(), "save, send 1, save, ask a, save, ask b, save, ask c, save, send 2")
    const want = [["in doubt", "send 2"], ["ask a, ask b, ask c, send 2"], ["ask b, ask c, send 2"], ["ask c, send 2"], ["in doubt", "send 3"]]
    for (const [i, snapshot] of saved.entries()) {
      const after = new Host()
      const callbacks = after.callbacks(async () => response(done))
      const [first, second] = want[i] ?? []
      let outcome = await resume(to, snapshot, callbacks)
      if (first === "in doubt") {
        snapshotOf(outcome, Code.inDoubt)
        equal(after.take(), "")
        outcome = await resume(to, snapshot, callbacks, { resend: true })
      }
      equal([outcome.status, after.take()], ["done", second ?? first], `from save ${i + 1}`)
    }
  })

  test("a call that cannot be saved ends, and nothing is in doubt", async () => {
    const engine = await load()
    for (const [failing, want, rest] of /** @type {[number, string, string][]} */ ([
      [0, "", "send 1, ask a, ask b, ask c, send 2"],
      [1, "send 1", "ask a, ask b, ask c, send 2"],
      [2, "send 1, ask a", "ask b, ask c, send 2"],
    ])) {
      const host = new Host()
      let saves = 0
      const callbacks = host.callbacks(script(threeAsk, done))
      const save = () => (saves++ < failing ? undefined : Promise.reject(stop))
      const outcome = failed(await call(engine, "tools/call", "{}", { ...callbacks, save }))
      ok(outcome.cause === stop, "the cause")
      equal(host.take(), want)
      equal((await resume(engine, snapshotOf(outcome, Code.save), callbacks)).status, "done")
      equal(host.take(), rest)
    }
    equal(engine.live, 0, "live")
  })

  test("a callback that always answers nonsense is refused in the end", async () => {
    const engine = await load()
    let asked = 0
    const host = new Host()
    const elicit = () => (asked++, { action: "accept", content: { n: "seven" } })
    const outcome = failed(await call(engine, "tools/call", "{}", { send: script(oneAsk), elicit }))
    equal([asked, outcome.code], [20, Code.refused])
    contains(outcome.detail, "after 20 tries")
    equal((await resume(engine, snapshotOf(outcome, Code.refused), host.callbacks(script("", done)))).status, "done")
    equal(host.take(), "ask who, send 2")
  })

  test("answers that came before an abort are kept", async () => {
    const engine = await load()
    const host = new Host()
    const controller = new AbortController()
    const open = deferred()
    const outcome = await call(
      engine,
      "tools/call",
      "{}",
      {
        send: script(threeAsk),
        elicit: () => (open.resolve(), new Promise(() => {})),
        sample: () => new Promise(() => {}),
        listRoots: async () => {
          await open.promise
          setTimeout(() => controller.abort())
          return someRoots
        },
        signal: controller.signal,
      },
      { askConcurrency: -1 },
    )
    const callbacks = host.callbacks(script("", done))
    equal((await resume(engine, snapshotOf(outcome, Code.canceled), callbacks)).status, "done")
    equal(host.log.sort().join(", "), "ask a, ask b, send 2")
  })

  test("an answer that comes before a park or a refusal is kept", async () => {
    const engine = await load()
    for (const [other, code] of /** @type {const} */ ([[() => sleep(0).then(() => PARK), undefined], [() => sleep(0).then(() => Promise.reject(stop)), Code.refused]])) {
      const host = new Host()
      const outcome = await call(engine, "tools/call", "{}", host.callbacks(script(threeAsk), { elicit: other, sample: () => someModel }), { askConcurrency: -1 })
      equal((await resume(engine, snapshotOf(outcome, code), host.callbacks(script("", done)))).status, "done")
      equal(host.take(), "send 1, ask c, ask a, send 2")
    }
  })

  test("a trap ends its own call, resumably if it was saved, and none of another session", async () => {
    const engine = new Engine(limited(await wasm(), 40))
    const large = JSON.stringify({ text: "x".repeat((1 << 20) - 1000) })
    const [asking, trapped] = [deferred(), deferred()]
    const other = call(engine, "tools/call", "{}", {
      send: script(oneAsk, done),
      elicit: async (/** @type {Question} */ _) => {
        asking.resolve()
        await trapped.promise
        return { action: "decline" }
      },
      save: () => {},
    })
    const neverSaved = call(engine, "tools/call", "{}", { send: script(oneAsk, done), elicit: async () => (await trapped.promise, { action: "decline" }) })
    await asking.promise
    const unsaved = failed(await call(engine, "tools/call", "{}", { send: script(large) }))
    equal([unsaved.code, unsaved.resumable, unsaved.snapshot], [Code.instance, false, undefined])
    const saved = failed(await call(engine, "prompts/get", "{}", { send: script(large), save: () => {} }))
    equal(saved.code, Code.instance)
    ok(saved.cause instanceof Error, "the trap is the cause")
    trapped.resolve()
    equal(await other, { status: "done", result: done, noStore: true }, "the call that was saved")
    equal(await neverSaved, { status: "done", result: done, noStore: true }, "the call that was not: it has an instance of its own")
    equal((await resume(engine, snapshotOf(saved, Code.instance), { send: script("", done) })).status, "done")
    equal(engine.live, 0, "live")
  })
}
