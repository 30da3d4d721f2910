import { Code } from "../../engine/errors.js"
import { NotFoundError, TakenError } from "../errors.js"
import { equal, fails, sleep } from "./checks.js"

/** @import { Part } from "./index.js" */

/** A lease that is over before anybody has done anything with it, in milliseconds. */
const short = 5

/** @type {Record<string, Part>} */
export const leases = {
  async "a holder who is late, and was not missed, goes on"(suite) {
    await suite.put("a", "1")
    const brief = await suite.open({ lease: short })
    let slow = await suite.take(brief, "a", "1")
    equal(slow.term, short, "the term")
    for (const work of [() => slow.renew(), () => slow.save("2"), () => slow.release()]) {
      await sleep(2 * short)
      await work()
    }
    slow = await suite.take(brief, "a", "2")
    await sleep(2 * short)
    equal((await suite.list(suite.store)).map(({ taken }) => taken), [false], "listed as taken")
    await slow.done()
    await suite.ids("done", {}, [])
  },

  async "a lease that is not renewed is taken over, and who held it destroys nothing"(suite) {
    await suite.put("a", "1", { label: "first", principal: "ann" })
    const brief = await suite.open({ lease: short })
    const slow = await suite.take(brief, "a", "1")
    await sleep(2 * short)
    await slow.renew() // nobody took it: late is soon enough
    await sleep(2 * short)
    await slow.save("2")
    const quick = await suite.takeOver("a", "2")
    await suite.ended("of a lost lease", slow)
    await quick.save("3")
    await suite.ended("of a lost lease, saved since", slow)
    await quick.release()
    await suite.ended("of a lost lease, given back since", slow)
    equal((await suite.list(suite.store, { principal: "ann" })).map(({ about }) => about.label), ["first"], "listed")
    await (await suite.take(suite.store, "a", "3")).done()
    await suite.ended("of a call that is done", slow)
    await suite.put("a", "another")
    await suite.ended("of another call with the same id", slow)
    await (await suite.take(suite.store, "a", "another")).done()
    await suite.ids("afterwards", {}, [])

    const unsaved = await brief.create("b")
    const lease = await suite.takenNoMore(() => suite.store.create("b"))
    await suite.ended("of a call that was never saved", unsaved)
    await lease.save("1")
    await lease.done()
  },

  async "keep tells that a lease was lost"(suite) {
    await suite.put("a", "1")
    const slow = await suite.take(await suite.open({ lease: short }), "a", "1")
    const quick = await suite.takeOver("a", "1")
    await fails("keep of a lost lease", () => slow.keep(), TakenError)
    const kept = quick.keep()
    await quick.done()
    await kept
  },

  async "a call whose engine trapped stays as it was saved, and one that failed for good does not"(suite) {
    const failed = { status: /** @type {const} */ ("failed"), detail: "", resumable: false, cause: undefined }
    await suite.put("a", "1")
    await (await suite.take(suite.store, "a", "1")).settle({ ...failed, code: Code.instance })
    await (await suite.take(suite.store, "a", "1")).settle({ ...failed, code: Code.rpc })
    await suite.ids("afterwards", {}, [])
  },

  async "of many who want a call, one gets it"(suite) {
    const stores = [suite.store, await suite.open()]
    for (let round = 0; round < 20; round++) {
      const id = `r${round}`
      await suite.put(id, "1")
      const takers = Array.from({ length: 8 }, async (_, n) => {
        const { lease } = await /** @type {typeof suite.store} */ (stores[n % 2]).take(id)
        await lease.save("2")
      })
      const results = await Promise.allSettled(takers)
      for (const result of results) if (result.status === "rejected" && !(result.reason instanceof TakenError)) throw result.reason
      equal(results.filter(({ status }) => status === "fulfilled").length <= 1, true, `winners of ${id}`)
    }
  },

  async "takers that come and go never hold a call together"(suite) {
    const most = 60
    const big = "x".repeat(16 << 10)
    await suite.put("a", `${big}0`)
    const stores = [suite.store, await suite.open()]
    let [count, held, over] = [0, false, false]
    const taker = async (/** @type {number} */ n) => {
      try {
        while (!over) {
          let taken
          try {
            taken = await /** @type {typeof suite.store} */ (stores[n % 2]).take("a")
          } catch (error) {
            if (!(error instanceof TakenError)) throw error
            await sleep(0)
            continue
          }
          equal([held, taken.snapshot === big + count], [false, true], `one holder of snapshot ${count}`)
          held = true
          if (++count >= most) over = true
          await taken.lease.save(big + count)
          held = false
          await taken.lease.release()
          await sleep(0)
        }
      } finally {
        over = true // one that fails ends it, too
      }
    }
    await Promise.all([0, 1, 2, 3].map(taker))
    equal(count >= most, true, `takes: ${count}`) // some were under way
    await suite.store.delete("a")
  },

  async "a call that is kept no longer is gone"(suite) {
    await suite.put("stays", "1")
    const brief = await suite.open({ keep: 20 })
    const given = (/** @type {Promise<void>} */ released) => released.catch((error) => (error instanceof TakenError ? undefined : Promise.reject(error))) // it has expired since
    for (let i = 0; i < 3; i++) {
      const lease = await brief.create(`goes${i}`)
      await lease.save("1", { principal: "ann" })
      await given(lease.release())
    }
    for (;;) {
      try {
        const { lease } = await brief.take("goes0")
        await given(lease.release())
        await sleep(1)
      } catch (error) {
        if (error instanceof NotFoundError) break
        if (!(error instanceof TakenError)) throw error
      }
    }
    while ((await suite.list(brief, { principal: "ann" })).length) await sleep(1)
    await fails("delete", () => brief.delete("goes1"), NotFoundError)
    await (await brief.create("goes2")).release()
  },
}
