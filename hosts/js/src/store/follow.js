/** @import { Change, Parked } from "./query.js" */

/**
 * A call as it was found, with a number that changes with it.
 *
 * @typedef {{number: number, call: () => Promise<Parked>}} Found
 */

/**
 * Tells what there is, and then how it differs from what was told: the watch of
 * a store that is asked again and again.
 *
 * @param {() => Promise<Map<string, Found>>} seen the calls that are meant
 * @param {() => Promise<void>} wait until there may be a change since they were seen, or the signal aborts
 * @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<Change, void, undefined>}
 */
export async function* follow(seen, wait, signal) {
  /** @type {Map<string, number>} */
  const told = new Map()
  for (;;) {
    signal?.throwIfAborted()
    const found = await seen()
    for (const [id, { number, call }] of found) {
      if (told.get(id) === number) continue
      told.set(id, number)
      yield await call()
    }
    for (const id of told.keys()) {
      if (found.has(id)) continue
      told.delete(id)
      yield { id, gone: true }
    }
    await wait()
  }
}
