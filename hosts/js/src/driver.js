import { observe } from "./callbacks.js"
import { Alarm } from "./clock.js"
import { Code, InstanceError, ParleyError } from "./errors.js"
import { Questions } from "./questions.js"

/** @import { Asking } from "./callbacks.js" */
/** @import { Clock } from "./clock.js" */
/** @import { Action, Event } from "./flow.js" */
/** @import { CallAction, Performed } from "./session-core.js" */

/**
 * How a call ended. `result` is the server's final result as JSON text, byte
 * for byte; `noStore` says that it must not be cached. A `snapshot` holds
 * everything that was collected, and a secret: `resume` goes on with it.
 *
 * @typedef {{status: "done", result: string, noStore?: boolean} | {status: "parked", snapshot: string} | Failure} Outcome
 */

/**
 * @typedef {object} Failure
 * @property {"failed"} status
 * @property {number} code one of Code
 * @property {string} detail what is wrong and where; never a state or an answer
 * @property {boolean} resumable the fault is not in what the server said
 * @property {string} [snapshot] if resumable
 * @property {string} [response] the server's JSON-RPC error object as JSON text, if it sent one; its text is the server's
 * @property {unknown} [cause] what a callback or the transport threw, or the reason of the signal
 */

/**
 * What a driver drives: a flow whose legs a callback sends, or a call of a
 * session. It performs what is not the driver's own.
 *
 * @typedef {object} Driven
 * @property {(event: Event) => Performed[] | undefined} step undefined is to be tried again, after what has happened meanwhile
 * @property {() => string} snapshot
 * @property {string | undefined} saved the last snapshot, if nothing that matters has happened since
 * @property {(action: Performed) => void} perform
 * @property {() => void} end the driver is done
 */

/**
 * What happens to a call: an event, or actions that follow from one that was
 * the session's. `ask` is the question it answers, `cause` why something
 * failed, `trap` that there is nothing to go on with.
 *
 * @typedef {{event: Event, ask?: number, cause?: unknown, actions?: undefined}
 *   | {actions: CallAction[], cause?: unknown, event?: undefined}
 *   | {trap: InstanceError, cause?: undefined, actions?: undefined, event?: undefined}} Turn
 */

/** @typedef {(turn: Turn) => void} Feed */

/** Performs actions, nothing more: what they mean is the engine's. */
export class Driver {
  #callbacks
  #alarm
  #questions
  /** @type {Driven | undefined} */
  #driven
  /** @type {Turn[]} */
  #turns = []
  #wake = () => {}
  #due = false
  /** The caller gave up. @type {{reason: unknown} | undefined} */
  #stopped
  /** Ends waiting for a save. @type {((reason: unknown) => void) | undefined} */
  #leave
  /** What the last failed callback threw. @type {unknown} */
  #cause
  /** The leg that went out last, until a pause follows it. @type {number | undefined} */
  #leg

  /** @param {Asking} callbacks @param {Clock} clock */
  constructor(callbacks, clock) {
    this.#callbacks = callbacks
    this.#questions = new Questions(callbacks, this.feed)
    this.#alarm = new Alarm(clock, () => {
      this.#due = true
      this.#wake()
    })
  }

  /** @type {Feed} */
  feed = (turn) => {
    this.#turns.push(turn)
    this.#wake()
  }

  /** Cancels the call. @param {unknown} reason */
  stop(reason) {
    this.#stopped ??= { reason }
    this.#leave?.(reason)
    this.#wake()
  }

  /** @param {Driven} driven @param {Event} begin @returns {Promise<Outcome>} */
  async run(driven, begin) {
    this.#driven = driven
    const { park, signal } = this.#callbacks
    const stop = () => this.stop(signal?.reason)
    const leave = () => this.feed({ event: { type: "park" } })
    try {
      if (signal?.aborted) return this.#keep({ status: "failed", code: Code.canceled, detail: "the caller gave up before it began", resumable: true, cause: signal.reason })
      signal?.addEventListener("abort", stop)
      if (park?.aborted) leave()
      else park?.addEventListener("abort", leave)
      return await this.#loop(driven, begin)
    } catch (error) {
      if (error instanceof InstanceError) return this.#trapped(error)
      throw error
    } finally {
      signal?.removeEventListener("abort", stop)
      park?.removeEventListener("abort", leave)
      this.#alarm.set(0)
      this.#questions.end()
      driven.end()
    }
  }

  /** @param {Driven} driven @param {Event} begin @returns {Promise<Outcome>} */
  async #loop(driven, begin) {
    /** @type {Turn} */
    let turn = { event: begin }
    for (;;) {
      if ("trap" in turn) throw turn.trap
      const actions = turn.actions ?? this.#step(driven, turn)
      if (actions) {
        if (this.#callbacks.save && worthSaving(turn.event, actions)) {
          try {
            await this.#save(driven.snapshot())
          } catch (error) {
            return this.#unsend(actions, "the call could not be saved", error)
          }
        }
        if (this.#stopped && actions.some(goesOut)) return this.#unsend(actions, "the caller gave up", this.#stopped.reason)
        for (const action of actions) {
          if (action.type === "done") return finished(action)
          if (action.type === "parked") return { status: "parked", snapshot: driven.snapshot() }
          if (action.type === "failed") return this.#failed(action)
          this.#perform(driven, action)
        }
        if (pauses(turn.event, actions)) this.#pause()
      }
      turn = await this.#next()
      this.#cause = turn.cause
    }
  }

  /**
   * The actions that follow; none if what a callback returned cannot be used:
   * its question is put again, or refused when that was tried too often. Any
   * other usage error ends the call.
   *
   * @param {Driven} driven @param {Extract<Turn, {event: Event}>} turn
   */
  #step(driven, turn) {
    const { event, ask } = turn
    try {
      const actions = driven.step(event)
      if (!actions) this.#turns.push(turn)
      else if (event.type === "answer") this.#questions.answered(event.ask)
      return actions
    } catch (error) {
      if (ask === undefined && event.type === "park" && error instanceof ParleyError && error.code === Code.notParkable) return
      if (ask === undefined || !(error instanceof ParleyError) || (error.code !== Code.answer && error.code !== Code.notParkable)) throw error
      if (this.#questions.again(ask, error.detail)) return
      this.#questions.answered(ask)
      this.#turns.unshift({ event: { type: "refuse", ask, reason: "the callback's answer cannot be sent" }, cause: error })
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
    const snapshot = this.#driven?.saved
    /** @type {Failure} */
    const failure = { status: "failed", code: Code.instance, detail: trap.message, resumable: snapshot !== undefined, cause: trap.cause }
    if (snapshot !== undefined) failure.snapshot = snapshot
    return failure
  }

  /** @param {Failure} failure */
  #keep(failure) {
    try {
      failure.snapshot = this.#driven?.snapshot()
    } catch (error) {
      failure.resumable = false
      failure.cause ??= error
    }
    return failure
  }

  /** Waits until the snapshot is kept, or the caller gives up. @param {string} snapshot */
  async #save(snapshot) {
    try {
      await Promise.race([
        this.#callbacks.save?.(snapshot),
        new Promise((_, reject) => {
          this.#leave = reject
          if (this.#stopped) reject(this.#stopped.reason)
        }),
      ])
    } finally {
      this.#leave = undefined
    }
  }

  /**
   * Ends the call before its actions were performed: a leg among them was
   * certainly not sent, so nothing is in doubt.
   *
   * @param {Performed[]} actions @param {string} detail @param {unknown} cause
   */
  #unsend(actions, detail, cause) {
    if (cause instanceof InstanceError) throw cause
    for (const action of actions.filter(goesOut)) {
      this.#driven?.step({ type: "lost", leg: action.leg, unsent: true })
    }
    const failure = this.#keep({ status: "failed", code: Code.canceled, detail, resumable: true, cause })
    if (this.#stopped) { // the server may be at work on a task
      for (const action of this.#driven?.step({ type: "cancel" }) ?? []) if (action.type === "tell") this.#driven?.perform(action)
    }
    return failure
  }

  /** Waits for whatever happens first. @returns {Promise<Turn>} */
  async #next() {
    for (;;) {
      const turn = this.#take()
      if (turn) return turn
      await new Promise((resolve) => {
        this.#wake = () => resolve(undefined)
      })
    }
  }

  /** @returns {Turn | undefined} */
  #take() {
    const [first] = this.#turns
    if (first) {
      // What has happened in the session comes first. Then answers: what else
      // happened may end the call.
      const done = this.#turns.findIndex(({ event }) => !event)
      const [turn = first] = this.#turns.splice(Math.max(done < 0 ? this.#turns.findIndex(({ event }) => event?.type === "answer") : done, 0), 1)
      // A callback that minds its signal comes back with no news.
      if (!this.#stopped || (turn.event?.type !== "lost" && turn.event?.type !== "refuse")) return turn
    }
    if (this.#stopped) return { event: { type: "cancel" }, cause: this.#stopped.reason }
    if (!this.#due) return
    this.#due = false
    return { event: { type: "tick" } }
  }

  /** Nothing is in flight, nothing is asked, and the next leg goes out later. */
  #pause() {
    const leg = this.#leg
    this.#leg = undefined
    if (leg !== undefined) observe(() => this.#callbacks.onLeg?.(leg, true))
  }

  /** @param {Driven} driven @param {Performed} action */
  #perform(driven, action) {
    if (goesOut(action) && action.leg) {
      const { leg } = action
      this.#leg = leg
      observe(() => this.#callbacks.onLeg?.(leg, false))
    }
    switch (action.type) {
      case "ask": {
        const { type, call, ...ask } = action
        return this.#questions.put(ask)
      }
      case "withdraw":
        return this.#questions.close(action.ask)
      case "wait":
        this.#due = false
        return this.#alarm.set(action.until) // a tick too early is answered with the same wait
      case "note": {
        const { type, call, ...note } = action
        return observe(() => this.#callbacks.onNote?.(note))
      }
      case "progress":
        return observe(() => this.#callbacks.onProgress?.(action.leg, action.params))
      case "task":
        return observe(() => this.#callbacks.onTask?.(action.status, action.message))
      default:
        return driven.perform(action)
    }
  }
}

/** @param {{result: string, noStore?: boolean}} done @returns {Outcome} */
function finished({ result, noStore }) {
  return noStore ? { status: "done", result, noStore } : { status: "done", result }
}

/** Whether something would be lost without a snapshot. @param {Event | undefined} event @param {Performed[]} actions */
function worthSaving(event, actions) {
  if (actions.some(({ type }) => type === "done")) return false
  // A task goes on at the server, and may be polled only much later.
  return event?.type === "answer" || actions.some((action) => action.type === "ask" || action.type === "task" || goesOut(action))
}

/**
 * Whether all that came of a leg is a pause. An event that is no leg's may move
 * the alarm too.
 *
 * @param {Event | undefined} event @param {Performed[]} actions
 */
function pauses(event, actions) {
  if (event && event.type !== "response" && event.type !== "lost") return false
  return actions.some(({ type }) => type === "wait") && actions.every(({ type }) => type === "wait" || type === "note")
}

/** @param {Performed} action @returns {action is Performed & {leg: number}} */
function goesOut(action) {
  return action.type === "send" || action.type === "post"
}
