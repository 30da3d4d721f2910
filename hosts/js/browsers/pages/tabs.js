// Two tabs of one person: the first runs two calls, the second answers, and
// goes on with the call that the first leaves behind.
import { connect, fetchTransport, indexedDBStore, shareCall, TakenError, watchCall } from "../../dist/index.js"
import { load } from "../../dist/browser.js"
import { contains, equal, ok, thrown } from "../../test/assert.js"
import { deferred, sleep } from "../../test/peer.js"
import { answers, askers } from "../../test/stories.js"
import { report, setting } from "./report.js"
import { runTests, test } from "./tests.js"

/** @import { Question } from "../../dist/index.js" */

const tool = { name: "update_work_item", arguments: { id: 4711, state: "Resolved" } } // asks twice, in two rounds
const [finished, orphaned] = [`finished-${setting("calls")}`, `orphaned-${setting("calls")}`]

const engine = await load()
const store = indexedDBStore({ name: `tabs-${setting("calls")}` })
const session = connect(engine, fetchTransport(setting("stream")), { askers })

if (setting("tab") === "first") await first()
else await second()

/** Runs the calls and answers nothing. */
async function first() {
  const { outcome } = await begin(finished)
  await begin(orphaned) // which has no end here
  await report({ event: "asking" })
  test("the call ends in its own tab", async () => equal((await outcome).status, "done"))
  await runTests()
}

/** Begins a call, and waits for its first question. @param {string} id */
async function begin(id) {
  const lease = await store.create(id)
  const asked = deferred()
  const shared = shareCall(id, { elicit: () => (asked.resolve(), new Promise(() => {})) })
  const outcome = session.call({ method: "tools/call", params: tool, options: { id }, askers: shared.askers, save: (snapshot) => lease.save(snapshot) }).then(async (outcome) => {
    await lease.settle(outcome)
    shared.close()
    return outcome
  })
  await asked.promise
  return { outcome }
}

async function second() {
  test("a call that another tab runs is seen, but not taken", async () => {
    equal((await store.list()).map(({ id, taken }) => [id, taken]).sort(), [[finished, true], [orphaned, true]])
    for (const id of [finished, orphaned]) {
      ok((await thrown(() => store.take(id), "take")) instanceof TakenError, "a TakenError")
      ok((await thrown(() => store.delete(id), "delete")) instanceof TakenError, "a TakenError")
    }
  })

  test("another tab's questions are answered from here", async () => {
    const over = deferred()
    /** @type {Set<string>} */
    const seen = new Set()
    const watch = watchCall(finished, {
      onOver: () => over.resolve(),
      onQuestions: ([question]) => {
        if (!question || seen.has(question.key)) return
        seen.add(question.key)
        watch.answer(question.ask, answers[question.key] ?? "")
      },
    })
    await over.promise
    watch.close()
    equal([...seen], ["resolution", "duplicate"])
    equal((await store.list()).map(({ id }) => id), [orphaned])
  })

  test("a call whose tab was closed goes on here, and nothing is asked twice", async () => {
    const answered = deferred()
    /** @type {Question | undefined} */
    let last
    const watch = watchCall(orphaned, {
      onQuestions: async ([question]) => {
        if (!question || last?.key === question.key) return
        last = question
        if (question.key === "duplicate") return answered.resolve()
        ok(await watch.answer(question.ask, answers[question.key] ?? ""), "the first answer is taken")
      },
    })
    await answered.promise
    await report({ event: "close the first tab" })
    while ((await store.list()).some(({ taken }) => taken)) await sleep(20)
    ok(last && !(await watch.answer(last.ask, answers[last.key] ?? "")), "nobody takes the second answer")
    watch.close()

    // Long before the lease is over, because the tab held a Web Lock.
    const { lease, snapshot } = await store.take(orphaned)
    /** @type {string[]} */
    const asked = []
    const outcome = await session.resume({ snapshot, askers: { elicit: (question) => (asked.push(question.key), answers[question.key] ?? "") }, save: (snapshot) => lease.save(snapshot) })
    await lease.settle(outcome)
    contains(outcome.status === "done" && outcome.result, "4242")
    equal(asked, ["duplicate"])
    await session.close()
    equal([await store.list(), engine.live], [[], 0])
  })
  await runTests()
}
