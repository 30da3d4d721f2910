import { NotFoundError, TakenError } from "../errors.js"
import { calls } from "./calls.js"
import { equal, fails, sleep } from "./checks.js"
import { leases } from "./leases.js"
import { lists } from "./lists.js"
import { sealed } from "./sealed.js"

/** @import { About } from "../about.js" */
/** @import { Lease, Store } from "../contract.js" */
/** @import { Parked, Query } from "../query.js" */
/** @import { SealingBox, SealingOptions } from "../sealing.js" */

/**
 * Where the store under test keeps its calls. `open` gives a store of the place,
 * as another process would have it; it watches as closely as it can. A store
 * that seals what it keeps has the other members as well: a new box with a key
 * of its own; what puts garbage in the place of a call's snapshot; what has a
 * call be one of another version's layout.
 *
 * @typedef {object} Place
 * @property {(options: {lease: number, keep?: number} & SealingOptions) => Store | Promise<Store>} open
 * @property {() => SealingBox | Promise<SealingBox>} [box]
 * @property {(box: SealingBox) => unknown} [rotate] gives a box another key, with which it seals, and the one it had still opens
 * @property {(id: string) => unknown} [damage]
 * @property {(id: string) => unknown} [relayout]
 */

/** @typedef {(suite: Suite) => Promise<void>} Part */

/**
 * The tests that every implementation of a Store passes, each in a place of its
 * own. `test` registers one, as that of node:test does. They wait for events, and
 * compare no times: on a slow machine they take longer.
 *
 * @param {(name: string, run: () => Promise<void>) => void} test @param {() => Place | Promise<Place>} newPlace
 * @param {{sealed?: boolean}} [options] sealed: the places have boxes
 */
export function testStore(test, newPlace, { sealed: seals = false } = {}) {
  for (const [name, part] of Object.entries({ ...calls, ...leases, ...lists, ...(seals ? sealed : {}) })) {
    test(name, async () => {
      const place = await newPlace()
      const box = await place.box?.()
      const suite = new Suite(place, box)
      suite.store = await suite.open()
      await part(suite)
    })
  }
}

/** One test, in a place of its own. */
export class Suite {
  /** One whose leases nobody is so slow as to lose. @type {Store} */
  store = /** @type {any} */ (undefined)

  /** @param {Place} place @param {SealingBox} [box] */
  constructor(place, box) {
    this.place = place
    this.box = box
  }

  /** Opens the place with what the options do not say: the box, and leases that last. @param {{lease?: number, keep?: number} & SealingOptions} [options] */
  async open(options = {}) {
    const sealing = options.unsealed || this.box ? { box: options.unsealed ? undefined : this.box } : { unsealed: true }
    return this.place.open({ lease: 3_600_000, ...sealing, ...options })
  }

  /** Keeps a snapshot as a new call or in place of the call's last one. @param {string} id @param {string} snapshot @param {About} [about] */
  async put(id, snapshot, about) {
    let lease
    try {
      lease = await this.store.create(id)
    } catch (error) {
      if (!(error instanceof Error) || error.name !== "ExistsError") throw error
      ;({ lease } = await this.store.take(id))
    }
    await lease.save(snapshot, about)
    await lease.release()
  }

  /** @param {Store} store @param {string} id @param {string} want */
  async take(store, id, want) {
    const { lease, snapshot } = await store.take(id)
    equal(snapshot, want, `take ${id}`)
    return lease
  }

  /** Takes a call as soon as its lease is over. @param {string} id @param {string} want */
  async takeOver(id, want) {
    return this.takenNoMore(() => this.take(this.store, id, want))
  }

  /** Does something as soon as nobody else has the call. @template T @param {() => Promise<T>} work */
  async takenNoMore(work) {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof TakenError)) throw error
        await sleep(1)
      }
    }
  }

  /** @param {Store} store @param {Query} [query] */
  async list(store, query) {
    /** @type {Parked[]} */
    const all = []
    for await (const call of store.list(query)) all.push(call)
    return all
  }

  /** @param {string} what @param {Query} query @param {string[]} want */
  async ids(what, query, want) {
    equal((await this.list(this.store, query)).map(({ id }) => id), want, what)
  }

  /** Checks that a lease is over, whatever is done with it. @param {string} what @param {Lease} lease */
  async ended(what, lease) {
    for (const [name, work] of Object.entries({
      save: () => lease.save("stale", { label: "stale" }),
      renew: () => lease.renew(),
      done: () => lease.done(),
      release: () => lease.release(),
    })) {
      await fails(`${name} ${what}`, work, TakenError)
    }
  }

  /** @param {string} what @param {string} id */
  async missing(what, id) {
    await fails(what, () => this.store.take(id), NotFoundError)
  }
}
