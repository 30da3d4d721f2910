import { Code, newId, NotFoundError, ParkingStore, PARK, TakenError } from "../../dist/index.js"
import { MemoryEntries } from "../../dist/store/memory.js"
import { IndexedDBEntries } from "../../dist/store/indexeddb.js"
import { testStore } from "../../dist/store/kit/index.js"
import { EntriesStore, LayoutError, UnsealedError } from "../../dist/store/index.js"
import { contains, equal, ok, thrown } from "../assert.js"
import { call, deferred, done, failed, Host, oneAsk, resume, script, sleep, threeAsk, until } from "../peer.js"

/** @import { EntriesOptions } from "../../dist/store/entries.js" */
/** @import { SealingOptions } from "../../dist/store/sealing.js" */
/** @import { Entries, StoreOptions } from "../../dist/store/parking.js" */
/** @import { Env } from "../suite.js" */

/** Parking stores, over whatever entries the platform has. @param {Env} env */
export default function stores({ test, load }) {
  /** @type {Record<string, () => Entries>} */
  const makes = { memory: () => new MemoryEntries() }
  if (globalThis.indexedDB) makes.indexedDB = () => new IndexedDBEntries(`parley-test-${newId()}`)
  for (const [name, make] of Object.entries(makes)) {
    holding((what, run) => test(`store in ${name}: ${what}`, run), make)
    driving((what, run) => test(`store in ${name}: ${what}`, run), make, load)
    earlier((what, run) => test(`store in ${name}: ${what}`, run), make)
    const places = () => {
      const entries = make()
      return { open: (/** @type {EntriesOptions & SealingOptions} */ options) => new EntriesStore(entries, { look: 5, ...options }) }
    }
    testStore((what, run) => test(`shared store in ${name}: ${what}`, run), places)
  }
}

/** @returns {never} */
function no() {
  throw new Error("no room")
}

/** Writes another time into a lease, instead of waiting for it. @param {Entries} entries @param {string} id @param {{lease?: number, renewed?: number}} times */
function alter(entries, id, times) {
  return entries.change(id, (entry) => ({ entry: entry && { ...entry, holder: entry.holder && { ...entry.holder, ...times } }, result: undefined }))
}

/** @param {() => unknown} call @param {string} what */
async function taken(call, what) {
  ok((await thrown(call, what)) instanceof TakenError, what)
}

/** Who has a call, and who does not. @param {Env["test"]} test @param {() => Entries} make */
function holding(test, make) {
  test("list, put, take, delete", async () => {
    const store = new ParkingStore(make())
    equal(await store.list(), [])
    for (const call of [() => store.take("a"), () => store.delete("a")]) ok((await thrown(call, "no such call")) instanceof NotFoundError, "a NotFoundError")
    await store.put("b", "1")
    await sleep(3)
    await store.put("a", "1")
    equal((await store.list()).map(({ id, taken }) => [id, taken]), [["b", false], ["a", false]])
    await sleep(3)
    await store.put("b", "2")
    const { lease, snapshot } = await store.take("b")
    equal(snapshot, "2")
    equal((await store.list()).map(({ id, taken }) => [id, taken]), [["a", false], ["b", true]])
    await taken(() => store.take("b"), "second take")
    await taken(() => store.put("b", ""), "put")
    await taken(() => store.delete("b"), "delete")
    await taken(() => store.create("b"), "create")
    contains((await thrown(() => store.create("a"), "create of what is there")).message, "already")

    await lease.save("3")
    await lease.save("4")
    await lease.renew()
    await lease.release()
    await taken(() => lease.save("5"), "save after release")
    await taken(() => lease.release(), "second release")
    const again = await store.take("b")
    equal(again.snapshot, "4")
    await again.lease.done()
    await store.delete("a")
    equal(await store.list(), [])
  })

  test("a call is held from its creation, and listed from its first save", async () => {
    const store = new ParkingStore(make())
    const lease = await store.create("new")
    await taken(() => store.create("new"), "second create")
    await taken(() => store.take("new"), "take before the first save")
    equal(await store.list(), [])
    await lease.save("1")
    equal((await store.list()).map(({ taken }) => taken), [true])
    await lease.done()
    await taken(() => lease.save("2"), "save after done")
    await (await store.create("empty")).release()
    equal(await store.list(), [])
  })

  test("only one of many takers gets a call", async () => {
    const entries = make()
    const store = new ParkingStore(entries)
    await store.put("a", "0")
    let count = 0
    let holders = 0
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const own = new ParkingStore(entries)
        for (let i = 0; i < 10; i++) {
          try {
            const { lease, snapshot } = await own.take("a")
            equal([++holders, snapshot], [1, String(count++)])
            await sleep(0)
            await lease.save(String(count))
            holders--
            await lease.release()
          } catch (error) {
            if (!(error instanceof TakenError)) throw error
          }
          await sleep(0)
        }
      }),
    )
    ok(count > 0, "takes")
    equal((await store.take("a")).snapshot, String(count))
  })

  test("a lease that is not renewed is taken over, and who held it learns of it", async () => {
    const entries = make()
    const store = new ParkingStore(entries)
    await store.put("a", "1")
    const slow = (await new ParkingStore(entries, { lease: 300 }).take("a")).lease
    const lease = 600_000
    await alter(entries, "a", { lease })
    await slow.save("2")
    const left = (await thrown(() => store.take("a"), "take of a held call")).left
    ok(left > 0 && left <= lease, "what is left of the lease")
    await alter(entries, "a", { renewed: Date.now() - lease })
    await slow.renew() // nobody took it: late is soon enough
    await taken(() => store.take("a"), "take of a renewed lease")
    await alter(entries, "a", { renewed: Date.now() - lease })
    equal((await store.list()).map(({ taken }) => taken), [false])
    const quick = await store.take("a")
    equal(quick.snapshot, "2")
    for (const call of [() => slow.save("stale"), () => slow.renew(), () => slow.keep(), () => slow.done(), () => slow.release()]) await taken(call, "a lost lease")
    await quick.lease.save("3")
    await quick.lease.done()
    await taken(() => slow.save("stale"), "save of a call that is done")
    await store.put("a", "another")
    await taken(() => slow.save("stale"), "save of another call with the same id")
    equal((await store.take("a")).snapshot, "another")
  })

  test("keep renews a lease while it lasts", async () => {
    const entries = make()
    const store = new ParkingStore(entries)
    await store.put("a", "1")
    const { lease } = await new ParkingStore(entries, { lease: 300 }).take("a")
    const renewed = async () => (await entries.all())[0]?.holder?.renewed ?? 0
    const begun = await renewed()
    const controller = new AbortController()
    const kept = lease.keep(controller.signal)
    await until(async () => (await renewed()) > begun + 300, "a lease that is kept beyond its end")
    controller.abort()
    await kept
    const keptToTheEnd = lease.keep()
    await lease.done()
    await keptToTheEnd
  })

  test("keep tries again what fails, until the lease's time is over", async () => {
    const entries = make()
    let failures = 0
    const failing = new ParkingStore({ all: () => entries.all(), change: async (id, change) => (failures-- > 0 ? no() : entries.change(id, change)) }, { lease: 900 })
    await failing.put("a", "1")
    const { lease } = await failing.take("a")
    failures = 2
    const controller = new AbortController()
    const kept = lease.keep(controller.signal)
    await until(async () => failures < 0, "a renewal after two that failed")
    await taken(() => failing.take("a"), "take of a lease that is kept")
    controller.abort()
    await kept

    const begun = performance.now()
    failures = Infinity
    contains((await thrown(() => lease.keep(), "keep of a lease that cannot be renewed")).message, "no room")
    ok(performance.now() - begun >= 900, "it lasted its time")
    failures = 0
    await lease.save("2") // nobody took it: late is soon enough
    await lease.done()
  })

  test("a call that cannot be saved in the end is given back as it was", async () => {
    const entries = make()
    const store = new ParkingStore(entries)
    await store.put("a", "1")
    const seal = (/** @type {string} */ _, /** @type {string} */ snapshot) => (snapshot === "2" ? Promise.reject(new Error("quota exceeded")) : snapshot)
    const { lease } = await new ParkingStore(entries, { lease: 300, seal }).take("a")
    const controller = new AbortController()
    const kept = lease.keep(controller.signal)
    try {
      contains((await thrown(() => lease.settle({ status: "parked", snapshot: "2" }), "settle")).message, "quota exceeded")
      equal((await store.take("a")).snapshot, "1")
    } finally {
      controller.abort()
      await kept
    }
  })

  test("a lease that is lost, or cannot be given back, gives its Web Lock back", async () => {
    const held = new Set()
    const locks = /** @type {LockManager} */ ({
      async request(/** @type {string} */ name, /** @type {any} */ work) {
        held.add(name)
        await work()
        held.delete(name)
      },
      query: async () => ({ held: [...held].map((name) => ({ name })) }),
    })
    const entries = make()
    const store = new ParkingStore(entries, { locks })
    for (const end of ["release", "done"]) {
      const lease = await store.create("a")
      await entries.change("a", () => ({ entry: undefined, result: undefined }))
      await taken(() => (end === "done" ? lease.done() : lease.release()), `${end} of a lost lease`)
      await sleep(0)
      equal(held.size, 0, `locks after ${end}`)
    }
    const full = new ParkingStore({ all: () => entries.all(), change: (id, change) => entries.change(id, (entry) => (entry?.holder ? no() : change(entry))) }, { locks })
    const lease = await full.create("b")
    contains((await thrown(() => lease.release(), "release")).message, "no room")
    await sleep(0)
    equal(held.size, 0, "locks after a failed release")
    await (await store.create("b")).done() // the holder is known to be gone
  })

  test("what died before its first save is swept", async () => {
    const entries = make()
    await new ParkingStore(entries, { lease: 5 }).create("dead")
    await sleep(10)
    const store = new ParkingStore(entries)
    await store.create("new")
    equal((await entries.all()).map(({ id }) => id), ["new"])
  })

  test("snapshots are sealed with their id", async () => {
    const entries = make()
    /** @type {StoreOptions} */
    const options = {
      seal: async (id, snapshot) => ({ id, hidden: [...snapshot].reverse().join("") }),
      open: async (id, sealed) => {
        if (sealed.id !== id) throw new Error("not sealed for this call")
        return [...sealed.hidden].reverse().join("")
      },
    }
    const store = new ParkingStore(entries, options)
    await store.put("a", "secret")
    const [entry] = await entries.all()
    ok(entry && !JSON.stringify(entry).includes("secret"), "nothing of the snapshot in the entries")
    equal((await store.take("a")).snapshot, "secret")
    await entries.change("b", () => ({ entry: { ...entry, id: "b", time: 1 }, result: undefined }))
    contains((await thrown(() => store.take("b"), "another call's snapshot")).message, "not sealed for this call")
    await store.delete("b") // it was not left taken
    const keyless = new ParkingStore(entries, { ...options, seal: () => Promise.reject(new Error("no key")) })
    contains((await thrown(() => keyless.put("c", "x"), "put without a key")).message, "no key")
    equal((await entries.all()).map(({ id }) => id), ["a"])
  })

  test("ids are checked, and new ones are", async () => {
    const store = new ParkingStore(make())
    for (const id of ["", ".", "../x", "a/b", "a.b", "ä", " ", "a".repeat(65)]) {
      for (const call of [() => store.create(id), () => store.take(id), () => store.put(id, ""), () => store.delete(id)]) {
        ok((await thrown(call, `id ${id}`)) instanceof TypeError, `id ${id}`)
      }
    }
    await store.put("A_b-9", "")
    const ids = new Set(Array.from({ length: 100 }, newId))
    ok(ids.size === 100 && [...ids].every((id) => /^[a-z2-7]{26}$/.test(id)), "new ids")
  })

  // Web Locks tell that a page is gone before its lease ends.
  if (globalThis.navigator?.locks) {
    test("a holder that is gone is noticed at once", async () => {
      const { locks } = globalThis.navigator
      const entries = make()
      const store = new ParkingStore(entries, { locks })
      await store.put("a", "1")
      const { lease } = await store.take("a")
      await taken(() => store.take("a"), "take of a call whose holder lives")
      await entries.change("a", (entry) => ({ entry: entry && { ...entry, holder: entry.holder && { ...entry.holder, token: "gone" } }, result: undefined }))
      equal((await store.list()).map(({ taken }) => taken), [false])
      equal((await store.take("a")).snapshot, "1")
      await taken(() => lease.renew(), "renew of a lost lease")
    })
  }
}

/** Calls that are kept in a store while they run. @param {Env["test"]} test @param {() => Entries} make @param {Env["load"]} load */
function driving(test, make, load) {
  test("a call is parked here and finished elsewhere", async () => {
    const [from, to] = [await load(), await load()]
    const entries = make()
    const host = new Host()
    const id = newId()
    const lease = await new ParkingStore(entries).create(id)
    const callbacks = host.callbacks(script(threeAsk, done))
    const save = (/** @type {string} */ snapshot) => lease.save(snapshot)
    await lease.settle(await call(from, "tools/call", "{}", { ...callbacks, save, sample: () => PARK }, { id }))

    const store = new ParkingStore(entries)
    equal((await store.list()).map(({ id, taken }) => [id, taken]), [[id, false]])
    const second = await store.take(id)
    await second.lease.settle(await resume(to, second.snapshot, { ...callbacks, save: (snapshot) => second.lease.save(snapshot) }))
    equal(host.take(), "send 1, ask a, ask b, ask c, send 2")
    equal(await store.list(), [])
    equal([from.live, to.live], [0, 0])
  })

  test("a call whose lease was lost stops before it sends anything more", async () => {
    const engine = await load()
    const entries = make()
    const host = new Host()
    const lease = await new ParkingStore(entries, { lease: 20 }).create("a")
    const asked = deferred()
    const outcome = failed(
      await call(engine, "tools/call", "{}", {
        ...host.callbacks(script(oneAsk, done)),
        save: (snapshot) => lease.save(snapshot),
        elicit: async () => {
          await sleep(30)
          await new ParkingStore(entries).take("a")
          asked.resolve()
          return { action: "decline" }
        },
      }),
    )
    await asked.promise
    equal([outcome.code, outcome.cause instanceof TakenError, host.take()], [Code.save, true, "send 1"])
  })
}

/** What a ParkingStore has kept, in a store that says more of its calls. @param {Env["test"]} test @param {() => Entries} make */
function earlier(test, make) {
  test("what was kept before goes on, or is refused", async () => {
    const entries = make()
    const box = { seal: (/** @type {Uint8Array} */ text) => text.map((byte) => byte ^ 0xff), open: (/** @type {Uint8Array} */ text) => text.map((byte) => byte ^ 0xff) }
    await new ParkingStore(entries).put("plain", "1")
    await new ParkingStore(entries, { seal: (_, snapshot) => [snapshot] }).put("own", "2")
    const store = new EntriesStore(entries, { box })
    for (const id of ["plain", "own"]) ok((await thrown(() => store.take(id), id)) instanceof UnsealedError, "an UnsealedError")
    const listed = []
    for await (const { id, taken, problem } of store.list()) listed.push([id, taken, problem])
    equal(listed.sort(), [["own", false, undefined], ["plain", false, undefined]])

    const reading = new EntriesStore(entries, { box, unsealed: true })
    const plain = await reading.take("plain")
    equal(plain.snapshot, "1")
    await plain.lease.save("3", { label: "x" })
    await plain.lease.release()
    equal((await store.take("plain")).snapshot, "3")
    ok((await thrown(() => reading.take("own"), "own")) instanceof UnsealedError, "an UnsealedError")
    const own = await new EntriesStore(entries, { box, open: (_, [snapshot]) => snapshot }).take("own")
    equal(own.snapshot, "2")
    await own.lease.settle({ status: "done", result: "" })
    ok((await thrown(() => store.take("own"), "done")) instanceof NotFoundError, "a NotFoundError")

    await new ParkingStore(entries, { seal: () => ({ v: 2 }) }).put("later", "4")
    ok((await thrown(() => store.take("later"), "later")) instanceof LayoutError, "a LayoutError")
  })
}
