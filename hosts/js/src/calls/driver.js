import { Context } from "./callback.js"
import { Code, InstanceError, ParleyError } from "../engine/errors.js"
import { Questions } from "./questions.js"
import { inEnglish, say } from "../texts/sentence.js"
import { observe } from "./watchers.js"

/** @import { Askers } from "./askers.js" */
/** @import { Ask, Begin, Done, Event } from "../engine/call.js" */
/** @import { HostSide } from "./request.js" */
/** @import { Router } from "./router.js" */
/** @import { Sentence } from "../texts/sentence.js" */
/** @import { CallAction, SessionEvent } from "../engine/session.js" */

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

/** What ends a call. @typedef {Done | {type: "parked"} | {type: "failed", code: number, detail: string, sentence?: Sentence, resumable: boolean, error?: string}} Ending */

/** Performs the actions of one call, in order. What they mean is the engine's. */
export class Driver {
  #router
  #side
  #begin
  #method
  #questions
  #alarm
  /** What a trap leaves: what was kept last, or what the call was resumed from. @type {string | undefined} */
  #snapshot
  /** The save that is not reported. @type {Context | undefined} */
  #saving
  #resolve = (/** @type {Outcome} */ _) => {}
  #reject = (/** @type {unknown} */ _) => {}

  /** The call in the core. */
  number = 0

  /** The transport was given a request of it. */
  wasSent = false

  /** It has ended. */
  over = false

  /** @param {Router} router @param {HostSide & {askers: Askers}} side @param {Begin} begin @param {{method?: string, snapshot?: string}} of what it is, or what it is resumed from */
  constructor(router, side, begin, { method, snapshot }) {
    const { askers, watchers, save } = side
    this.#router = router
    this.#side = side
    this.#begin = begin
    begin.save = save && true
    begin.watch = (watchers?.onLeg ?? watchers?.onPause) && true
    this.#method = method
    this.#snapshot = snapshot
    this.#questions = new Questions(askers, (event, cause) => this.step(event, cause))
    this.#alarm = router.clock.alarm(() => this.step({ type: "tick" }))
  }

  /** Begins the call, which the core has. @returns {Promise<Outcome>} */
  begin() {
    const { park, signal } = this.#side
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      if (signal?.aborted) return this.#stop()
      signal?.addEventListener("abort", this.#stop)
      park?.addEventListener("abort", this.#park)
      this.step(this.#begin)
      if (park?.aborted) this.#park()
    })
  }

  /** Takes an event of the call, and why something failed. @param {Event} event @param {unknown} [cause] */
  step(event, cause) {
    const own = /** @type {SessionEvent & {call: number}} */ (event)
    own.call = this.number
    this.#router.step(own, cause, this)
  }

  /** The caller gives up. @param {unknown} reason */
  cancel(reason) {
    this.step({ type: "cancel" }, reason)
  }

  #stop = () => this.cancel(this.#side.signal?.reason)

  #park = () => this.step({ type: "park" })

  /** The engine refuses an event, which has changed nothing. @param {{type: string, ask?: number}} event @param {ParleyError} error */
  refused({ type, ask }, error) {
    if (type === "park" && error.code === Code.notParkable) return // the call continues
    if (type === "answer" && ask !== undefined) return this.step({ type: "refuse", ask, reason: say`the asker failed` }, error)
    this.#end()
    this.#reject(error)
  }

  /** @param {CallAction} action @param {unknown} cause */
  perform(action, cause) {
    switch (action.type) {
      case "save":
        return this.#save()
      case "ask":
        return this.#ask(content(action))
      case "withdraw":
        return this.#questions.close(action.ask)
      case "wait":
        return this.#alarm.set(action.until) // a tick too early is answered with the same wait
      case "done":
      case "parked":
      case "failed":
        return this.#finish(action, cause)
      default:
        return observe(() => this.#tell(action))
    }
  }

  /** Takes the snapshot at once, and reports when it is kept. */
  #save() {
    const context = (this.#saving = new Context())
    let snapshot = ""
    try {
      snapshot = this.#router.core.snapshot(this.number)
    } catch (error) {
      if (error instanceof InstanceError) throw error
      return this.step({ type: "saveFailed" }, error)
    }
    context.call(
      () => this.#side.save?.(snapshot),
      () => {
        this.#snapshot = snapshot
        this.step({ type: "saved" })
      },
      (error) => this.step({ type: "saveFailed" }, error),
    )
  }

  /** @param {Ask} question */
  #ask(question) {
    observe(() => this.#side.watchers?.onQuestion?.(question))
    this.#questions.put(question)
  }

  /** Tells a watcher. @param {CallAction} action */
  #tell(action) {
    const { watchers = {} } = this.#side
    switch (action.type) {
      case "note":
        return watchers.onNote?.(content(action))
      case "leg":
        return watchers.onLeg?.(content(action))
      case "pause":
        return watchers.onPause?.(content(action))
      case "progress":
        return watchers.onProgress?.(action.leg, action.params)
      case "task":
        return watchers.onTask?.(action.status, action.message)
      case "notification":
        return (watchers.onNotification ? watchers : this.#router.watchers).onNotification?.(action.method, action.params)
    }
  }

  /** Ends the call as the engine says. @param {Ending} action @param {unknown} cause */
  #finish(action, cause) {
    try {
      const outcome = this.#outcome(action, cause)
      this.#end()
      this.#resolve(outcome)
    } catch (error) {
      if (error instanceof InstanceError) throw error
      this.#end()
      this.#reject(error)
    }
  }

  /** @param {Ending} action @param {unknown} cause @returns {Outcome} */
  #outcome(action, cause) {
    if (action.type === "parked") return { status: "parked", snapshot: this.#router.core.snapshot(this.number) }
    if (action.type === "done") {
      const { result, noStore, cached, next, lacks, sentence } = action
      return { status: "done", result, ...(noStore && { noStore }), ...(cached && { cached }), ...(next !== undefined && { next }), ...(lacks !== undefined && { lacks, sentence }) }
    }
    const { code, detail, sentence, resumable, error } = action
    /** @type {Failed} */
    const failure = { status: "failed", code, detail, sentence, resumable, cause }
    if (error !== undefined) failure.response = error
    if (this.#router.core.info(this.number).inDoubt) failure.inDoubt = true
    try {
      if (resumable) failure.snapshot = this.#router.core.snapshot(this.number)
    } catch (error) {
      if (error instanceof InstanceError) throw error
      failure.resumable = false
      failure.cause ??= error
    }
    return failure
  }

  /** Ends the call after a trap: it can continue from what was kept last. @param {InstanceError} trap @returns {Failed} */
  trapped({ cause }) {
    const snapshot = this.#side.save && this.#snapshot
    const info = this.#snapshot === undefined ? undefined : this.#router.snapshotInfo(this.#snapshot)
    const isTool = (info?.method ?? this.#method ?? "tools/call") === "tools/call"
    const inDoubt = snapshot === undefined ? info?.inDoubt || (isTool && this.wasSent) : info ? info.inDoubt : isTool
    const words = inEnglish(snapshot === undefined ? say`no snapshot of it was saved` : say`resume it from the snapshot that was saved last`)
    /** @type {Failed} */
    const failure = { status: "failed", code: Code.instance, ...words, resumable: snapshot !== undefined, ...(inDoubt && { inDoubt: true }), ...(snapshot !== undefined && { snapshot }), cause }
    this.#end()
    this.#resolve(failure)
    return failure
  }

  /** Ends what runs with the call. */
  #end() {
    const { park, signal } = this.#side
    this.over = true
    signal?.removeEventListener("abort", this.#stop)
    park?.removeEventListener("abort", this.#park)
    this.#saving?.end()
    this.#router.clock.release(this.#alarm)
    this.#router.drop(this)
    this.#questions.end()
  }
}

/** What an action says beside whose it is. @template {{type: string, call?: number}} T @param {T} action @returns {Omit<T, "type" | "call">} */
export function content({ type, call, ...rest }) {
  return rest
}
