import { deleteOf } from "../contract.js"
import { NotFoundError, TakenError } from "../errors.js"
import { LayoutError, NoBoxError, UnsealedError } from "../faults.js"
import { equal, fails } from "./checks.js"

/** @import { Part, Place } from "./index.js" */

/** @param {Place} place @returns {Required<Place>} */
const whole = (place) => /** @type {Required<Place>} */ (place)

/** @type {Record<string, Part>} */
export const sealed = {
  async "without a box nothing is opened, unless that is what is wanted"(suite) {
    await suite.put("a", "1")
    await fails("open", async () => suite.place.open({ lease: 1000 }), NoBoxError)
    const open = await suite.open({ unsealed: true })
    const lease = await open.create("open")
    await lease.save("{}", { principal: "ann", label: "x" })
    await lease.release()
    equal((await suite.list(open, { principal: "ann" })).map(({ about }) => about.label), ["x"], "listed")
    await (await suite.take(open, "open", "{}")).done()
    await (await suite.take(suite.store, "a", "1")).done()
  },

  async "who has another key sees that there are calls, and neither opens nor harms one"(suite) {
    await suite.put("a", "1", { principal: "ann", label: "secret" })
    const other = await suite.open({ box: await whole(suite.place).box() })
    await fails("take", () => other.take("a"))
    const listed = await suite.list(other)
    equal(listed.map(({ id, taken, about, problem }) => [id, taken, about, problem instanceof Error]), [["a", false, {}, true]], "listed")
    equal(await suite.list(other, { principal: "ann" }), [], "by principal")
    await (await suite.take(suite.store, "a", "1")).release()
    await other.delete("a")
  },

  async "after a rotation, calls are found that were saved under either key"(suite) {
    const ann = { principal: "ann", label: "x" }
    await suite.put("before", "1", ann)
    await suite.put("again", "1", ann)
    if (suite.box) await whole(suite.place).rotate(suite.box)
    await suite.put("after", "1", ann)
    await suite.put("again", "2", ann)
    await suite.ids("ann's", { principal: "ann" }, ["before", "after", "again"])
    await suite.ids("ann's newest", { principal: "ann", newest: true, limit: 2 }, ["again", "after"])
    await (await suite.take(suite.store, "before", "1")).done()
    await deleteOf(suite.store, "ann")
    await suite.ids("everybody's", {}, [])
  },

  async "a call that holds garbage is listed and can be discarded"(suite) {
    await suite.put("good", "1")
    await suite.put("bad", "1")
    await whole(suite.place).damage("bad")
    for (let i = 0; i < 2; i++) {
      const error = await fails("take", () => suite.store.take("bad"))
      equal(error instanceof TakenError || error instanceof NotFoundError, false, `take: ${error}`) // it is not left taken
    }
    equal((await suite.list(suite.store)).length, 2, "listed")
    await (await suite.take(suite.store, "good", "1")).done()
    await suite.store.delete("bad")
  },

  async "a call of another version's layout is left as it is"(suite) {
    await suite.put("good", "1")
    await suite.put("later", "1")
    await whole(suite.place).relayout("later")
    await fails("take", () => suite.store.take("later"), LayoutError)
    await (await suite.take(suite.store, "good", "1")).done()
    const listed = await suite.list(suite.store)
    equal(listed.map(({ id, taken, problem }) => [id, taken, problem instanceof LayoutError]), [["later", false, true]], "listed")
  },

  async "what was saved before there was a box is refused, until it is wanted"(suite) {
    const open = await suite.open({ unsealed: true })
    let lease = await open.create("old")
    await lease.save('{"old":true}', { label: "x" })
    await lease.release()
    await fails("take", () => suite.store.take("old"), UnsealedError)
    lease = await suite.take(await suite.place.open({ lease: 3_600_000, box: suite.box, unsealed: true }), "old", '{"old":true}')
    await lease.save('{"old":false}', { label: "x" })
    await lease.release()
    await (await suite.take(suite.store, "old", '{"old":false}')).done()
  },
}
