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
 * server: instances that share keys need a store they share. A clock that jumps
 * ahead and back opens nothing twice: what may have been forgotten is refused.
 *
 * @implements {ReplayStore}
 */
export class MemoryReplayStore {
  #most
  #now
  /** @type {Set<string>} */
  #used = new Set()
  /** When each id may be forgotten, as a heap: the earliest first. @type {{id: string, expires: number}[]} */
  #expiry = []
  /** When the last id expired that is not kept any more: of one that expires no later it cannot be told whether it was used. */
  #forgotten = -Infinity

  /**
   * @param {{most?: number, now?: () => number}} [options] `most` ids are kept, 1,048,576 if absent, which are 12 a second
   *   with a `ttl` of 24 hours; when they are all needed, states are refused. `now` is the time of day in Unix milliseconds: give it the Guard's.
   */
  constructor({ most = 1_048_576, now = Date.now } = {}) {
    this.#most = most
    this.#now = now
  }

  /** See {@link ReplayStore}. It throws for what has expired already, too. @param {string} id @param {number} expires */
  consume(id, expires) {
    const now = this.#now()
    // It would be forgotten at once, or was forgotten before the clock was set back.
    if (!(now < expires && this.#forgotten < expires)) throw new Error("parley: the state has expired by the replay store's clock")
    this.#forget(now)
    if (this.#used.has(id)) return false
    if (this.#used.size >= this.#most) throw new Error("parley: the replay store is full")
    this.#used.add(id)
    this.#note({ id, expires })
    return true
  }

  /** How many ids are kept. */
  get size() {
    return this.#used.size
  }

  /** Forgets what has expired. @param {number} now */
  #forget(now) {
    const heap = this.#expiry
    for (let first = heap[0]; first && first.expires <= now; first = heap[0]) {
      this.#used.delete(first.id)
      this.#forgotten = first.expires
      const last = heap.pop()
      if (last && last !== first) this.#sink(last)
    }
  }

  /** Adds to the heap: up from its end. @param {{id: string, expires: number}} note */
  #note(note) {
    const heap = this.#expiry
    let at = heap.length
    while (at > 0) {
      const above = (at - 1) >> 1
      const other = heap[above]
      if (!other || other.expires <= note.expires) break
      heap[at] = other
      at = above
    }
    heap[at] = note
  }

  /** Puts a note in the place of the heap's first: down from its top. @param {{id: string, expires: number}} note */
  #sink(note) {
    const heap = this.#expiry
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      const right = heap[2 * at + 2]
      const earlier = right && left && right.expires < left.expires ? right : left
      if (!earlier || earlier.expires >= note.expires) break
      heap[at] = earlier
      at = 2 * at + (earlier === left ? 1 : 2)
    }
    heap[at] = note
  }
}
