import { capabilitiesOf } from "./callbacks.js"
import { Driver } from "./driver.js"
import { Code, ParleyError } from "./errors.js"
import { Router } from "./router.js"
import { begin, ready } from "./run.js"
import { SessionCall } from "./session-call.js"

/** @import { Askers, Asking } from "./callbacks.js" */
/** @import { Engine } from "./core.js" */
/** @import { Outcome } from "./driver.js" */
/** @import { Expect, Json, Options } from "./flow.js" */
/** @import { SessionWatchers } from "./router.js" */
/** @import { OnNotification } from "./session-call.js" */
/** @import { SessionOptions } from "./session-core.js" */
/** @import { Transport } from "./transport.js" */

/**
 * What shapes a session, who answers its server's questions, and who watches
 * it. `capabilities` is for what must say more than the callbacks do, such as
 * extensions; where it is given, it is what every call declares.
 *
 * @typedef {Omit<SessionOptions, "transport"> & Askers & SessionWatchers} ConnectOptions
 */

/**
 * The host's side of one call. Question callbacks stand in for the session's;
 * servers of earlier eras were told of those alone, and once.
 *
 * @typedef {Asking & {onNotification?: OnNotification}} SessionCallbacks `onNotification` gets what comes in the call's own responses
 */

/**
 * A session with a server, over a transport. It speaks MCP 2026-07-28, and
 * `initialize` with servers of earlier eras. Nothing is sent before its first
 * call.
 *
 * @param {Engine} engine
 * @param {Transport} transport
 * @param {ConnectOptions} [options]
 */
export function connect(engine, transport, options = {}) {
  return new Session(engine, transport, options)
}

/** Calls to one server; `connect` makes one. */
export class Session {
  #router
  #askers
  /** The capabilities were given, so callbacks may lack. */
  #given
  /** The calls that run. @type {Map<Driver, Promise<unknown>>} */
  #running = new Map()
  /** @type {Promise<void> | undefined} */
  #closed

  /** @param {Engine} engine @param {Transport} transport @param {ConnectOptions} options */
  constructor(engine, transport, options) {
    const { elicit, elicitUrl, sample, sampleTools, listRoots, tasks, onNotification, onReady, onWarning, ...shape } = options
    this.#askers = { elicit, elicitUrl, sample, sampleTools, listRoots, tasks }
    this.#given = shape.capabilities !== undefined
    const capabilities = shape.capabilities ?? capabilitiesOf(this.#askers)
    this.#router = new Router(engine, transport, { ...shape, capabilities, transport: transport.kind }, { onNotification, onReady, onWarning })
  }

  /**
   * Makes a call and runs it until it ends. When its signal aborts, it returns
   * at once. It throws only on a mistake in using it, before anything was sent
   * or asked.
   *
   * @param {string} method
   * @param {Json} [params] text goes out as it is
   * @param {SessionCallbacks} [callbacks]
   * @param {Options} [options]
   * @returns {Promise<Outcome>}
   */
  async call(method, params, callbacks = {}, options = {}) {
    this.#open()
    const merged = this.#merge(callbacks)
    const declares = options.capabilities === undefined && !this.#given && asks(callbacks)
    const number = this.#router.call(method, params, declares ? { ...options, capabilities: capabilitiesOf(merged) } : options)
    return this.#run(number, merged, options, false, options.capabilities !== undefined || this.#given)
  }

  /**
   * Goes on with a call from its snapshot, of this session or another with the
   * same server: a question that was open is asked again, nothing that was
   * answered is asked twice. A tool call that was in flight fails with
   * Code.inDoubt, because it may have been made; `resend` calls it again all the
   * same.
   *
   * @param {string} snapshot
   * @param {SessionCallbacks} [callbacks]
   * @param {Expect & {resend?: boolean}} [expect] the labels the call was made with
   * @returns {Promise<Outcome>}
   */
  async resume(snapshot, callbacks = {}, { resend, ...expect } = {}) {
    this.#open()
    return this.#run(this.#router.restore(snapshot, expect), this.#merge(callbacks), expect, resend, true)
  }

  /**
   * Ends the session: calls that run are canceled, resumably, and the server is
   * told. It resolves when nothing is left.
   *
   * @returns {Promise<void>}
   */
  close() {
    return (this.#closed ??= this.#close())
  }

  async #close() {
    const reason = new Error("parley: the session was closed")
    for (const driver of this.#running.keys()) driver.stop(reason)
    await Promise.allSettled(this.#running.values())
    await this.#router.close()
  }

  #open() {
    if (this.#closed) throw new ParleyError(Code.order, "the session is closed")
  }

  /** @param {SessionCallbacks} callbacks @returns {SessionCallbacks} */
  #merge(callbacks) {
    const { elicit, elicitUrl, sample, sampleTools, listRoots, tasks } = this.#askers
    return {
      ...callbacks,
      elicit: callbacks.elicit ?? elicit,
      elicitUrl: callbacks.elicitUrl ?? elicitUrl,
      sample: callbacks.sample ?? sample,
      sampleTools: callbacks.sampleTools ?? sampleTools,
      listRoots: callbacks.listRoots ?? listRoots,
      tasks: callbacks.tasks ?? tasks,
    }
  }

  /**
   * @param {number} number @param {SessionCallbacks} callbacks @param {Expect} labels
   * @param {boolean | undefined} resend @param {boolean} doubtful callbacks may lack
   */
  async #run(number, callbacks, labels, resend, doubtful) {
    const driver = new Driver(callbacks, this.#router.clock)
    const call = new SessionCall(this.#router, number, driver.feed, labels, callbacks.onNotification)
    this.#router.add(call)
    try {
      if (doubtful) ready(this.#router.info(number), callbacks)
    } catch (error) {
      this.#router.drop(call)
      throw error
    }
    const running = driver.run(call, begin(resend))
    this.#running.set(driver, running)
    try {
      return await running
    } finally {
      this.#running.delete(driver)
    }
  }
}

/** Whether a call brings something to declare. @param {Askers} callbacks */
function asks({ elicit, elicitUrl, sample, sampleTools, listRoots, tasks }) {
  return (elicit ?? elicitUrl ?? sample ?? sampleTools ?? listRoots ?? tasks) !== undefined
}
