import { asks, can, merge } from "./callbacks.js"
import { Driver } from "./driver.js"
import { Code, ParleyError } from "./errors.js"
import { Router } from "./router.js"

/** @import { Askers, Callbacks } from "./callbacks.js" */
/** @import { Engine } from "./core.js" */
/** @import { Outcome } from "./driver.js" */
/** @import { Begin, Expect, Json, Options } from "./flow.js" */
/** @import { SessionWatchers } from "./router.js" */
/** @import { SessionOptions } from "./session-core.js" */
/** @import { Transport } from "./transport.js" */

/**
 * What shapes a session, who answers its server's questions, and who watches
 * it.
 *
 * @typedef {Omit<SessionOptions, "transport" | "can"> & Askers & SessionWatchers} ConnectOptions
 */

/** Options of a call. What can be answered in it, its callbacks say. @typedef {Omit<Options, "can">} CallOptions */

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
  /** @type {Askers} */
  #askers
  /** The calls that run. @type {Map<Driver, Promise<unknown>>} */
  #running = new Map()
  /** @type {Promise<void> | undefined} */
  #closed

  /** @param {Engine} engine @param {Transport} transport @param {ConnectOptions} options */
  constructor(engine, transport, options) {
    const { elicit, elicitUrl, sample, sampleTools, listRoots, tasks, fill, onNotification, onReady, onWarning, ...shape } = options
    this.#askers = { elicit, elicitUrl, sample, sampleTools, listRoots, tasks, fill }
    this.#router = new Router(engine, transport, { ...shape, can: can(this.#askers), transport: transport.kind }, { onNotification, onReady, onWarning })
  }

  /**
   * Makes a call and runs it until it ends. When its signal aborts, it returns
   * at once. It throws only on a mistake in using it, before anything was sent
   * or asked.
   *
   * @param {string} method
   * @param {Json} [params] text goes out as it is
   * @param {Callbacks} [callbacks]
   * @param {CallOptions} [options]
   * @returns {Promise<Outcome>}
   */
  async call(method, params, callbacks = {}, options = {}) {
    this.#open()
    const merged = merge(callbacks, this.#askers)
    const says = asks(callbacks) || options.capabilities !== undefined
    return this.#run(this.#router.call(method, params, says ? { ...options, can: can(merged) } : options), merged, options)
  }

  /**
   * Goes on with a call from its snapshot, of this session or another with the
   * same server: a question that was open is asked again, nothing that was
   * answered is asked twice. A tool call that was in flight fails with
   * Code.inDoubt, because it may have been made; `resend` calls it again all the
   * same. `again` starts the call over, as after Code.state, with what people
   * filled in earlier beside the same questions; `moreRounds` lets the server
   * ask that much more.
   *
   * @param {string} snapshot
   * @param {Callbacks} [callbacks]
   * @param {Expect & Pick<Begin, "resend" | "again" | "moreRounds">} [expect] the labels the call was made with
   * @returns {Promise<Outcome>}
   */
  async resume(snapshot, callbacks = {}, { resend, again, moreRounds, ...expect } = {}) {
    this.#open()
    const merged = merge(callbacks, this.#askers)
    const number = this.#router.restore(snapshot, { ...expect, can: can(merged) })
    return this.#run(number, merged, expect, { resend, again, moreRounds })
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

  /** @param {number} number @param {Callbacks} callbacks @param {Expect} labels @param {Omit<Begin, "type">} [begin] */
  async #run(number, callbacks, labels, begin) {
    const driver = new Driver(this.#router, number, callbacks, labels, { type: "begin", ...begin })
    this.#router.add(driver)
    const running = driver.run()
    this.#running.set(driver, running)
    try {
      return await running
    } finally {
      this.#running.delete(driver)
    }
  }
}
