import { asker, PARK } from "./callbacks.js"
import { Context } from "./context.js"
import { Code, InstanceError, ParleyError } from "./errors.js"
import { text } from "./flow.js"
import { isUnsent } from "./unsent.js"

/** @import { Callbacks, Request } from "./callbacks.js" */
/** @import { Action, Ask, Event, Flow } from "./flow.js" */

/**
 * How a call ended. `result` is the server's final result as JSON text, byte
 * for byte. A `snapshot` holds everything that was collected, and a secret:
 * `resume` goes on with it.
 *
 * @typedef {{status: "done", result: string} | {status: "parked", snapshot: string} | Failure} Outcome
 */

/**
 * @typedef {object} Failure
 * @property {"failed"} status
 * @property {number} code one of Code
 * @property {string} detail what is wrong and where; never a state or an answer
 * @property {boolean} resumable the fault is not in what the server said
 * @property {string} [snapshot] if resumable
 * @property {string} [response] the server's JSON-RPC error object as JSON text, if it sent one; its text is the server's
 * @property {unknown} [cause] what a callback threw, or the reason of the signal
 */

/** What came back from a callback: an event and, if it failed, why. @typedef {{event: Event, cause?: unknown, progress?: string}} Returned */

/**
 * How often a callback may answer one question with what cannot be sent. A
 * person corrects an answer; a program would go on forever.
 */
const maxTries = 20

/** The longest a timer can be set for, in milliseconds. */
const maxTimer = 2 ** 31 - 1

/** Performs actions, nothing more: what they mean is the engine's. */
export class Driver {
  #flow
  #callbacks
  #capabilities
  #epoch = Date.now() - performance.now()
  /** @type {Returned[]} */
  #queue = []
  #wake = () => {}
  #due = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  /** @type {Context | undefined} */
  #leg
  /** The questions whose callbacks are under way, by ask id. @type {Map<number, {ask: Ask, context: Context, tries: number}>} */
  #asks = new Map()
  /** What the last failed callback threw. @type {unknown} */
  #cause

  /** @param {Flow} flow @param {Callbacks} callbacks @param {string} capabilities */
  constructor(flow, callbacks, capabilities) {
    this.#flow = flow
    this.#callbacks = callbacks
    this.#capabilities = capabilities
  }

  /** @param {Event} begin @returns {Promise<Outcome>} */
  async run(begin) {
    const { signal } = this.#callbacks
    const aborted = () => this.#wake()
    signal?.addEventListener("abort", aborted)
    try {
      return await this.#loop(begin)
    } catch (error) {
      if (error instanceof InstanceError) return this.#trapped(error)
      throw error
    } finally {
      signal?.removeEventListener("abort", aborted)
      this.#end()
    }
  }

  /** @param {Event} event @returns {Promise<Outcome>} */
  async #loop(event) {
    for (;;) {
      const actions = this.#step(event)
      if (actions) {
        if (event.type === "answer") this.#asks.delete(event.ask)
        if (this.#callbacks.save && worthSaving(event, actions)) {
          try {
            await this.#save()
          } catch (error) {
            return this.#unsend(actions, "the call could not be saved", error)
          }
        }
        const { signal } = this.#callbacks
        if (signal?.aborted && actions.some(({ type }) => type === "send")) {
          return this.#unsend(actions, "the caller gave up", signal.reason)
        }
        for (const action of actions) {
          if (action.type === "done") return { status: "done", result: action.result }
          if (action.type === "parked") return { status: "parked", snapshot: this.#flow.snapshot() }
          if (action.type === "failed") return this.#failed(action)
          this.#perform(action)
        }
      }
      event = await this.#next()
    }
  }

  /**
   * The actions that follow; none if an answer could not be sent: its question
   * is put again, or refused when that was tried too often. Any other usage
   * error ends the call.
   *
   * @param {Event} event
   * @returns {Action[] | undefined}
   */
  #step(event) {
    try {
      return this.#flow.step(this.#now(), event)
    } catch (error) {
      if (event.type !== "answer" || !(error instanceof ParleyError) || error.code !== Code.answer) throw error
      const question = this.#asks.get(event.ask)
      if (question && ++question.tries < maxTries) {
        this.#put(question.ask, question.context, error.detail)
        return
      }
      this.#asks.delete(event.ask)
      this.#queue.unshift({ event: { type: "refuse", ask: event.ask, reason: "the callback's answer cannot be sent" }, cause: error })
    }
  }

  /** @param {Extract<Action, {type: "failed"}>} action @returns {Failure} */
  #failed({ code, detail, resumable, error }) {
    /** @type {Failure} */
    const failure = { status: "failed", code, detail, resumable, cause: this.#cause }
    if (error !== undefined) failure.response = error
    return resumable ? this.#keep(failure) : failure
  }

  /** @param {InstanceError} trap @returns {Failure} */
  #trapped(trap) {
    const snapshot = this.#flow.saved
    /** @type {Failure} */
    const failure = { status: "failed", code: Code.instance, detail: trap.message, resumable: snapshot !== undefined, cause: trap.cause }
    if (snapshot !== undefined) failure.snapshot = snapshot
    return failure
  }

  /** @param {Failure} failure */
  #keep(failure) {
    try {
      failure.snapshot = this.#flow.snapshot()
    } catch (error) {
      failure.resumable = false
      failure.cause ??= error
    }
    return failure
  }

  async #save() {
    const snapshot = this.#flow.snapshot()
    const { signal } = this.#callbacks
    let aborted = () => {}
    try {
      await Promise.race([
        this.#callbacks.save?.(snapshot),
        new Promise((_, reject) => {
          aborted = () => reject(signal?.reason)
          signal?.aborted ? aborted() : signal?.addEventListener("abort", aborted)
        }),
      ])
    } finally {
      signal?.removeEventListener("abort", aborted)
    }
  }

  /**
   * Ends the call before its actions were performed: a leg among them was
   * certainly not sent, so nothing is in doubt.
   *
   * @param {Action[]} actions @param {string} detail @param {unknown} cause
   */
  #unsend(actions, detail, cause) {
    if (cause instanceof InstanceError) throw cause
    for (const action of actions) {
      if (action.type === "send") this.#flow.step(this.#now(), { type: "lost", leg: action.leg, unsent: true })
    }
    return this.#keep({ status: "failed", code: Code.canceled, detail, resumable: true, cause })
  }

  /** Waits for whatever happens first. @returns {Promise<Event>} */
  async #next() {
    const { signal } = this.#callbacks
    for (;;) {
      // Answers first: what else happened may end the call.
      const answer = this.#queue.findIndex(({ event }) => event.type === "answer")
      const [back] = this.#queue.splice(Math.max(answer, 0), 1)
      if (back) {
        const { event } = back
        // A callback that minds its signal comes back with no news.
        if (signal?.aborted && (event.type === "lost" || event.type === "refuse")) break
        this.#cause = back.cause
        if (event.type === "progress") observe(() => this.#callbacks.onProgress?.(event.leg, back.progress ?? "{}"))
        return event
      }
      if (signal?.aborted) break
      if (this.#due) {
        this.#due = false
        this.#cause = undefined
        return { type: "tick" }
      }
      await new Promise((resolve) => {
        this.#wake = () => resolve(undefined)
      })
    }
    this.#cause = signal.reason
    return { type: "cancel" }
  }

  /** @param {Action} action */
  #perform(action) {
    switch (action.type) {
      case "send":
        this.#leg?.end()
        this.#send((this.#leg = new Context()), action)
        break
      case "abandon":
        this.#leg?.end()
        this.#leg = undefined
        break
      case "ask": {
        const { type, ...ask } = action
        const context = new Context()
        this.#asks.set(ask.ask, { ask, context, tries: 0 })
        this.#put(ask, context)
        break
      }
      case "withdraw":
        this.#close(action.ask)
        break
      case "wait":
        clearTimeout(this.#timer)
        this.#due = false
        this.#timer = setTimeout(
          () => {
            this.#due = true
            this.#wake()
          },
          Math.min(action.until - this.#now(), maxTimer), // a tick too early is answered with the same wait
        )
        break
      case "note": {
        const { type, ...note } = action
        observe(() => this.#callbacks.onNote?.(note))
      }
    }
  }

  /** @param {Context} context @param {Extract<Action, {type: "send"}>} action */
  #send(context, { leg, method, params }) {
    /** @type {Request} */
    const request = { leg, method, params, capabilities: this.#capabilities }
    context.progress = (params) => this.#feed(context, { event: { type: "progress", leg }, progress: params })
    this.#call(
      context,
      () => this.#callbacks.send(request, context),
      (body) => {
        if (typeof body !== "string") throw new TypeError("parley: send must return the response as text")
        return { type: "response", leg, body }
      },
      (error) => ({ type: "lost", leg, reason: "the transport failed", unsent: isUnsent(error) }),
    )
  }

  /** @param {Ask} ask @param {Context} context @param {string} [problem] */
  #put(ask, context, problem) {
    this.#call(
      context,
      () => this.#callbacks[asker(ask)]?.(problem === undefined ? ask : { ...ask, problem }, context),
      (answer) => {
        if (answer === PARK) return { type: "park" }
        if (typeof answer !== "string" && (typeof answer !== "object" || answer === null)) {
          throw new TypeError(`parley: the callback for ${ask.kind} must return the result, as JSON text or an object`)
        }
        return { type: "answer", ask: ask.ask, raw: text(answer) }
      },
      (error) => {
        if (error === PARK) return { type: "park" }
        this.#asks.delete(ask.ask)
        return { type: "refuse", ask: ask.ask, reason: "the callback failed" }
      },
    )
  }

  /**
   * Calls a callback, after the actions at hand were performed, and feeds what
   * comes of it.
   *
   * @template T
   * @param {Context} context
   * @param {() => T | Promise<T>} callback
   * @param {(value: T) => Event} then
   * @param {(error: unknown) => Event} failed
   */
  async #call(context, callback, then, failed) {
    context.settled = false
    /** @type {Returned} */
    let back
    try {
      await undefined
      back = { event: then(await callback()) }
    } catch (cause) {
      back = { event: failed(cause), cause }
    }
    context.settled = true
    this.#feed(context, back)
  }

  /** Hands over what came of a callback, unless nobody waits for it any more. @param {Context} context @param {Returned} back */
  #feed(context, back) {
    if (context.ended) return
    this.#queue.push(back)
    this.#wake()
  }

  /** @param {number} ask */
  #close(ask) {
    this.#asks.get(ask)?.context.end()
    this.#asks.delete(ask)
  }

  /** Unix time in milliseconds by a clock that setting the wall clock does not move. */
  #now() {
    return Math.floor(this.#epoch + performance.now())
  }

  #end() {
    clearTimeout(this.#timer)
    this.#leg?.end()
    for (const { context } of this.#asks.values()) context.end()
  }
}

/** Whether something would be lost without a snapshot. @param {Event} event @param {Action[]} actions */
function worthSaving(event, actions) {
  if (actions.some(({ type }) => type === "done")) return false
  return event.type === "answer" || actions.some(({ type }) => type === "send" || type === "ask")
}

/** Calls a callback that only watches: if it throws, the call goes on. @param {() => void} call */
function observe(call) {
  try {
    call()
  } catch {}
}
