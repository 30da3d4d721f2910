import { Code } from "../engine/errors.js"
import { TakenError } from "./errors.js"

/** @import { Outcome } from "../calls/driver.js" */
/** @import { Entries, Entry, StoreOptions } from "./parking.js" */

/**
 * The right to drive a call of a store, until done or release, or until
 * somebody takes the call over because the lease was not renewed in time; every
 * method then fails with {@link TakenError}.
 */
export class Lease {
  #entries
  #id
  #token
  #term
  #seal
  #unlock
  #over = new AbortController()

  /**
   * @param {Entries} entries
   * @param {string} id
   * @param {string} token
   * @param {number} term in milliseconds
   * @param {NonNullable<StoreOptions["seal"]>} seal
   * @param {() => void} unlock
   */
  constructor(entries, id, token, term, seal, unlock) {
    this.#entries = entries
    this.#id = id
    this.#token = token
    this.#term = term
    this.#seal = seal
    this.#unlock = unlock
  }

  /** Replaces the call's snapshot, all of it or nothing, and renews the lease. @param {string} snapshot */
  async save(snapshot) {
    const sealed = await this.#seal(this.#id, snapshot)
    await this.#change((entry) => ({ ...entry, snapshot: sealed, time: Date.now() }))
  }

  /** Starts the lease over. */
  async renew() {
    await this.#change((entry) => entry)
  }

  /**
   * Renews the lease in time until it or the signal ends. What fails is tried
   * again until the lease's time is over. Fails with {@link TakenError} if the
   * lease was lost, and with why it could not be renewed if its time is over:
   * abort the call then.
   *
   * @param {AbortSignal} [signal]
   */
  async keep(signal) {
    await keepLease(this, this.#term, this.#over.signal, signal)
  }

  /** Deletes the call. The lease ends even if that fails. */
  async done() {
    await this.#last(() => undefined)
  }

  /**
   * Gives the call back with its snapshot; a call that never had a snapshot is
   * deleted. The lease ends even if that fails, because nobody renews it any
   * more.
   */
  async release() {
    await this.#last(({ holder, ...entry }) => (entry.time === undefined ? undefined : entry))
  }

  /**
   * Does what the end of a call requires: keeps its snapshot and gives the call
   * back, or deletes it if there is nothing to resume.
   *
   * @param {Outcome} outcome
   */
  async settle(outcome) {
    await settleLease(this, outcome)
  }

  /** Changes the entry if the lease still stands, and renews it. @param {(entry: Entry) => Entry | undefined} change */
  #change(change) {
    return this.#entries.change(this.#id, (entry) => {
      if (this.#over.signal.aborted || entry?.holder?.token !== this.#token) throw new TakenError()
      return { entry: change({ ...entry, holder: { ...entry.holder, renewed: Date.now() } }), result: undefined }
    })
  }

  /** The last change that this holder makes. @param {(entry: Entry) => Entry | undefined} change */
  async #last(change) {
    try {
      await this.#change(change)
    } finally {
      this.#end()
    }
  }

  #end() {
    this.#over.abort()
    this.#unlock()
  }
}

/**
 * What {@link Lease.keep} does.
 *
 * @param {{renew: () => Promise<void>}} lease @param {number} term in milliseconds
 * @param {AbortSignal} over it has ended @param {AbortSignal} [signal]
 */
export async function keepLease(lease, term, over, signal) {
  let renewed = performance.now() // which no setting of the clock moves
  let wait = term / 3
  while (await pause(wait, over, signal)) {
    const begun = performance.now()
    try {
      await lease.renew()
      renewed = begun
      wait = term / 3
    } catch (error) {
      const left = renewed + term - performance.now()
      if (!over.aborted && (error instanceof TakenError || left <= 0)) throw error
      wait = Math.min(term / 15, left)
    }
  }
}

/**
 * What {@link Lease.settle} does.
 *
 * @param {Pick<Lease, "save" | "release" | "done">} lease @param {Outcome} outcome
 */
export async function settleLease(lease, outcome) {
  if (outcome.status === "done") return lease.done()
  if (outcome.snapshot === undefined) {
    // What trapped may go on from the snapshot that was saved last. Any other failure without one is final.
    return outcome.status === "failed" && outcome.code === Code.instance ? lease.release() : lease.done()
  }
  try {
    await lease.save(outcome.snapshot)
  } finally {
    await lease.release()
  }
}

/**
 * Waits, and tells whether no signal aborted.
 *
 * @param {number} ms @param {...(AbortSignal | undefined)} signals
 * @returns {Promise<boolean>}
 */
export async function pause(ms, ...signals) {
  const aborted = () => signals.some((signal) => signal?.aborted)
  if (aborted()) return false
  let end = () => {}
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  await new Promise((resolve) => {
    end = () => resolve(undefined)
    timer = setTimeout(end, ms)
    for (const signal of signals) signal?.addEventListener("abort", end)
  })
  clearTimeout(timer)
  for (const signal of signals) signal?.removeEventListener("abort", end)
  return !aborted()
}
