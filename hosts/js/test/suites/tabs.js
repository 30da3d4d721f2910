import { newId, PARK, shareCall, watchCall } from "../../dist/index.js"
import { equal, ok } from "../assert.js"
import { call, deferred, done, failed, Host, oneAsk, script, sleep, snapshotOf } from "../peer.js"

/** @import { Question } from "../../dist/index.js" */
/** @import { Sending } from "../peer.js" */
/** @import { Env } from "../suite.js" */

/** Two tabs and one call: one runs it, the other sees and answers. @param {Env} env */
export default function tabs({ test, load }) {
  /**
   * Runs a call whose own tab only waits, watched by another.
   *
   * @param {(watch: ReturnType<typeof watchCall>, question: Question) => unknown} answer
   * @param {Partial<Sending>} [others]
   */
  const watched = async (answer, others = {}) => {
    const engine = await load()
    const [id, channel] = [newId(), newId()]
    const host = new Host()
    /** @type {unknown[]} */
    const seen = []
    const over = deferred()
    let ownAborted = false
    const elicit = (/** @type {Question} */ _, /** @type {{signal: AbortSignal}} */ { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          ownAborted = true
          reject(signal.reason)
        })
      })
    const shared = shareCall(id, host.callbacks(script(oneAsk, done), { elicit: /** @type {any} */ (elicit), ...others }), { channel })
    const watch = watchCall(id, {
      channel,
      patience: 200,
      onQuestions: (questions) => {
        seen.push(questions.map(({ key, problem }) => [key, problem !== undefined]))
        if (questions[0]) answer(watch, questions[0])
      },
      onOver: () => over.resolve(),
    })
    const outcome = await call(engine, "tools/call", "{}", shared.askers)
    shared.close()
    await over.promise
    const late = await watch.answer(1, "{}")
    watch.close()
    equal([late, engine.live], [false, 0])
    return { outcome, log: host.take(), seen, ownAborted }
  }

  test("another tab answers, and this tab's dialog closes", async () => {
    const { outcome, log, seen, ownAborted } = await watched((watch, { ask }) => watch.answer(ask, { action: "accept", content: { n: 7 } }))
    equal([outcome.status, log, ownAborted], ["done", "send 1, send 2", true])
    equal(seen.at(-1), [], "the questions in the end")
    ok(JSON.stringify(seen).includes('[["who",false]]'), "the question was seen")
  })

  test("an answer that cannot be sent comes back with its problem", async () => {
    let answers = 0
    const { outcome, seen } = await watched((watch, { ask, problem }) => watch.answer(ask, { action: "accept", content: { n: answers++ && problem ? 7 : "seven" } }))
    equal(outcome.status, "done")
    ok(JSON.stringify(seen).includes('[["who",true]]'), "the problem was seen")
  })

  test("another tab can park the call", async () => {
    const { outcome } = await watched((watch, { ask }) => watch.answer(ask, PARK))
    snapshotOf(outcome)
  })

  test("whoever is first answers; the other learns that it came too late", async () => {
    const late = deferred()
    const { outcome } = await watched(
      async (watch, { ask }) => {
        await sleep(20)
        late.resolve(await watch.answer(ask, { action: "decline" }))
      },
      { elicit: () => ({ action: "decline" }) },
    )
    equal([outcome.status, await late.promise], ["done", false])
  })

  test("a call that fails in its own tab is over in the other", async () => {
    const { outcome } = await watched(() => {}, { elicit: () => Promise.reject(new Error("no")) })
    ok(failed(outcome).resumable, "resumable")
  })
}
