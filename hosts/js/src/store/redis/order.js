import { TakenError } from "../errors.js"
import { UnsureError } from "../faults.js"
import { newId } from "../parking.js"

/**
 * The order of a lease's steps at a server. They are made one after the other,
 * each under a number and a random id of its own, by which the server knows one
 * that comes again, and one that comes late. A step that was begun does not end
 * with its signal, but in a time of its own.
 */
export class Order {
  #number = 0
  /** Whether the lease has ended, or may have. @type {"" | "ending" | "lost" | "over"} */
  #end = ""
  #over = new AbortController()
  /** One step after the other. @type {Promise<unknown>} */
  #turn = Promise.resolve()

  /** Aborts when the holder has ended the lease. */
  get over() {
    return this.#over.signal
  }

  /** Makes a step that others may follow. @param {(number: string, id: string) => Promise<unknown>} work @param {AbortSignal} [signal] */
  async step(work, signal) {
    await this.#next(async () => {
      if (this.#end) throw new TakenError()
      try {
        await work(String(++this.#number), newId())
      } catch (error) {
        if (error instanceof TakenError) this.#end = "lost"
        throw error
      }
    }, signal)
  }

  /** Makes the last step, which needs no number. Where it is not known whether it was made, only another one may follow. @param {() => Promise<unknown>} work @param {AbortSignal} [signal] */
  async end(work, signal) {
    await this.#next(async () => {
      if (this.#end === "lost" || this.#end === "over") throw new TakenError()
      try {
        await work()
        this.#end = "over"
      } catch (error) {
        if (error instanceof TakenError) this.#end = "lost"
        if (error instanceof UnsureError) this.#end = "ending"
        throw error
      } finally {
        if (this.#end) this.#over.abort()
      }
    }, signal)
  }

  /** @param {() => Promise<void>} work @param {AbortSignal} [signal] */
  #next(work, signal) {
    const turn = this.#turn.then(() => {
      signal?.throwIfAborted()
      return work()
    })
    this.#turn = turn.catch(() => {})
    return turn
  }
}

/** What is known of a step: `maybe` says that a try of it had no answer. @typedef {{maybe: boolean}} Tried */

/**
 * Makes a step that takes a call, or a new one, or discards one. Where nobody
 * waits for it any more, or a try of it may still arrive, `giveBack` has the
 * server forget it.
 *
 * @template T
 * @param {(tried: Tried) => Promise<T>} step @param {() => Promise<unknown>} giveBack @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function begin(step, giveBack, signal) {
  signal?.throwIfAborted()
  const tried = { maybe: false }
  try {
    const done = await step(tried)
    signal?.throwIfAborted()
    return done
  } catch (error) {
    if (signal?.aborted || tried.maybe || error instanceof UnsureError) await givenBack(giveBack, error)
    throw error
  }
}

/** @param {() => Promise<unknown>} giveBack @param {unknown} error why it is given back */
async function givenBack(giveBack, error) {
  try {
    await giveBack()
  } catch (failed) {
    if (failed instanceof TakenError || error instanceof UnsureError) return
    throw new UnsureError("it was given up, and the call may stay taken until its lease is over", { cause: error })
  }
}

/** How long whoever goes away waits until a call is given back, in milliseconds. */
export const giveBackWithin = 2000
