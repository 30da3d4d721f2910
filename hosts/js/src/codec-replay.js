/**
 * Remembers which states were used.
 *
 * @typedef {object} ReplayStore
 * @property {(id: string, expires: number) => boolean | Promise<boolean>} consume
 *   Notes an id, 32 hexadecimal digits, until `expires` (Unix time in
 *   milliseconds) and tells whether this was the first time. Only `true` lets
 *   the state through: a store that is full or fails throws, and the state is
 *   refused. Two calls with one id, on whatever instance of the server, must
 *   not both be told `true`.
 */

/**
 * A replay store in the memory of one process. It serves one instance of a
 * server: instances that share keys need a store they share.
 *
 * @implements {ReplayStore}
 */
export class MemoryReplayStore {
  #most
  #now
  /** When each id may be forgotten, oldest note first. @type {Map<string, number>} */
  #used = new Map()

  /** @param {{most?: number, now?: () => number}} [options] `most` ids are kept, 100,000 if absent; when they are all needed, states are refused */
  constructor({ most = 100_000, now = Date.now } = {}) {
    this.#most = most
    this.#now = now
  }

  /** @param {string} id @param {number} expires */
  consume(id, expires) {
    this.#forget()
    if (this.#used.has(id)) return false
    if (this.#used.size >= this.#most) throw new Error("parley: the replay store is full")
    this.#used.set(id, expires)
    return true
  }

  /** How many ids are kept. */
  get size() {
    return this.#used.size
  }

  // Only from the front, so that a call costs no more than it adds. A note that
  // expired behind one that did not stays a while longer.
  #forget() {
    const now = this.#now()
    for (const [id, expires] of this.#used) {
      if (expires > now) return
      this.#used.delete(id)
    }
  }
}
