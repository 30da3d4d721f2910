import { deleteOf } from "../contract.js"
import { ExistsError, NotFoundError, TakenError } from "../errors.js"
import { equal, fails } from "./checks.js"

/** @import { Store } from "../contract.js" */
/** @import { Part, Suite } from "./index.js" */

/** @type {Record<string, Part>} */
export const calls = {
  async "what is saved comes back until it is done"(suite) {
    const { store } = suite
    await suite.missing("take of nothing", "a")
    await suite.ids("an empty store", {}, [])
    for (const snapshot of ["", "\0ÿ\r\n$-1\r\n\ufeff", "{}", "x".repeat(1 << 20)]) {
      await suite.put("a", snapshot)
      await (await suite.take(store, "a", snapshot)).release()
    }
    let lease = await suite.take(await suite.open(), "a", "x".repeat(1 << 20))
    await lease.save("1")
    await lease.save("2")
    await lease.renew()
    await lease.release()
    await suite.ended("after release", lease)
    lease = await suite.take(store, "a", "2")
    await lease.done()
    await suite.ended("after done", lease)
    await suite.missing("take of what is done", "a")
    await suite.put("a", "another")
    await suite.ended("of the call that had the id before", lease)
    await (await suite.take(store, "a", "another")).done()
  },

  async "a new call is held before it is listed"(suite) {
    const { store } = suite
    let lease = await store.create("new")
    await fails("second create", () => store.create("new"), TakenError)
    await fails("take before the first save", () => store.take("new"), TakenError)
    await fails("delete before the first save", () => store.delete("new"), TakenError)
    await suite.ids("before the first save", {}, [])
    await lease.save("1")
    equal((await suite.list(store)).map(({ taken }) => taken), [true], "after the first save")
    await lease.release()
    equal((await suite.list(store)).map(({ taken }) => taken), [false], "given back")
    await fails("create of what is there", () => store.create("new"), ExistsError)
    lease = await store.create("empty")
    await lease.release()
    await suite.missing("take of what was never saved", "empty")
    await suite.put("empty", "1")
    await (await suite.take(store, "empty", "1")).done()
  },

  async "what is no id is refused"(suite) {
    await suite.put("A_b-9", "1")
    await suite.put("a".repeat(64), "2")
    const none = ["", ".", "..", "../x", "a/b", "a\\b", "a.b", "a:b", "a{b}", "a*", "a\0", "a\n", "ä", " ", "a".repeat(65), "a".repeat(10 << 20)]
    for (const id of none) {
      for (const [what, work] of Object.entries(steps(suite.store, id))) {
        const { message } = await fails(`${what} of ${JSON.stringify(id.slice(0, 20))}`, work)
        equal(message.includes("1 to 64") && message.length < 200, true, `${what} of ${JSON.stringify(id.slice(0, 20))}: ${message.slice(0, 200)}`)
      }
    }
    await suite.ids("afterwards", {}, ["A_b-9", "a".repeat(64)])
  },

  async "a signal that has aborted keeps everything as it is"(suite) {
    await suite.put("a", "1")
    const lease = await suite.take(suite.store, "a", "1")
    const reason = new (class Gone extends Error {})()
    const waits = { signal: AbortSignal.abort(reason) }
    const all = {
      ...steps(suite.store, "a", waits),
      ...steps(suite.store, "b", waits),
      list: () => first(suite.store.list(waits)),
      watch: () => first(suite.store.watch(waits)),
      save: () => lease.save("2", undefined, waits),
      renew: () => lease.renew(waits),
      done: () => lease.done(waits),
      release: () => lease.release(waits),
    }
    for (const [what, work] of Object.entries(all)) equal((await fails(what, work)) === reason, true, what)
    await lease.release()
    await (await suite.take(suite.store, "a", "1")).done()
  },

  async "what is discarded is gone, unless somebody has it"(suite) {
    const { store } = suite
    await fails("of nothing", () => store.delete("a"), NotFoundError)
    await suite.put("a", "1")
    let lease = await suite.take(store, "a", "1")
    await fails("of what is taken", () => store.delete("a"), TakenError)
    await lease.release()
    await store.delete("a")
    await fails("a second time", () => store.delete("a"), NotFoundError)
    for (const id of ["a1", "a2", "a3"]) await suite.put(id, "1", { principal: "ann" })
    await suite.put("b1", "1", { principal: "bob" })
    await suite.put("n1", "1")
    lease = await suite.take(store, "a2", "1")
    await fails("all of a principal's", () => deleteOf(store, "ann"), TakenError)
    await suite.ids("those left", {}, ["a2", "b1", "n1"])
    await lease.release()
    await deleteOf(store, "ann")
    await deleteOf(store, "nobody that is known")
    await fails("all of nobody's", () => deleteOf(store, ""))
    await suite.ids("those of others", {}, ["b1", "n1"])
  },
}

/** @param {Store} store @param {string} id @param {{signal?: AbortSignal}} [waits] */
function steps(store, id, waits) {
  return { create: () => store.create(id, waits), take: () => store.take(id, waits), delete: () => store.delete(id, waits) }
}

/** @template T @param {AsyncIterable<T>} all */
async function first(all) {
  for await (const one of all) return one
}
