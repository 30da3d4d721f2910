import { createInterface } from "node:readline"

/** What comes back for a line. @typedef {{Go?: boolean, Park?: boolean, Refuse?: boolean, Answer?: any}} Answer */

/** Whoever reads stdout and writes stdin. */
export class Answerer {
  #park = new AbortController()
  /** @type {Answer[]} */
  #early = []
  /** @type {((answer: Answer) => void) | undefined} */
  #waiting
  #lines = createInterface({ input: process.stdin })

  constructor() {
    this.#lines.on("line", (line) => {
      if (line === "park") return this.#park.abort()
      const answer = JSON.parse(line)
      if (this.#waiting) this.#waiting(answer)
      else this.#early.push(answer)
    })
  }

  /** Aborts if the call is to be parked although nothing is asked. */
  get park() {
    return this.#park.signal
  }

  /** @param {object} what */
  tell(what) {
    process.stdout.write(`${JSON.stringify(what)}\n`)
  }

  /** @param {object} what @param {AbortSignal} signal @returns {Promise<Answer>} */
  async ask(what, signal) {
    this.tell(what)
    return (
      this.#early.shift() ??
      new Promise((resolve, reject) => {
        this.#waiting = resolve
        signal.addEventListener("abort", () => reject(signal.reason), { once: true })
      }).finally(() => (this.#waiting = undefined))
    )
  }

  close() {
    this.#lines.close()
    process.stdin.destroy()
  }
}
