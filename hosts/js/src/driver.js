import { Code, InstanceError, ParleyError } from "./errors.js"
import { Questions } from "./questions.js"
import { inEnglish, say } from "./sentence.js"
import { observe } from "./watchers.js"

/** @import { Askers } from "./askers.js" */
/** @import { Done, Event, Expect } from "./flow.js" */
/** @import { HostSide } from "./request.js" */
/** @import { Router } from "./router.js" */
/** @import { Sentence } from "./sentence.js" */
/** @import { CallAction, Carries, Recall } from "./session-core.js" */

/**
 * How a call ended. `result` is the server's final result as JSON text, byte
 * for byte; `noStore` says that it must not be cached, `cached` that the server gave it
 * earlier and nothing was sent. Of a page of a list, `next` is what asks for the next
 * one: the JSON text of a cursor, which goes back as it is. `lacks` says that the result
 * does not have what its method must bring, such as content; the call was carried out,
 * and `result` is what came. A `snapshot` holds
 * everything that was collected, and a secret: `resume` continues it.
 *
 * @typedef {{status: "done", result: string, noStore?: boolean, cached?: boolean, next?: string, lacks?: string, sentence?: Sentence} | {status: "parked", snapshot: string} | Failed} Outcome
 */

/**
 * @typedef {object} Failed
 * @property {"failed"} status
 * @property {number} code one of Code
 * @property {string} detail what is wrong and where; never a state or an answer
 * @property {Sentence} [sentence] the detail, to be translated
 * @property {boolean} resumable the fault is not in what the server said
 * @property {boolean} [inDoubt] no answer to a tool call came and the tool may have run: going on needs `resend`
 * @property {string} [snapshot] if resumable
 * @property {string} [response] the server's JSON-RPC error object as JSON text, if it sent one; its text is the server's
 * @property {unknown} [cause] what a callback or the transport threw, or the reason of the signal
 */

/**
 * What happens to a call: an event, or actions that follow from one that was
 * the session's. `cause` is why something failed; a trap says that there is
 * nothing to continue.
 *
 * @typedef {{event: Event, cause?: unknown, actions?: undefined}
 *   | {actions: CallAction[], cause?: unknown, event?: undefined}
 *   | {trap: InstanceError, cause?: undefined, actions?: undefined, event?: undefined}} Turn
 */

/** @typedef {(turn: Turn) => void} Feed */

/** Performs the actions of one call, nothing more: what they mean is the engine's. */
export class Driver {
  #router
  #questions
  #side
  /** @type {Turn[]} */
  #turns = []
  #wake = () => {}
  #due = false
  /** How often it was continued in another session, or lost. */
  #lives = 0
  /** The caller gave up. @type {{reason: unknown} | undefined} */
  #stopped
  /** Ends waiting for a save. */
  #leave = () => {}
  /** What waits for a save is not to be done any more. */
  #moot = false
  /** What failed last threw. @type {unknown} */
  #cause

  /** The call in the session; another one after a trap. */
  number
  begin
  watchers
  alarm

  /** Its end has come, and may still have to be performed. */
  over = false

  /** How many saves stand between what the engine said last and what is done. */
  saving = 0

  /** The leg that waits for one of them. @type {Carries | Recall | undefined} */
  held

  /** What ended the call where the engine did not. @type {InstanceError | undefined} */
  trap

  /** The last snapshot before a trap. @type {string | undefined} */
  kept

  /** The exchange of a leg that has gone out, 0 if that was in another session. Only a message that is its last one tells that it was answered. @type {number | undefined} */
  flying

  /** After a trap: a leg may have arrived that was not answered. */
  inDoubt = false

  /** What `save` has kept last. @type {string | undefined} */
  safe

  /** @param {Router} router @param {number} number @param {HostSide & {askers: Askers}} side @param {Expect} labels @param {import("./flow.js").Begin} begin */
  constructor(router, number, side, { peer, principal, size }, begin) {
    this.#router = router
    const { askers, watchers = {}, save } = side
    this.#side = side
    this.watchers = watchers
    this.number = number
    this.labels = { peer, principal, size }
    this.begin = begin
    begin.save = save && true
    begin.watch = (watchers.onLeg ?? watchers.onPause) && true
    this.#questions = new Questions(askers, this.#feed)
    this.alarm = router.alarm(() => {
      this.#due = true
      this.#wake()
    })
  }

  /** Performs what the engine says until the call ends. @returns {Promise<Outcome>} */
  async run() {
    const { park, signal } = this.#side
    const stop = () => this.stop(signal?.reason)
    const leave = () => this.#feed({ event: { type: "park" } })
    try {
      if (signal?.aborted) return this.#failed({ code: Code.canceled, ...inEnglish(say`the caller gave up`), resumable: true }, signal.reason)
      signal?.addEventListener("abort", stop)
      if (park?.aborted) leave()
      else park?.addEventListener("abort", leave)
      return await this.#loop()
    } catch (error) {
      if (error instanceof InstanceError) return this.#trapped(error)
      throw error
    } finally {
      signal?.removeEventListener("abort", stop)
      park?.removeEventListener("abort", leave)
      this.#questions.end()
      this.#router.drop(this)
    }
  }

  /** Cancels the call. @param {unknown} reason */
  stop(reason) {
    this.#stopped ??= { reason }
    this.#leave()
    this.#wake()
  }

  /** Takes actions that follow from what happened in the session. @param {CallAction[]} actions @param {unknown} cause */
  deliver(actions, cause) {
    if (actions.some(ends)) this.#moot = this.over = true
    this.#feed({ actions, cause })
  }

  /** The call continues in another session: what the one before had not done yet is moot. @param {number} number */
  restart(number) {
    this.#lives++
    this.number = number
    this.#moot = true
    this.saving = 0
    this.held = undefined
    this.flying = this.inDoubt ? 0 : undefined
    this.#turns = this.#turns.filter(({ actions }) => !actions)
  }

  /** Ends the call, because there is nothing to continue. @param {InstanceError} trap */
  lose(trap) {
    this.restart(this.number)
    this.trap = trap
    this.#feed({ trap })
  }

  /** @type {Feed} */
  #feed = (turn) => {
    this.#turns.push(turn)
    this.#wake()
  }

  /** @returns {Promise<Outcome>} */
  async #loop() {
    /** @type {Turn} */
    let turn = { event: this.begin }
    for (;;) {
      if ("trap" in turn) throw turn.trap
      this.#cause = turn.cause
      /** @type {Turn | undefined} */
      let next
      let moot = false
      const actions = turn.actions ?? this.#step(turn)
      const lives = this.#lives
      for (const action of actions) {
        if ((moot || lives !== this.#lives) && !ends(action)) continue
        if (action.type === "save") {
          const kept = await this.#save()
          moot = kept?.event.type !== "saved"
          if (kept && !moot) actions.push(...this.#step(kept)) // the engine knows before anything else is done
          else next = kept
        } else {
          const outcome = this.#perform(action)
          if (outcome) return outcome
        }
      }
      turn = next ?? (await this.#next())
    }
  }

  /** The actions that follow from an event. @param {Extract<Turn, {event: Event}>} turn */
  #step(turn) {
    const { event } = turn
    const lives = this.#lives
    try {
      const actions = this.#router.step(this, event)
      if (!actions && event.type !== "saved" && event.type !== "saveFailed") this.#turns.push(turn) // after what has happened meanwhile
      else if ("ask" in event && event.ask) this.#questions.answered(event.ask)
      this.over ||= actions?.some(ends) ?? false
      return (lives === this.#lives ? actions : actions?.filter(ends)) ?? []
    } catch (error) {
      if (event.type === "park" && error instanceof ParleyError && error.code === Code.notParkable) return [] // it goes on
      throw error
    }
  }

  /** Keeps a snapshot, and returns what comes of that; nothing if what waited for it is moot. @returns {Promise<Extract<Turn, {event: Event}> | undefined>} */
  async #save() {
    /** @type {Extract<Turn, {event: Event}>} */
    let turn = { event: { type: "saved" } }
    this.#moot = this.over
    if (this.#moot || this.#stopped) return
    try {
      const left = new Promise((resolve) => (this.#leave = () => resolve(undefined)))
      const snapshot = this.#router.snapshot(this)
      await Promise.race([this.#side.save?.(snapshot), left])
      this.safe = snapshot
    } catch (cause) {
      if (this.trap) throw cause
      turn = { event: { type: "saveFailed" }, cause }
    }
    if (this.#moot || this.#stopped) return
    this.saving--
    return turn
  }

  /** @param {{code: number, detail: string, sentence?: Sentence, resumable: boolean, error?: string}} failed @param {unknown} cause @returns {Failed} */
  #failed({ code, detail, sentence, resumable, error }, cause) {
    /** @type {Failed} */
    const failure = { status: "failed", code, detail, sentence, resumable, cause }
    if (error !== undefined) failure.response = error
    if (this.#router.inDoubt(this)) failure.inDoubt = true
    try {
      if (resumable) failure.snapshot = this.#router.snapshot(this)
    } catch (error) {
      failure.resumable = false
      failure.cause ??= error
    }
    return failure
  }

  /** @param {InstanceError} trap @returns {Failed} */
  #trapped(trap) {
    const snapshot = this.kept
    return { status: "failed", code: Code.instance, detail: trap.message, sentence: trap.sentence, resumable: snapshot !== undefined, ...(this.inDoubt && { inDoubt: true }), cause: trap.cause, ...(snapshot !== undefined && { snapshot }) }
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
      if (!this.#stopped || turn.event?.type !== "refuse") return turn
    }
    if (this.#stopped) return { event: { type: "cancel" }, cause: this.#stopped.reason }
    if (!this.#due) return
    this.#due = false
    return { event: { type: "tick" } }
  }

  /** @param {CallAction} action @returns {Outcome | void} */
  #perform(action) {
    const { watchers } = this
    switch (action.type) {
      case "done": {
        const { result, noStore, cached, next, lacks, sentence } = /** @type {Done} */ (action)
        return { status: "done", result, ...(noStore && { noStore }), ...(cached && { cached }), ...(next !== undefined && { next }), ...(lacks !== undefined && { lacks, sentence }) }
      }
      case "parked":
        return { status: "parked", snapshot: this.#router.snapshot(this) }
      case "failed":
        return this.#failed(action, this.#cause)
      case "ask": {
        const question = content(action)
        observe(() => watchers.onQuestion?.(question))
        return this.#questions.put(question)
      }
      case "withdraw":
        return this.#questions.close(action.ask)
      case "wait":
        this.#due = false
        return this.alarm.set(action.until) // a tick too early is answered with the same wait
      case "note":
        return observe(() => watchers.onNote?.(content(action)))
      case "leg":
        return observe(() => watchers.onLeg?.(content(action)))
      case "pause":
        return observe(() => watchers.onPause?.(content(action)))
      case "progress":
        return observe(() => watchers.onProgress?.(action.leg, action.params))
      case "task":
        return observe(() => watchers.onTask?.(action.status, action.message))
      default:
        return this.#router.perform(this, action)
    }
  }
}

/** What an action says beside whose it is. @template {{type: string, call?: number}} T @param {T} action @returns {Omit<T, "type" | "call">} */
function content({ type, call, ...rest }) {
  return rest
}

/** @param {CallAction} action */
const ends = ({ type }) => type === "done" || type === "parked" || type === "failed"
