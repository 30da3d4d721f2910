import { Code, ParleyError } from "./errors.js"
import { say, withMarkedReason } from "./sentence.js"

/** @import { Engine } from "./core.js" */
/** @import { Instance } from "./instance.js" */

/**
 * JSON text, or a value to turn into JSON text. What came from a server is
 * passed on as text: parsing and writing it again would turn 1.0 into 1.
 *
 * @typedef {string | object} Json
 */

/** @typedef {import("./wire.js").Can} Can */
/** @typedef {import("./wire.js").Options} Options */
/** @typedef {import("./wire.js").Expect} Expect */
/** @typedef {import("./wire.js").Info} Info */

/** @typedef {import("./wire.js").Typed<import("./wire.js").Events>} Event */
/** Starts a call, or continues one. @typedef {{type: "begin"} & import("./wire.js").Events["begin"]} Begin */

/** @typedef {Exclude<import("./wire.js").Typed<import("./wire.js").Actions>, {type: "done"}> | Done} Action */
/** A question of the server, or to sign in. @typedef {import("./wire.js").Actions["ask"]} Ask */
/** What a request sends, or what came back. @typedef {import("./wire.js").Actions["leg"]} Leg */
/** Nothing is sent until then. @typedef {import("./wire.js").Actions["pause"]} Pause */
/** An audit record, without state or content. @typedef {import("./wire.js").Actions["note"]} Note */
/** The final result, as JSON text. @typedef {{type: "done", result: string} & Omit<import("./wire.js").Actions["done"], "result" | "from" | "to">} Done */

/** What comes in place of {@link Done} after a response that came in parts. @typedef {{type: "done", result?: undefined, from: number, to: number} & Omit<import("./wire.js").Actions["done"], "result" | "from" | "to">} DoneWithin */

/**
 * One logical call: a request with all its rounds. It lives in the engine's
 * instance until {@link Flow.free}, and ends with it: after a trap,
 * {@link Engine.restoreFlow} continues it from a snapshot that was kept.
 */
export class Flow {
  #instance
  #handle
  #freed = false

  /** @param {Instance} instance @param {number} handle */
  constructor(instance, handle) {
    this.#instance = instance
    this.#handle = handle
  }

  /**
   * Advances the flow by one event and returns every action that follows from
   * it. A {@link ParleyError} (Code.order, Code.notParkable) leaves it as it was.
   *
   * @param {number} now Unix time in milliseconds
   * @param {Event} event
   * @returns {Action[]}
   */
  step(now, event) {
    return this.#live().give("parley_flow_step", withMarkedReason(event), this.#handle, now).actions
  }

  /** Everything needed to continue elsewhere. It holds a secret. @returns {string} */
  snapshot() {
    return this.#live().ask("parley_flow_snapshot", this.#handle).snapshot
  }

  /** @returns {Info} */
  info() {
    return this.#live().ask("parley_flow_info", this.#handle)
  }

  /** Lets go of the flow. It may be called more than once. */
  free() {
    if (!this.#freed) this.#instance.free("parley_flow_free", this.#handle)
    this.#freed = true
  }

  #live() {
    if (this.#freed) throw new ParleyError(Code.order, say`the flow was freed`)
    return this.#instance
  }
}

/**
 * The request for a new flow or call.
 *
 * @param {string} method @param {Json} params @param {Options} options
 */
export function request(method, params, options) {
  const { capabilities } = options
  return { method, params: text(params), options: capabilities === undefined ? options : { ...options, capabilities: text(capabilities) } }
}

/** @param {Json} value */
export function text(value) {
  return typeof value === "string" ? value : JSON.stringify(value)
}
