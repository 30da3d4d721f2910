// Time for a stage: the platform's, or one that stands still until a script lets it pass.

/**
 * `still` waits until nothing is left but timers. `until` lets time pass until something holds, and says whether it does;
 * `changed` settles when it may.
 *
 * @typedef {{still: () => Promise<void>, until: (holds: () => boolean, changed: () => Promise<boolean>) => Promise<boolean>}} Time
 */

import { inTurn } from "../../dist/engine/yield.js"

/** The platform's. @type {Time} */
export const platformTime = {
  /** By a message, as the timers of a hidden tab are slow, and until the slices of any message have had their turns. */
  async still() {
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        resolve(undefined)
      }
      port2.postMessage(0)
    })
    for (let turns = 0; turns < 64; turns++) await new Promise((resolve) => inTurn(() => resolve(undefined)))
  },
  async until(holds, changed) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    /** @type {Promise<boolean>} */
    const never = new Promise((resolve) => (timer = setTimeout(() => resolve(false), 120_000)))
    try {
      while (!holds()) if (!(await Promise.race([changed(), never]))) return false
      return true
    } finally {
      clearTimeout(timer)
    }
  },
}

const day = 86_400_000

/** @typedef {{at: number, ring: () => void, ref: () => void, unref: () => void}} Timer */

/** The time of a whole process in Node that stands still: what else runs there gets it, too. @implements {Time} */
export class StandingTime {
  #now = Date.UTC(2026, 6, 28)
  /** In the order in which they were set. @type {Set<Timer>} */
  #timers = new Set()
  /** What waits for a turn of its own. @type {(() => void)[]} */
  #turns = []
  #soon = setImmediate

  constructor() {
    const begun = this.#now
    Date.now = () => this.#now
    performance.now = () => this.#now - begun
    Object.assign(globalThis, {
      setImmediate: (/** @type {() => void} */ work) => void this.#turns.push(work),
      setTimeout: (/** @type {() => void} */ ring, /** @type {number} */ ms) => {
        const timer = { at: this.#now + (ms >= 1 && ms < 2 ** 31 ? ms : 1), ring, ref() {}, unref() {} } // as Node has it
        this.#timers.add(timer)
        return timer
      },
      clearTimeout: (/** @type {Timer} */ timer) => void this.#timers.delete(timer),
    })
  }

  async still() {
    for (;;) {
      await new Promise((resolve) => this.#soon(resolve)) // once all promises have had their turns
      const work = this.#turns.shift()
      if (!work) return
      work()
    }
  }

  /** A day may pass. @param {() => boolean} holds */
  async until(holds) {
    const end = this.#now + day
    for (;;) {
      await this.still()
      if (holds()) return true
      const next = [...this.#timers].reduce((/** @type {Timer | undefined} */ first, timer) => (first && first.at <= timer.at ? first : timer), undefined)
      if (!next || next.at > end) {
        this.#now = end
        return false
      }
      this.#timers.delete(next)
      this.#now = Math.max(this.#now, next.at)
      next.ring()
    }
  }

  /** Forgets what was to come. */
  clear() {
    this.#timers.clear()
    this.#turns = []
  }
}
