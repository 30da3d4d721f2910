/** Lets as many in at once as there is room for, the others one after the other. */
export class Queue {
  #inside = 0
  /** @type {(() => void)[]} */
  #waiting = []

  /**
   * Waits for a place. Who gives up need not wait any longer, and gets none.
   *
   * @param {number} most how many may be inside
   * @param {AbortSignal} signal
   * @param {() => void} onWait is called if there is no place yet
   * @returns {Promise<() => void>} gives the place back
   */
  async enter(most, signal, onWait) {
    if (signal.aborted) return () => {}
    if (this.#inside < most) {
      this.#inside++
      return () => this.#leave()
    }
    onWait()
    return new Promise((resolve) => {
      const enter = () => resolve(() => this.#leave())
      this.#waiting.push(enter)
      signal.addEventListener("abort", () => {
        const at = this.#waiting.indexOf(enter)
        if (at < 0) return
        this.#waiting.splice(at, 1)
        resolve(() => {})
      })
    })
  }

  /** The place goes to who has waited longest. */
  #leave() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#inside--
  }
}
