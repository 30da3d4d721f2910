import { asker, PARK } from "./askers.js"
import { Context } from "./callback.js"
import { text } from "../engine/call.js"
import { withoutPrefix } from "../texts/plain.js"
import { say } from "../texts/sentence.js"

/** @import { Askers } from "./askers.js" */
/** @import { Ask, Event } from "../engine/call.js" */

/** Takes what an asker said, and why it said nothing. @typedef {(event: Event, cause?: unknown) => void} Feed */

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

  /** Puts a question, in place of one with its number, whose asker has returned. @param {Ask} question */
  put(question) {
    const { ask, kind } = question
    const context = new Context()
    this.#open.set(ask, context)
    context.call(
      () => this.#askers[asker(question)]?.(question, context),
      (answer) => {
        if (answer === PARK) return this.#feed({ type: "park", ask })
        const raw = typeof answer === "object" && answer ? text(answer) : answer
        if (typeof raw !== "string") throw new TypeError(`parley: the asker for ${kind} must return the result, as JSON text or an object`)
        this.#feed({ type: "answer", ask, raw, fill: this.#askers.fill })
      },
      (cause) => (cause === PARK ? this.#feed({ type: "park", ask }) : this.#feed({ type: "refuse", ask, reason: reason(kind, cause) }, cause)),
    )
  }

  /** Closes a question that is withdrawn. @param {number} ask */
  close(ask) {
    this.#open.get(ask)?.end()
    this.#open.delete(ask)
  }

  /** Closes all of them. */
  end() {
    for (const context of this.#open.values()) context.end()
  }
}

/** Why a question was refused. Of a sign-in, what to do about it is in the words. @param {string} kind @param {unknown} cause */
function reason(kind, cause) {
  return kind === "authorize" && cause instanceof Error && cause.message ? withoutPrefix(cause.message) : say`the asker failed`
}
