import { isId } from "./contract.js"

/** @import { About } from "./about.js" */

/**
 * Which calls are meant: all of them, those with the oldest snapshot first,
 * unless it says otherwise.
 *
 * @typedef {object} Query
 * @property {string} [principal] whose calls; everybody's if absent
 * @property {string} [prefix] of the id
 * @property {boolean} [newest] those with the newest snapshot first
 * @property {string} [after] the cursor of the last call of the page before
 * @property {number} [limit] how many at most
 * @property {AbortSignal} [signal]
 */

/**
 * A call in a store. Only taking it shows whether its snapshot can be used.
 *
 * @typedef {object} Parked
 * @property {string} id
 * @property {number} time of its last snapshot, Unix time in milliseconds
 * @property {boolean} taken somebody has it
 * @property {About} about as it was last saved
 * @property {unknown} [problem]
 *   why that cannot be read, if it cannot: it was sealed with a key that is not
 *   there, say. The call is listed all the same, so that it can be discarded
 * @property {string} cursor where a page ends that this call is the last of: `after` of the next
 */

/**
 * A change that a watch tells: a call as it is now, or the id of one that was
 * done or discarded or has expired. `lost` is about no call: changes may have
 * been missed. What follows is all that is there now, and what does not come
 * again is gone.
 *
 * @typedef {(Parked & {gone?: undefined, lost?: undefined})
 *   | {id: string, gone: true, lost?: undefined}
 *   | {lost: true, id?: undefined, gone?: undefined}} Change
 */

/** A call's place in a list: when it was saved, in microseconds, and its id. @typedef {{at: number, id: string}} Place */

/** What a list goes on behind, if it does not begin at its beginning. @param {Query} query @returns {Place | undefined} */
export function startOf({ after = "" }) {
  if (after === "") return
  const [, number = "", id = ""] = /^(\d{1,16})\.(.*)$/s.exec(after) ?? []
  if (!isId(id) || !Number.isSafeInteger(Number(number))) throw new TypeError("parley: after is not the cursor of a call")
  return { at: Number(number), id }
}

/** In which order calls are listed. @param {boolean} [newest] @returns {(a: Place, b: Place) => number} */
export function orderOf(newest) {
  const sign = newest ? -1 : 1
  return (a, b) => sign * (a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}

/** @param {Place} place @param {Omit<Parked, "id" | "time" | "cursor">} rest @returns {Parked} */
export function parked({ at, id }, rest) {
  return { id, time: Math.floor(at / 1000), ...rest, cursor: `${at}.${id}` }
}
