/**
 * A question of one of many servers, as it stands in line.
 *
 * @template Q
 * @typedef {{server: string, question: Q}} Standing
 */

/**
 * One line for the questions of many servers: so many are put at once, the
 * others wait. Servers take turns, so that one that asks a lot does not keep the
 * others from asking.
 *
 * @template Q
 */
export class Turns {
  #atOnce
  #atOncePerServer
  #onChanged
  /** Those that are put. @type {Set<Standing<Q>>} */
  #open = new Set()
  /** Those that wait, the first first. @type {Map<Standing<Q>, () => void>} */
  #waiting = new Map()
  /** When each server had its last turn. @type {Map<string, number>} */
  #last = new Map()
  #clock = 0

  /** @param {{atOnce?: number, atOncePerServer?: number, onChanged?: () => void}} [options] one at a time if absent */
  constructor({ atOnce = 1, atOncePerServer = atOnce, onChanged = () => {} } = {}) {
    for (const bound of [atOnce, atOncePerServer]) if (!(bound >= 1)) throw new RangeError("parley: at least one question must be put at once")
    this.#atOnce = atOnce
    this.#atOncePerServer = atOncePerServer
    this.#onChanged = onChanged
  }

  /** Those that are put now. */
  get open() {
    return [...this.#open]
  }

  /** Those that wait, in the order they came. */
  get waiting() {
    return [...this.#waiting.keys()]
  }

  /**
   * Waits for a turn, and puts a question. One that is moot leaves the line, and
   * ends its turn even where nobody takes it back.
   *
   * @template T @param {Standing<Q>} standing @param {AbortSignal} signal @param {() => T | Promise<T>} put @returns {Promise<T>}
   */
  async take(standing, signal, put) {
    await this.#turn(standing, signal)
    const end = () => {
      if (!this.#open.delete(standing)) return
      setTimeout(() => this.#next()) // what ends together shows nobody the next in line
      this.#onChanged()
    }
    signal.addEventListener("abort", end, { once: true })
    try {
      return await put()
    } finally {
      signal.removeEventListener("abort", end)
      end()
    }
  }

  /** @param {Standing<Q>} standing @param {AbortSignal} signal @returns {Promise<void>} */
  #turn(standing, signal) {
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (this.#waiting.delete(standing)) this.#onChanged()
        reject(signal.reason)
      }
      if (signal.aborted) return leave()
      signal.addEventListener("abort", leave, { once: true })
      this.#waiting.set(standing, () => {
        signal.removeEventListener("abort", leave)
        resolve()
      })
      this.#next()
    })
  }

  /** Gives turns to those that may have one. */
  #next() {
    for (let next = this.#first(); next; next = this.#first()) {
      const go = this.#waiting.get(next)
      this.#waiting.delete(next)
      this.#open.add(next)
      this.#last.set(next.server, ++this.#clock)
      go?.()
    }
    this.#onChanged()
  }

  /** Of the servers that may ask, the one that did not for longest. */
  #first() {
    if (this.#open.size >= this.#atOnce) return
    const since = (/** @type {Standing<Q>} */ { server }) => this.#last.get(server) ?? 0
    const may = [...this.#waiting.keys()].filter(({ server }) => this.open.filter((one) => one.server === server).length < this.#atOncePerServer)
    return may.reduce((/** @type {Standing<Q> | undefined} */ first, one) => (first && since(first) <= since(one) ? first : one), undefined)
  }
}
