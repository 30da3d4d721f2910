import { NotFoundError } from "./errors.js"

/** @import { Outcome } from "../calls/driver.js" */
/** @import { About } from "./about.js" */
/** @import { Change, Parked, Query } from "./query.js" */

/**
 * Ends a wait: what is done with a store stops, with the signal's reason, and
 * what was taken by then is given back. A step of a lease that has begun is
 * finished all the same.
 *
 * @typedef {{signal?: AbortSignal}} Waits
 */

/**
 * Keeps calls that wait for a person, so that another process can go on with
 * them. An id is 1 to 64 of A-Z a-z 0-9 _ and -. Many processes may share what
 * a store keeps.
 *
 * @typedef {object} Store
 * @property {(id: string, waits?: Waits) => Promise<Lease>} create
 *   Holds a new call before its first snapshot, so that nobody takes it while it
 *   runs; it is listed from its first save on. Rejects with an ExistsError if the
 *   id is in use, and with a TakenError while somebody has it.
 * @property {(id: string, waits?: Waits) => Promise<{lease: Lease, snapshot: string}>} take
 *   A call's snapshot, which holds a secret, and the right to drive it, which
 *   nobody else has. Rejects with a TakenError or NotFoundError, and if the
 *   snapshot cannot be opened; the call then stays as it was.
 * @property {(query?: Query) => AsyncIterable<Parked>} list
 *   The calls, those with the oldest snapshot first. One that is saved meanwhile
 *   may come twice, or not at all.
 * @property {(query?: Query) => AsyncIterable<Change>} watch
 *   The calls as they are, then those that are saved, done, discarded or have
 *   expired, each at least once, until the query's signal aborts: its reason is
 *   what the loop ends with. Several changes of a call may become one, and that
 *   it was only taken or given back may go untold. limit, after and newest mean
 *   nothing here.
 * @property {(id: string, waits?: Waits) => Promise<void>} delete
 *   Discards a call. Rejects with a TakenError or NotFoundError.
 */

/**
 * The right to drive a call, until done or release, or until somebody takes the
 * call over because the lease was not renewed in time; everything then rejects
 * with a TakenError.
 *
 * @typedef {object} Holding
 * @property {(snapshot: string) => Promise<void>} save
 *   Replaces the call's snapshot, all of it or nothing, and renews the lease.
 * @property {() => Promise<void>} renew starts the lease over
 * @property {(signal?: AbortSignal) => Promise<void>} keep
 *   Renews the lease in time until it or the signal ends. What fails is tried
 *   again until the lease's time is over. Rejects if the lease was lost: abort
 *   the call then.
 * @property {() => Promise<void>} done deletes the call
 * @property {() => Promise<void>} release
 *   Gives the call back with its snapshot; a call that never had a snapshot is
 *   deleted.
 * @property {(outcome: Outcome) => Promise<void>} settle
 *   Does what the end of a call requires: keeps its snapshot and gives the call
 *   back, or deletes it if there is nothing to resume. What ended because the
 *   engine trapped stays as it was saved last.
 */

/**
 * What gives calls to who drives them: a {@link Store}, or a ParkingStore.
 *
 * @typedef {object} Holdings
 * @property {(id: string) => Promise<Holding>} create
 * @property {(id: string) => Promise<{lease: Holding, snapshot: string}>} take
 */

/**
 * A {@link Holding} of a {@link Store}: what is said about the call changes with
 * a save that says something.
 *
 * @typedef {Omit<Holding, "save" | "renew" | "done" | "release"> & {
 *   save: (snapshot: string, about?: About, waits?: Waits) => Promise<void>,
 *   renew: (waits?: Waits) => Promise<void>,
 *   done: (waits?: Waits) => Promise<void>,
 *   release: (waits?: Waits) => Promise<void>,
 *   readonly term: number,
 * }} Lease `term` is how long it lasts without being renewed, in milliseconds
 */

/** How long a call stays after its last save, unless a store is told otherwise, in milliseconds. */
export const defaultKeep = 30 * 24 * 60 * 60 * 1000

/** Fails if an id cannot be one. @param {string} id */
export function checkId(id) {
  if (typeof id !== "string" || !isId(id)) throw new TypeError("parley: the id of a call is 1 to 64 of A-Z a-z 0-9 _ -")
}

/** @param {string} id */
export function isId(id) {
  return id.length <= 64 && /^[\w-]+$/.test(id)
}

/**
 * Discards all calls of a principal. Those that somebody has stay: it rejects
 * then, after the others are gone.
 *
 * @param {Pick<Store, "list" | "delete">} store @param {string} principal @param {Waits} [waits]
 */
export async function deleteOf(store, principal, waits) {
  if (!principal) throw new TypeError("parley: nobody's calls are discarded one by one")
  let failed
  for await (const { id } of store.list({ principal, ...waits })) {
    try {
      await store.delete(id, waits)
    } catch (error) {
      if (!(error instanceof NotFoundError)) failed ??= error
    }
  }
  if (failed) throw failed
}
