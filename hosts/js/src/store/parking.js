import { Lease } from "./lease.js"
import { ExistsError, NotFoundError, TakenError } from "./errors.js"

/**
 * A call as it is kept. One without a snapshot is being made.
 *
 * @typedef {object} Entry
 * @property {string} id
 * @property {unknown} [snapshot] as sealed
 * @property {number} [time] of the snapshot, Unix time in milliseconds
 * @property {Holder} [holder] who has the call, or had it and did not give it back
 */

/**
 * @typedef {object} Holder
 * @property {string} token tells this holder from every other
 * @property {number} renewed Unix time in milliseconds
 * @property {number} lease how long it may go without renewing, in milliseconds
 * @property {boolean} locked it holds a Web Lock while it lives
 */

/**
 * Where entries are kept. `change` reads an entry and writes what it becomes,
 * or deletes it if that is undefined, with nobody in between; if the function
 * throws, nothing happens.
 *
 * @typedef {object} Entries
 * @property {() => Promise<Entry[]>} all
 * @property {<T>(id: string, change: (entry: Entry | undefined) => {entry: Entry | undefined, result: T}) => Promise<T>} change
 */

/**
 * @typedef {object} StoreOptions
 * @property {number} [lease] how long the holder of a call may go without renewing it, in milliseconds; 90,000 if absent
 * @property {(id: string, snapshot: string) => unknown} [seal]
 *   encrypts a snapshot, which holds a secret, on its way into the store; what
 *   it returns must be cloneable. Binding the id keeps one call from being
 *   passed off as another
 * @property {(id: string, sealed: any) => string | Promise<string>} [open] undoes seal
 * @property {LockManager} [locks] Web Locks, which tell at once that a holder is gone
 */

/** A call in a store. Only taking it shows whether its snapshot can be used. @typedef {{id: string, time: number, taken: boolean}} Parked */

// Chromium lets the timers of a page that was hidden for long run once a
// minute: a lease must outlive that.
const defaultLease = 90_000

/**
 * Keeps parked calls. Whoever drives a call holds a {@link Lease} on it;
 * pages and workers may share the entries. An id is 1 to 64 of A-Z a-z 0-9 _
 * and -; {@link newId} makes one.
 */
export class ParkingStore {
  #entries
  #options

  /** @param {Entries} entries @param {StoreOptions} [options] */
  constructor(entries, options = {}) {
    this.#entries = entries
    this.#options = options
  }

  /** The calls, those with the oldest snapshot first. @returns {Promise<Parked[]>} */
  async list() {
    const entries = await this.#entries.all()
    const dead = await this.#dead(entries)
    return entries
      .filter(({ time }) => time !== undefined)
      .map((entry) => ({ id: entry.id, time: entry.time ?? 0, taken: heldFor(entry, dead) > 0 }))
      .sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1))
  }

  /**
   * Keeps a snapshot as a new call or in place of the call's last one. Fails
   * with {@link TakenError} while somebody has the call.
   *
   * @param {string} id @param {string} snapshot
   */
  async put(id, snapshot) {
    const { lease } = await this.#acquire(id)
    await after(lease.save(snapshot), () => lease.release())
  }

  /**
   * Holds a new call before its first snapshot, so that nobody takes it while
   * it runs; it is listed from its first save on. Fails with an {@link ExistsError}
   * if the id is in use.
   *
   * @param {string} id
   */
  async create(id) {
    await this.#sweep()
    const { lease } = await this.#acquire(id, (entry) => {
      if (entry?.time !== undefined) throw new ExistsError()
    })
    return lease
  }

  /**
   * A call's snapshot and the right to drive it, which nobody else has.
   * Fails with {@link TakenError} or {@link NotFoundError}, and with what open
   * says.
   *
   * @param {string} id
   * @returns {Promise<{lease: Lease, snapshot: string}>}
   */
  async take(id) {
    const { lease, entry } = await this.#acquire(id, exists)
    const { open = (_, snapshot) => snapshot } = this.#options
    try {
      return { lease, snapshot: await open(id, entry.snapshot) }
    } catch (error) {
      await lease.release()
      throw error
    }
  }

  /** Discards a call. Fails with {@link TakenError} or {@link NotFoundError}. @param {string} id */
  async delete(id) {
    const { lease } = await this.#acquire(id, exists)
    await lease.done()
  }

  /**
   * Takes a call if nobody has it. `check` may object to what is there.
   *
   * @param {string} id @param {(entry: Entry | undefined) => void} [check]
   */
  async #acquire(id, check) {
    if (!/^[\w-]{1,64}$/.test(id)) throw new TypeError("parley: the id of a call is 1 to 64 of A-Z a-z 0-9 _ -")
    const { lease: term = defaultLease, seal = (_, snapshot) => snapshot, locks } = this.#options
    const token = newId()
    const unlock = await hold(locks, token)
    try {
      const dead = await this.#dead([await this.#entries.change(id, (entry) => ({ entry, result: entry }))])
      const entry = await this.#entries.change(id, (old) => {
        const left = heldFor(old, dead)
        if (left > 0) throw new TakenError(left)
        check?.(old)
        const entry = { ...old, id, holder: { token, renewed: Date.now(), lease: term, locked: locks !== undefined } }
        return { entry, result: entry }
      })
      return { lease: new Lease(this.#entries, id, token, term, seal, unlock), entry }
    } catch (error) {
      unlock()
      throw error
    }
  }

  /** Removes what is left of calls that died between create and their first save. */
  async #sweep() {
    const unborn = (await this.#entries.all()).filter(({ time }) => time === undefined)
    const dead = await this.#dead(unborn)
    for (const { id } of unborn) {
      await this.#entries.change(id, (entry) => ({ entry: entry?.time !== undefined || heldFor(entry, dead) > 0 ? entry : undefined, result: undefined }))
    }
  }

  /**
   * The tokens of holders that Web Locks know to be gone. Read the entries
   * first, so that nobody who came in the meantime is missed.
   *
   * @param {(Entry | undefined)[]} entries
   */
  async #dead(entries) {
    const locked = entries.flatMap((entry) => (entry?.holder?.locked ? [entry.holder.token] : []))
    if (!locked.length || !this.#options.locks) return new Set()
    const { held = [] } = await this.#options.locks.query()
    return new Set(locked.filter((token) => !held.some(({ name }) => name === lockName(token))))
  }
}

/** A new random id of 26 characters. */
export function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(26)), (byte) => "abcdefghijklmnopqrstuvwxyz234567"[byte & 31]).join("")
}

/** @param {Entry | undefined} entry */
function exists(entry) {
  if (entry?.time === undefined) throw new NotFoundError()
}

/**
 * How long an entry's holder still has it, in milliseconds. A time far in the
 * future was written before the clock was set back.
 *
 * @param {Entry | undefined} entry @param {Set<string>} dead
 */
export function heldFor(entry, dead) {
  if (!entry?.holder || dead.has(entry.holder.token)) return 0
  const { renewed, lease } = entry.holder
  return lease - Math.abs(Date.now() - renewed)
}

/** Holds a Web Lock until the returned function is called, or the page is gone. @param {LockManager | undefined} locks @param {string} token @returns {Promise<() => void>} */
async function hold(locks, token) {
  if (!locks) return () => {}
  return new Promise((held, failed) => {
    locks.request(lockName(token), () => new Promise((release) => held(() => release(undefined)))).catch(failed)
  })
}

/** @param {string} token */
function lockName(token) {
  return `parley ${token}`
}

/** Waits for work, then does the rest even if it failed. @param {Promise<unknown>} work @param {() => Promise<unknown>} rest */
async function after(work, rest) {
  try {
    await work
  } finally {
    await rest()
  }
}
