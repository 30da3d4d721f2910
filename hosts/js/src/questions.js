import { asker, PARK } from "./callbacks.js"
import { Context } from "./context.js"
import { text } from "./flow.js"

/** @import { Asking } from "./callbacks.js" */
/** @import { Feed, Turn } from "./driver.js" */
/** @import { Ask } from "./flow.js" */

/**
 * How often a callback may answer one question with what cannot be sent. A
 * person corrects an answer; a program would go on forever.
 */
const maxTries = 20

/** The questions of a call whose callbacks are under way. */
export class Questions {
  #callbacks
  #feed
  /** By ask id. @type {Map<number, {ask: Ask, context: Context, tries: number}>} */
  #open = new Map()

  /** @param {Asking} callbacks @param {Feed} feed */
  constructor(callbacks, feed) {
    this.#callbacks = callbacks
    this.#feed = feed
  }

  /** Puts a question. One that is open is not put twice. @param {Ask} ask */
  put(ask) {
    if (this.#open.has(ask.ask)) return // the call was restored, and its dialog is still there
    const context = new Context()
    this.#open.set(ask.ask, { ask, context, tries: 0 })
    this.#put(ask, context)
  }

  /** Puts a question again whose answer cannot be used, unless that was tried too often. @param {number} id @param {string} problem */
  again(id, problem) {
    const question = this.#open.get(id)
    if (!question || ++question.tries >= maxTries) return false
    this.#put({ ...question.ask, problem }, question.context)
    return true
  }

  /** Forgets a question that was answered. @param {number} id */
  answered(id) {
    this.#open.delete(id)
  }

  /** Closes a question that is moot. @param {number} id */
  close(id) {
    this.#open.get(id)?.context.end()
    this.#open.delete(id)
  }

  end() {
    for (const { context } of this.#open.values()) context.end()
  }

  /** @param {import("./callbacks.js").Question} question @param {Context} context */
  #put(question, context) {
    const { ask, kind } = question
    /** @type {Turn} */
    const park = { event: { type: "park" }, ask }
    context.call(
      this.#feed,
      () => this.#callbacks[asker(question)]?.(question, context),
      (answer) => {
        if (answer === PARK) return park
        if (typeof answer !== "string" && (typeof answer !== "object" || answer === null)) {
          throw new TypeError(`parley: the callback for ${kind} must return the result, as JSON text or an object`)
        }
        return { event: { type: "answer", ask, raw: text(answer) }, ask }
      },
      (error) => {
        if (error === PARK) return park
        this.#open.delete(ask)
        return { event: { type: "refuse", ask, reason: "the callback failed" }, cause: error }
      },
    )
  }
}
