import { Code, connect, PARK, requests } from "../../dist/index.js"
import { contains, equal, ok, thrown } from "../assert.js"
import { call, done, failed, Host, oneAsk, response, script, sleep, threeAsk } from "../peer.js"

/** @import { Askers, Send } from "../../dist/index.js" */
/** @import { Sending } from "../peer.js" */
/** @import { Env } from "../suite.js" */

const decline = { action: "decline" }

/** The driver: calls over a connection of the test's own, from beginning to end. @param {Env} env */
export default function calls({ test, load }) {
  test("a call completes, with all its answers in one retry", async () => {
    const engine = await load()
    const host = new Host()
    let retry = ""
    const outcome = await call(
      engine,
      "tools/call",
      { name: "t" },
      host.callbacks(async ({ leg, params, capabilities }) => {
        if (leg === 2) retry = params
        equal(capabilities, '{"elicitation":{"form":{}},"roots":{},"sampling":{}}')
        return response([threeAsk, done][leg - 1] ?? "")
      }),
    )
    equal(outcome, { status: "done", result: done, noStore: true })
    equal(host.take(), "send 1, ask a, ask b, ask c, send 2")
    equal(retry, '{"name":"t","inputResponses":{"a":{"action":"decline"},"b":{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"},"c":{"roots":[]}}}')
    equal(engine.live, 0, "live")
  })

  test("capabilities are those of the askers", async () => {
    const engine = await load()
    const asker = () => PARK
    /** @type {Record<string, Askers>} */
    const declared = {
      "{}": {},
      '{"elicitation":{"form":{}}}': { elicit: asker },
      '{"elicitation":{"url":{}}}': { elicitURL: asker },
      '{"elicitation":{"form":{},"url":{}},"roots":{},"sampling":{"tools":{}}}': { elicit: asker, elicitURL: asker, sample: asker, sampleTools: true, listRoots: asker },
    }
    for (const [want, askers] of Object.entries(declared)) {
      let declared = ""
      const outcome = await call(engine, "tools/call", "{}", { ...askers, send: ({ capabilities }) => ((declared = capabilities), response(done)) })
      equal([outcome.status, declared], ["done", want])
    }
  })

  test("whatever a callback does, the call ends with an outcome", async () => {
    const engine = await load()
    const down = new Error("network down")
    const fails = (/** @type {unknown} */ error) => () => Promise.reject(error)
    /** @type {Record<string, {cb: Partial<Sending>, code: number, cause?: unknown, resumable?: boolean}>} */
    const tests = {
      "transport rejects": { cb: { send: fails(down) }, code: Code.inDoubt, cause: down },
      "transport throws": { cb: { send: () => { throw down } }, code: Code.inDoubt, cause: down },
      "transport returns no text": { cb: { send: /** @type {any} */ (async () => ({})) }, code: Code.inDoubt },
      "transport sent nothing": { cb: { send: fails(new Error("x", { cause: Object.assign(new Error(), { unsent: true }) })) }, code: Code.lost },
      "callback rejects": { cb: { elicit: fails(down) }, code: Code.refused, cause: down },
      "callback throws": { cb: { elicit: () => { throw down } }, code: Code.refused, cause: down },
      "callback throws nothing": { cb: { elicit: fails(undefined) }, code: Code.refused },
      "callback returns nothing": { cb: { elicit: /** @type {any} */ (() => {}) }, code: Code.refused },
      "callback missing": { cb: { elicit: undefined }, code: Code.capability, resumable: false },
      "callback answers nonsense": { cb: { elicit: () => "yes" }, code: Code.refused },
      "server errs": { cb: { send: () => '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"oops"}}' }, code: Code.rpc },
      "server answers nonsense": { cb: { send: script('{"resultType":"input_required"}') }, code: Code.malformed, resumable: false },
    }
    for (const [name, { cb, code, cause, resumable = true }] of Object.entries(tests)) {
      const outcome = failed(await call(engine, "tools/call", "{}", { send: script(oneAsk), elicit: () => decline, ...cb }))
      equal(outcome.code, code, name)
      equal(outcome.resumable, resumable, `${name}: resumable`)
      equal(outcome.snapshot !== undefined, resumable, `${name}: a snapshot`)
      if (cause) ok(outcome.cause === cause, `${name}: the cause`)
      ok(!outcome.detail.includes("secret"), `${name}: no state in the detail`)
    }
    equal(engine.live, 0, "live")
  })

  test("the server's error object is kept as it came", async () => {
    const engine = await load()
    const object = '{"code":-32602,"message":"Invalid or expired requestState","data":{"n":1.0}}'
    const outcome = failed(
      await call(engine, "tools/call", "{}", {
        elicit: () => decline,
        send: ({ leg }) => (leg === 1 ? response(oneAsk) : `{"jsonrpc":"2.0","id":2,"error":${object}}`),
      }),
    )
    equal([outcome.code, outcome.resumable, outcome.response], [Code.state, true, object])
  })

  test("aborting returns at once, though a callback ignores it", async () => {
    const engine = await load()
    for (const hanging of ["send", "elicit", "save"]) {
      const controller = new AbortController()
      const closed = new Error("window closed")
      const hang = () => {
        controller.abort(closed)
        return new Promise(() => {})
      }
      const outcome = failed(
        await call(engine, "tools/call", "{}", { send: script(oneAsk), elicit: () => decline, [hanging]: hang, signal: controller.signal }),
      )
      equal(outcome.code, Code.canceled, hanging)
      ok(outcome.cause === closed, "the signal's reason")
      ok(outcome.snapshot, "a snapshot")
    }
    equal(engine.live, 0, "live")
  })

  test("a callback that minds the call's own signal changes nothing", async () => {
    const engine = await load()
    const controller = new AbortController()
    const { signal } = controller
    const closed = new Error("window closed")
    const sample = () => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("mine"))))
    let saves = 0
    const save = () => ++saves === 3 && (setTimeout(() => controller.abort(closed)), new Promise(() => {})) // after the answer to the form
    const callbacks = { send: script(threeAsk), elicit: () => decline, sample: /** @type {any} */ (sample), listRoots: () => new Promise(() => {}), save, signal }
    const outcome = failed(await call(engine, "tools/call", "{}", /** @type {any} */ (callbacks), { askConcurrency: -1 }))
    equal([outcome.code, outcome.cause === closed], [Code.canceled, true])
  })

  test("a call that is aborted before it begins sends nothing", async () => {
    const engine = await load()
    const host = new Host()
    const outcome = failed(await call(engine, "tools/call", "{}", host.callbacks(script(done), { signal: AbortSignal.abort() })))
    equal([outcome.code, outcome.resumable, host.take()], [Code.canceled, true, ""])
  })

  test("a withdrawn question's signal aborts, and what it says later goes nowhere", async () => {
    const engine = await load()
    /** @type {string[]} */
    const aborted = []
    const watch = (/** @type {string} */ name) => (/** @type {unknown} */ _, /** @type {{signal: AbortSignal}} */ { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          aborted.push(name)
          resolve(PARK) // moot: the call must not park
        })
      })
    const outcome = failed(
      await call(
        engine,
        "tools/call",
        "{}",
        { send: script(threeAsk), elicit: /** @type {any} */ (watch("elicit")), sample: /** @type {any} */ (watch("sample")), listRoots: () => Promise.reject(new Error("no roots here")) },
        { askConcurrency: -1 },
      ),
    )
    equal([outcome.code, aborted.sort()], [Code.refused, ["elicit", "sample"]])
  })

  test("a signal is not aborted once its callback has returned", async () => {
    const engine = await load()
    /** @type {AbortSignal[]} */
    const signals = []
    const outcome = await call(engine, "tools/call", "{}", {
      send: ({ leg }, { signal }) => (signals.push(signal), response(leg === 1 ? oneAsk : done)),
      elicit: (_, { signal }) => (signals.push(signal), decline),
    })
    equal([outcome.status, signals.map((s) => s.aborted)], ["done", [false, false, false]])
  })

  test("rounds without questions are paced", async () => {
    const engine = await load()
    const busy = '{"resultType":"input_required","requestState":"later"}'
    const begun = performance.now()
    const outcome = await call(engine, "tools/call", "{}", { send: script(busy, busy, done) })
    equal(outcome.status, "done")
    ok(performance.now() - begun >= 148, "50 ms and 100 ms have passed")
  })

  test("a leg that takes too long is aborted", async () => {
    const engine = await load()
    let aborted = false
    const outcome = failed(
      await call(
        engine,
        "tools/call",
        "{}",
        {
          send: (_, { signal }) =>
            new Promise((_, reject) => {
              signal.addEventListener("abort", () => {
                aborted = true
                reject(signal.reason)
              })
            }),
        },
        { legTimeout: 20 },
      ),
    )
    equal([outcome.code, aborted], [Code.legTimeout, true])
  })

  test("progress gives a leg time, and goes to the host", async () => {
    const engine = await load()
    const timeout = 2000
    const send = (/** @type {number} */ reports) => /** @type {Send} */ (
      async ({ leg }, { progress }) => {
        for (let i = 0; i < 6; i++) {
          await sleep(timeout / 4)
          if (i < reports) progress(`{"progress":${i}}`)
        }
        return response(done, leg)
      }
    )
    /** @type {string[]} */
    const seen = []
    const onProgress = (/** @type {number} */ leg, /** @type {string} */ params) => {
      seen.push(`${leg} ${params}`)
      throw new Error("an observer that throws")
    }
    const ends = await Promise.all([
      call(engine, "tools/call", "{}", { send: send(6), onProgress }, { legTimeout: timeout }),
      call(engine, "tools/call", "{}", { send: send(0) }, { legTimeout: timeout }),
      call(engine, "tools/call", "{}", { send: send(6) }, { legTimeout: timeout, legMax: timeout }),
    ])
    equal(ends.map((end) => (end.status === "failed" ? end.code : end.status)), ["done", Code.legTimeout, Code.legTimeout])
    equal(seen, ['1 {"progress":0}', '1 {"progress":1}', '1 {"progress":2}', '1 {"progress":3}', '1 {"progress":4}', '1 {"progress":5}'])
    equal(engine.live, 0, "live")
  })

  test("notes are kept, and never hold content", async () => {
    const engine = await load()
    /** @type {import("../../dist/index.js").Note[]} */
    const notes = []
    await call(engine, "tools/call", "{}", { send: script('{"content":[],"requestState":"secret-state"}'), onNote: (note) => void notes.push(note) }, { audit: true, id: "n1" })
    equal(notes.map(({ kind }) => kind), ["sent", "strayFields", "done"])
    equal(notes.map(({ flow }) => flow), ["n1", "n1", "n1"])
    ok(!JSON.stringify(notes).includes("secret"), "no state in the notes")
  })

  test("a question whose answer cannot be sent is put again, with the problem", async () => {
    const engine = await load()
    /** @type {(string | undefined)[]} */
    const problems = []
    let saves = 0
    const outcome = await call(engine, "tools/call", "{}", {
      send: script(oneAsk, done),
      elicit: ({ problem, key, params, mode }, { signal }) => {
        equal([key, mode, signal.aborted, typeof params], ["who", "form", false, "string"])
        problems.push(problem)
        return ['{"action":"accept","content":{"n":"seven"}}', "nonsense", { action: "accept", content: { n: 7 } }][problems.length - 1] ?? ""
      },
      save: () => void saves++,
    })
    equal(outcome.status, "done")
    equal(problems.length, 3)
    equal(problems[0], undefined)
    contains(problems[1], "n")
    ok(problems[2] && problems[2] !== problems[1], "another problem")
    equal(saves, 3, "two legs and one question; bad answers save nothing")
  })

  test("misuse is told before anything is sent", async () => {
    const engine = await load()
    contains((await thrown(async () => requests(/** @type {any} */ (undefined)), "without send")).message, "a function that sends")
    const host = new Host()
    const declaring = () => call(engine, "tools/call", "{}", { send: host.callbacks(script(done)).send }, { capabilities: { roots: {} } })
    equal((await thrown(declaring, "a capability that askers declare")).code, Code.options)
    equal([host.take(), engine.live], ["", 0])
  })

  test("many calls at once share one engine", async () => {
    const engine = await load()
    const answers = requests(async ({ leg, params }) => {
      await sleep(Math.random() * 5)
      return response(leg < 3 ? oneAsk : `{"content":[],"n":${JSON.parse(params).n}}`)
    })
    const session = connect(engine, answers, { askers: { elicit: async () => (await sleep(Math.random() * 5), decline) } })
    const results = await Promise.all(Array.from({ length: 200 }, (_, n) => session.call({ method: "tools/call", params: { n } })))
    await session.close()
    equal(results, Array.from({ length: 200 }, (_, n) => ({ status: "done", result: `{"content":[],"n":${n}}`, noStore: true })))
    equal(engine.live, 0, "live")
  })
}
