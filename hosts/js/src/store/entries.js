import { keepLease, pause, settleLease } from "./lease.js"
import { checkId, defaultKeep, isId } from "./contract.js"
import { LayoutError, UnsealedError } from "./faults.js"
import { follow } from "./follow.js"
import { orderOf, parked, startOf } from "./query.js"
import { heldFor, ParkingStore } from "./parking.js"
import { Sealing } from "./sealing.js"

/** @import { Outcome } from "../calls/driver.js" */
/** @import { Lease as EntryLease } from "./lease.js" */
/** @import { About } from "./about.js" */
/** @import { Lease, Store, Waits } from "./contract.js" */
/** @import { Found } from "./follow.js" */
/** @import { Change, Parked, Place, Query } from "./query.js" */
/** @import { Sealed, SealingOptions } from "./sealing.js" */
/** @import { Entries, Entry } from "./parking.js" */

/**
 * @typedef {object} EntriesOptions
 * @property {number} [lease] how long the holder of a call may go without renewing it, in milliseconds; 90,000 if absent
 * @property {number} [keep] how long a call stays after its last save, in milliseconds; 30 days if absent
 * @property {number} [look] how often a watch looks for what others changed, in milliseconds; 1,000 if absent
 * @property {(id: string, sealed: any) => string | Promise<string>} [open]
 *   opens what a ParkingStore kept with a `seal` of your own. What it kept without one is read if `unsealed`
 * @property {LockManager} [locks] Web Locks, which tell at once that a holder is gone
 */

/** What an entry holds: the layout, and when it was saved, in microseconds. @typedef {Sealed & {v: 1, at: number}} Kept */

/**
 * A {@link Store} over entries. A list reads all of them at once, for it is made
 * for the calls of one person.
 *
 * @implements {Store}
 */
export class EntriesStore {
  #entries
  #parking
  #sealing
  #options
  #last = 0
  #changed = new EventTarget()

  /** @param {Entries} entries @param {EntriesOptions & SealingOptions} options */
  constructor(entries, { lease = 90_000, keep = defaultKeep, look = 1000, open, locks, ...sealing }) {
    this.#entries = entries
    this.#sealing = new Sealing(sealing)
    this.#sealing.check()
    this.#options = { lease, keep, look, open }
    this.#parking = new ParkingStore(entries, { lease, locks })
  }

  /** @param {string} id @param {Waits} [waits] @returns {Promise<Lease>} */
  async create(id, waits) {
    await this.#begin(id, waits)
    return new SealedLease(this.#holder(id), await this.#parking.create(id))
  }

  /** @param {string} id @param {Waits} [waits] @returns {Promise<{lease: Lease, snapshot: string}>} */
  async take(id, waits) {
    await this.#begin(id, waits)
    const { lease, snapshot } = await this.#parking.take(id)
    const kept = /** @type {unknown} */ (snapshot)
    try {
      return { snapshot: await this.#open(id, kept), lease: new SealedLease(this.#holder(id), lease, isKept(kept) ? kept : undefined) }
    } catch (error) {
      await lease.release()
      throw error
    }
  }

  /** @param {string} id @param {Waits} [waits] */
  async delete(id, waits) {
    await this.#begin(id, waits)
    await this.#parking.delete(id)
    this.#tell()
  }

  /** @param {Query} [query] @returns {AsyncGenerator<Parked, void, undefined>} */
  async *list(query = {}) {
    const { newest, limit = 0, signal } = query
    signal?.throwIfAborted()
    const start = startOf(query)
    const order = orderOf(newest)
    const found = [...(await this.#seen(query)).values()].sort((a, b) => order(a.place, b.place))
    let count = 0
    for (const { place, call } of found) {
      if (start && order(place, start) <= 0) continue
      signal?.throwIfAborted()
      yield await call()
      if (++count === limit) return
    }
  }

  /** @param {Query} [query] @returns {AsyncGenerator<Change, void, undefined>} */
  watch(query = {}) {
    const { signal } = query
    let changed = new AbortController()
    const seen = () => {
      const next = (changed = new AbortController())
      this.#changed.addEventListener("change", () => next.abort(), { once: true, signal: next.signal })
      return this.#seen(query)
    }
    return follow(seen, async () => void (await pause(this.#options.look, changed.signal, signal)), signal)
  }

  /** Checks what every step begins with, and forgets a call that has stood for as long as it is kept. @param {string} id @param {Waits} [waits] */
  async #begin(id, { signal } = {}) {
    checkId(id)
    signal?.throwIfAborted()
    await this.#entries.change(id, (entry) => ({ entry: entry && this.#isOver(entry) ? undefined : entry, result: undefined }))
  }

  /** @param {Entry} entry */
  #isOver(entry) {
    return entry.time !== undefined && Date.now() - entry.time >= this.#options.keep && heldFor(entry, none) <= 0
  }

  /** @param {Query} query @returns {Promise<Map<string, Found & {place: Place}>>} */
  async #seen({ principal, prefix = "" }) {
    const tags = principal ? await this.#sealing.tags(principal) : undefined
    const taken = new Map((await this.#parking.list()).map((call) => [call.id, call.taken]))
    /** @type {Map<string, Found & {place: Place}>} */
    const seen = new Map()
    for (const entry of await this.#entries.all()) {
      const { id, snapshot, time } = entry
      const kept = isKept(snapshot) ? snapshot : undefined
      if (time === undefined || this.#isOver(entry) || !isId(id) || !id.startsWith(prefix) || (tags && !tags.includes(kept?.tag ?? ""))) continue
      const place = { at: kept?.at ?? time * 1000, id }
      const number = taken.get(id) ? -place.at : place.at
      seen.set(id, { place, number, call: async () => parked(place, { taken: taken.get(id) ?? false, ...(await this.#about(id, snapshot)) }) })
    }
    return seen
  }

  /** @param {string} id @param {unknown} kept @returns {Promise<{about: About, problem?: unknown}>} */
  async #about(id, kept) {
    if (!isKept(kept)) return isEarlier(kept) ? { about: {} } : { about: {}, problem: new LayoutError() }
    try {
      return { about: await this.#sealing.openAbout(id, kept.about) }
    } catch (problem) {
      return { about: {}, problem }
    }
  }

  /** @param {string} id @param {unknown} kept */
  async #open(id, kept) {
    if (isKept(kept)) return this.#sealing.openSnapshot(id, kept.snapshot)
    if (!isEarlier(kept)) throw new LayoutError()
    if (this.#options.open) return this.#options.open(id, kept)
    if (typeof kept === "string" && this.#sealing.unsealed) return kept
    throw new UnsealedError()
  }

  /** @param {string} id @returns {Holder} */
  #holder(id) {
    return {
      id,
      term: this.#options.lease,
      sealing: this.#sealing,
      now: (after) => (this.#last = Math.max(this.#last + 1, after + 1, Date.now() * 1000)),
      changed: () => this.#tell(),
    }
  }

  #tell() {
    this.#changed.dispatchEvent(new Event("change"))
  }
}

/** @type {Set<string>} */
const none = new Set()

/** What a lease has of its store; `now` is in microseconds, and later than what it is told. @typedef {{id: string, term: number, sealing: Sealing, now: (after: number) => number, changed: () => void}} Holder */

/** A lease that seals what it saves. @implements {Lease} */
class SealedLease {
  #holder
  #lease
  #kept
  #over = new AbortController()

  /** @param {Holder} holder @param {EntryLease} lease @param {Kept} [kept] */
  constructor(holder, lease, kept) {
    this.#holder = holder
    this.#lease = lease
    this.#kept = kept
  }

  /** In milliseconds. */
  get term() {
    return this.#holder.term
  }

  /** @param {string} snapshot @param {About} [about] @param {Waits} [waits] */
  async save(snapshot, about, waits) {
    waits?.signal?.throwIfAborted()
    const { id, sealing, now, changed } = this.#holder
    const sealed = await sealing.seal(id, snapshot, about)
    const before = this.#kept
    /** @type {Kept} */
    const kept = { ...(sealed.about ? sealed : { ...sealed, about: before?.about, tag: before?.tag ?? "" }), v: 1, at: now(before?.at ?? 0) }
    await this.#lease.save(/** @type {any} */ (kept)) // an entry takes whatever can be cloned
    this.#kept = kept
    changed()
  }

  /** @param {Waits} [waits] */
  async renew(waits) {
    waits?.signal?.throwIfAborted()
    await this.#lease.renew()
  }

  /** @param {AbortSignal} [signal] */
  async keep(signal) {
    await keepLease(this, this.term, this.#over.signal, signal)
  }

  /** @param {Waits} [waits] */
  async done(waits) {
    waits?.signal?.throwIfAborted()
    await this.#last(this.#lease.done())
  }

  /** @param {Waits} [waits] */
  async release(waits) {
    waits?.signal?.throwIfAborted()
    await this.#last(this.#lease.release())
  }

  /** @param {Outcome} outcome */
  async settle(outcome) {
    await settleLease(this, outcome)
  }

  /** @param {Promise<void>} ending */
  async #last(ending) {
    try {
      await ending
    } finally {
      this.#over.abort()
      this.#holder.changed()
    }
  }
}

/** @param {unknown} value @returns {value is Kept} */
function isKept(value) {
  const kept = /** @type {Partial<Kept> | undefined} */ (value)
  return kept?.v === 1 && Number.isSafeInteger(kept.at) && kept.snapshot instanceof Uint8Array
}

/** Whether a ParkingStore kept it, and no layout of a later version. @param {unknown} value */
function isEarlier(value) {
  return typeof value !== "object" || value === null || !("v" in value)
}
