import { maxAbout } from "../about.js"
import { equal, fails } from "./checks.js"

/** @import { About } from "../about.js" */
/** @import { Change, Query } from "../query.js" */
/** @import { Part, Suite } from "./index.js" */

/** @type {Record<string, Part>} */
export const lists = {
  async "what is said about a call is listed, and stays until something else is said"(suite) {
    /** @type {About} */
    const first = {
      principal: "ann", peer: "https://example.com/mcp", label: "the desk", method: "tools/call", name: "x", title: 'An "x"', questions: 2,
      titles: ["Who?", '\0"ä<'], task: "working", inDoubt: true, over: true,
    }
    const second = { principal: "bob", label: "another" }
    const said = async (/** @type {string} */ what, /** @type {About} */ want) => {
      const listed = await suite.list(await suite.open())
      equal(listed.map(({ about, problem }) => [about, problem]), [[want, undefined]], what)
    }
    let lease = await suite.store.create("a")
    await lease.save("1")
    await said("nothing said", {})
    await lease.save("2", first)
    await said("said", first)
    await lease.save("3", {})
    await said("nothing said since", first)
    await lease.release()
    lease = await suite.take(suite.store, "a", "3")
    await lease.save("4")
    await said("nothing said by the next", first)
    await suite.ids("ann's", { principal: "ann" }, ["a"])
    await lease.save("5", second)
    await said("said anew", second)
    await suite.ids("ann's, who is not meant any more", { principal: "ann" }, [])
    await suite.ids("bob's", { principal: "bob" }, ["a"])
    await fails("what is too long", () => lease.save("6", { label: "x".repeat(maxAbout) }))
    await said("said too much", second)
    await lease.release()
    await (await suite.take(suite.store, "a", "5")).done()
    await suite.ids("bob's, which is done", { principal: "bob" }, [])
  },

  async "lists are in the order of the last saves"(suite) {
    for (const id of ["b", "ab1", "c", "ab2"]) await suite.put(id, "1")
    await suite.put("b", "2")
    await suite.ids("oldest first", {}, ["ab1", "c", "ab2", "b"])
    const times = (await suite.list(suite.store)).map(({ time }) => time)
    equal(times, [...times].sort((a, b) => a - b), "times")
    await suite.ids("newest first", { newest: true }, ["b", "ab2", "c", "ab1"])
    await suite.ids("by prefix", { prefix: "ab" }, ["ab1", "ab2"])
    await suite.ids("by prefix, one", { prefix: "ab", limit: 1 }, ["ab1"])
    for await (const { id } of suite.store.list()) {
      equal(id, "ab1", "the first")
      break
    }
  },

  async "pages join without a gap, both ways"(suite) {
    const want = Array.from({ length: 25 }, (_, i) => `call${i}`)
    for (const id of want) await suite.put(id, "1", { principal: "ann" })
    /** @type {(Query & {limit: number})[]} */
    const queries = [{ limit: 4 }, { limit: 25 }, { limit: 4, newest: true }, { limit: 1, principal: "ann" }, { limit: 7, newest: true, principal: "ann" }]
    for (const query of queries) {
      /** @type {string[]} */
      const all = []
      let after = ""
      for (;;) {
        const page = await suite.list(suite.store, { ...query, after })
        all.push(...page.map(({ id }) => id))
        if (page.length < query.limit || all.length > want.length) break
        after = page.at(-1)?.cursor ?? ""
      }
      equal(all, query.newest ? [...want].reverse() : want, JSON.stringify(query))
    }
    for (const after of ["x", "1", "-1.a", "1.", "1.a/b", "99999999999999999999.a"]) await fails(`the cursor ${after}`, () => suite.list(suite.store, { after }))
  },

  async "a principal's calls are listed, and nobody else's"(suite) {
    const names = ["ann", "Ann", "ann ", "ann\0", "*", "", "ännchen/../ann"]
    for (const [i, principal] of names.entries()) await suite.put(`call${i}`, "1", { principal, label: "x" })
    for (const [i, principal] of names.entries()) if (principal) await suite.ids(`those of ${JSON.stringify(principal)}`, { principal }, [`call${i}`])
    await suite.ids("a stranger's", { principal: "bob" }, [])
    equal((await suite.list(suite.store)).length, names.length, "everybody's")
  },

  async "a watch tells what is there, then what changes"(suite) {
    await suite.put("a", "1", { label: "first" })
    const { until, stop } = watch(suite, {})
    await until("what is there", (c) => c.id === "a" && !c.gone && c.about.label === "first")
    await suite.put("b", "1", { label: "new" })
    await until("a new call", (c) => c.id === "b" && !c.gone && c.about.label === "new")
    await suite.put("a", "2", { label: "second" })
    await until("one that was saved", (c) => c.id === "a" && !c.gone && c.about.label === "second")
    await (await suite.take(suite.store, "b", "1")).done()
    await until("one that is done", (c) => c.id === "b" && c.gone === true)
    await suite.store.delete("a")
    await until("one that was discarded", (c) => c.id === "a" && c.gone === true)
    const over = new Error("over")
    stop(over)
    equal((await fails("the end", () => until("anything", () => false))) === over, true, "why it ended")
  },

  async "a watch of one principal's calls tells nobody else's"(suite) {
    await suite.put("a", "1", { principal: "ann" })
    await suite.put("b", "1", { principal: "bob" })
    const { until, stop } = watch(suite, { principal: "ann" })
    const anns = (/** @type {string} */ id, /** @type {boolean} */ gone) => (/** @type {Change} */ change) => {
      if (change.id === "b" || change.id === "b2") throw new Error(`told of ${change.id}`)
      return change.id === id && (change.gone ?? false) === gone
    }
    await until("what is there", anns("a", false))
    await suite.put("b2", "1", { principal: "bob" })
    await suite.put("a2", "1", { principal: "ann" })
    await until("a new call", anns("a2", false))
    await suite.store.delete("b")
    await suite.store.delete("a")
    await until("one that was discarded", anns("a", true))
    stop(new Error("over"))
    await fails("the end", () => until("anything", () => false))
  },
}

/** @param {Suite} suite @param {Query} query */
function watch(suite, query) {
  const controller = new AbortController()
  const changes = suite.store.watch({ ...query, signal: controller.signal })[Symbol.asyncIterator]()
  return {
    /** Waits for a change. @param {string} what @param {(change: Change) => boolean} is */
    async until(what, is) {
      for (;;) {
        const { value, done } = await changes.next()
        if (done) throw new Error(`${what} was not told`)
        if (is(value)) return
      }
    },
    stop: (/** @type {Error} */ reason) => controller.abort(reason),
  }
}
