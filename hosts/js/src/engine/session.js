import { request, text } from "./call.js"
import { withMarkedReason } from "../texts/sentence.js"

/** @import { Action, Event, Expect, Info, Json, Options } from "./call.js" */
/** @import { Instance } from "./instance.js" */

/** @typedef {import("./wire.js").SessionOptions} SessionOptions */
/** @typedef {import("./wire.js").SubscriptionFilter} SubscriptionFilter */

/** @typedef {import("./wire.js").SessionEvents["message"] & {exchange: number}} ReceivedMessage `exchange` is 0 over stdio */
/** @typedef {import("./wire.js").SessionEvents["ended"]} EndedExchange */
/** What a transport feeds. @typedef {{type: "opened"} & import("./wire.js").SessionEvents["opened"] | {type: "message"} & ReceivedMessage | {type: "ended"} & EndedExchange | {type: "down"} & import("./wire.js").SessionEvents["down"]} Received */
/** @typedef {{type: "part", exchange: number} & import("./wire.js").SessionEvents["part"]} MessagePart */
/** @typedef {Received | MessagePart | Exclude<Event, {type: "part" | "response" | "lost" | "progress"}> & {call: number} | {type: "tick"} | {type: "close"} | {type: "subscribe"} & import("./wire.js").SessionEvents["subscribe"]} SessionEvent */

/** What the server has agreed to tell of. @typedef {import("./wire.js").SessionActions["subscribed"]} Subscribed */
/** What is to be got again; with `missed`, all of it may be. @typedef {import("./wire.js").SessionActions["changed"]} Changed */
/** @typedef {import("./wire.js").SessionActions["ready"]} Server what the server said about itself; nothing may depend on it for security */
/** @typedef {{type: "post"} & import("./wire.js").SessionActions["post"]} Post */
/** @typedef {{type: "request"} & import("./wire.js").SessionActions["request"]} RequestAction */
/** What carries a leg. @typedef {Post | RequestAction} Carries */
/** @typedef {{type: "listen"} & import("./wire.js").SessionActions["listen"]} Listen */
/** @typedef {{type: "recall"} & import("./wire.js").SessionActions["recall"]} Recall */
/** @typedef {{type: "keep"} & import("./wire.js").SessionActions["keep"]} Keep */
/** @typedef {{type: "forget"} & import("./wire.js").SessionActions["forget"]} Forget */
/** @typedef {{type: "delete"} & import("./wire.js").SessionActions["delete"]} Delete */
/** @typedef {{type: "abort"} & import("./wire.js").SessionActions["abort"]} Abort */

/**
 * An action of one call, whose legs go out as posts or requests.
 *
 * @typedef {{call: number} & (Action
 *   | Carries & {leg: number}
 *   | Recall
 *   | {type: "progress"} & import("./wire.js").SessionActions["progress"]
 *   | {type: "notification"} & import("./wire.js").SessionActions["notification"])} CallAction
 */

/**
 * An action of the session itself.
 *
 * @typedef {{call?: undefined} & (Carries | Keep | Forget | Listen | Delete | Abort
 *   | {type: "notification"} & import("./wire.js").SessionActions["notification"]
 *   | {type: "subscribed"} & Subscribed
 *   | {type: "changed"} & Changed
 *   | {type: "ready"} & Server
 *   | {type: "warning"} & import("./wire.js").SessionActions["warning"]
 *   | {type: "wait", until: number})} OwnAction
 */

/** @typedef {CallAction | OwnAction} SessionAction */

/**
 * A whole client without its input and output: messages in, messages out. Its
 * calls are numbered; any number of them run at once. It lives in the engine's
 * instance until {@link SessionCore.free}, and ends with it: after a trap, a new
 * session can restore its calls from snapshots that were kept.
 */
export class SessionCore {
  #instance
  #handle
  #freed = false
  #release

  /** @param {Instance} instance @param {SessionOptions} options @param {() => void} [release] called when it is freed */
  constructor(instance, options, release = () => {}) {
    const { clientInfo, capabilities } = options
    const json = { ...options, clientInfo: clientInfo && text(clientInfo), capabilities: capabilities && text(capabilities) }
    this.#instance = instance
    this.#release = release
    this.#handle = instance.give("parley_session_new", json).session
  }

  /**
   * A call for one request, to be begun with an event. Fails with a
   * {@link ParleyError} of Code.options.
   *
   * @param {string} method @param {Json} [params] @param {Options} [options]
   * @returns {number}
   */
  call(method, params = "{}", options = {}) {
    return this.#instance.give("parley_session_call", request(method, params, options), this.#handle).call
  }

  /**
   * A call from a snapshot. Fails with a {@link ParleyError} of Code.snapshot or
   * Code.peer.
   *
   * @param {string} snapshot @param {Expect} [expect]
   * @returns {number}
   */
  restore(snapshot, expect = {}) {
    return this.#instance.give("parley_session_restore", { ...expect, snapshot }, this.#handle).call
  }

  /**
   * Advances the session by one event and returns every action that follows
   * from it, of whichever call. A {@link ParleyError} leaves it as it was.
   *
   * @param {number} now Unix time in milliseconds
   * @param {SessionEvent} event
   * @returns {SessionAction[]}
   */
  step(now, event) {
    return this.#instance.give("parley_session_step", withMarkedReason(event), this.#handle, now).actions
  }

  /** Everything needed to continue a call, here or elsewhere. It holds a secret. @param {number} call @returns {string} */
  snapshot(call) {
    return this.#instance.ask("parley_session_snapshot", this.#handle, call).snapshot
  }

  /** @param {number} call @returns {Info} */
  info(call) {
    return this.#instance.ask("parley_session_info", this.#handle, call)
  }

  /** Lets go of a call. @param {number} call */
  drop(call) {
    if (!this.#freed) this.#instance.free("parley_session_drop", this.#handle, call)
  }

  /** Lets go of the session and its calls. It may be called more than once. */
  free() {
    if (this.#freed) return
    this.#freed = true
    this.#instance.free("parley_session_free", this.#handle)
    this.#release()
  }

  /** The trap that ended the session, if there was one. */
  get trap() {
    return this.#instance.trap
  }
}
