import { asker, PARK } from "./askers.js"
import { Context } from "./context.js"
import { text } from "./flow.js"
import { withoutPrefix } from "./plain-text.js"
import { say } from "./sentence.js"

/** @import { Askers } from "./askers.js" */
/** @import { Feed } from "./driver.js" */
/** @import { Ask } from "./flow.js" */

/** The questions of a call whose askers are under way. */
export class Questions {
  #askers
  #feed
  /** By ask id. @type {Map<number, Context>} */
  #open = new Map()

  /** @param {Askers} askers @param {Feed} feed */
  constructor(askers, feed) {
    this.#askers = askers
    this.#feed = feed
  }

  /** Puts a question. @param {Ask} question */
  put(question) {
    const { ask, kind } = question
    if (this.#open.has(ask)) return // the call was restored, and its dialog is still there
    const context = new Context()
    this.#open.set(ask, context)
    context.call(
      () => this.#askers[asker(question)]?.(question, context),
      (answer) => {
        if (answer === PARK) return this.#feed({ event: { type: "park", ask } })
        const raw = typeof answer === "object" && answer ? text(answer) : answer
        if (typeof raw !== "string") throw new TypeError(`parley: the asker for ${kind} must return the result, as JSON text or an object`)
        this.#feed({ event: { type: "answer", ask, raw, fill: this.#askers.fill } })
      },
      (cause) => this.#feed(cause === PARK ? { event: { type: "park", ask } } : { event: { type: "refuse", ask, reason: reason(kind, cause) }, cause }),
    )
  }

  /** Forgets a question that was answered; it is put again if the answer cannot be used. @param {number} ask */
  answered(ask) {
    this.#open.delete(ask)
  }

  /** Closes a question that is moot. @param {number} ask */
  close(ask) {
    this.#open.get(ask)?.end()
    this.#open.delete(ask)
  }

  end() {
    for (const context of this.#open.values()) context.end()
  }
}

/** Why a question was refused. Of a sign-in, what to do about it is in the words. @param {string} kind @param {unknown} cause */
function reason(kind, cause) {
  return kind === "authorize" && cause instanceof Error && cause.message ? withoutPrefix(cause.message) : say`the asker failed`
}
