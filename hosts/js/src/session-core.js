import { parse, request, text } from "./flow.js"

/** @import { Action, Ask, Event, Expect, Info, Json, Note, Options } from "./flow.js" */
/** @import { Instance } from "./instance.js" */

/**
 * The options of a session; wasm/ABI.md has the defaults.
 *
 * @typedef {object} SessionOptions
 * @property {"http" | "stdio" | "requests"} [transport] how messages travel; http if absent
 * @property {Json} [clientInfo] the client's Implementation object
 * @property {import("./flow.js").Can} [can] what the host can answer in a call that does not say it itself, and all that servers of earlier eras are told
 * @property {Json} [capabilities] clientCapabilities: what to declare beside `can`, such as extensions, in calls that have none of their own
 * @property {string[]} [versions] that may be spoken, the preferred one first; one alone pins it
 * @property {string} [known] the version that `ready` reported earlier for this server
 * @property {boolean} [discover] ask for the server's description first, over HTTP too
 * @property {number} [probeTimeout] how long a server over stdio may take to say which era it is of, in milliseconds
 * @property {number} [firstId] the id of the first request, from 1 to 2^48; later ones are larger. `connect` draws one at random
 * @property {boolean} [stringIds] make request ids strings
 * @property {"" | "SEP-2322" | "SEP-2322-draft" | "SEP-2322-draft-camel" | "SEP-1685"} [dialect] how the server asks, if it follows a proposal from
 * before 2026-07-28
 * @property {string} [logLevel] asks for the server's log messages at this level and above
 */

/**
 * A message of the server. `exchange` is that of the post or listen in whose
 * response it came, 0 over stdio; `last` says that the exchange ends with it.
 *
 * @typedef {object} ReceivedMessage
 * @property {number} exchange
 * @property {string} body JSON text
 * @property {number} [status] of HTTP, 200 if absent
 * @property {string} [sessionId] the header field Mcp-Session-Id
 * @property {string} [eventId] of a server-sent event
 * @property {number} [retry] the stream's reconnection time in milliseconds
 * @property {boolean} [last]
 */

/**
 * An exchange is over, and no more messages will come of it. `reason` says why
 * if it failed, without secrets; `unsent` that the request certainly never
 * reached the server. The rest is as in a {@link ReceivedMessage}.
 *
 * @typedef {object} EndedExchange
 * @property {number} exchange
 * @property {number} [status] absent if no response came
 * @property {string} [sessionId]
 * @property {string} [eventId]
 * @property {number} [retry]
 * @property {string} [reason]
 * @property {boolean} [unsent]
 */

/**
 * What a transport feeds: `down` says that the server's process is gone.
 *
 * @typedef {{type: "message"} & ReceivedMessage | {type: "ended"} & EndedExchange | {type: "down", reason?: string}} Received
 */

/** @typedef {Received | Event & {call: number} | {type: "tick"} | {type: "close"}} SessionEvent */

/** Sends a message: by POST with these header fields, or as a line over stdio. @typedef {{type: "post", exchange: number, call?: number, leg?: number, headers?: [string, string][], body: string}} Post */
/** Sends a request over a connection that is not the session's; nobody waits for the answer if it has no leg. @typedef {{type: "request", exchange: number, call?: number, leg?: number, method: string, params: string, capabilities: string}} RequestAction */
/** What carries a leg. @typedef {Post | RequestAction} Carries */
/** Opens a stream by GET, not before a time in Unix milliseconds. @typedef {{type: "listen", exchange: number, headers: [string, string][], at?: number}} Listen */
/** @typedef {{type: "delete", exchange: number, headers: [string, string][]}} Delete */
/** @typedef {{type: "abort", exchange: number}} Abort */

/**
 * An action of one call: the same as a flow's, except that legs go out as posts or requests.
 *
 * @typedef {{call: number} & (Exclude<Action, {type: "send" | "abandon" | "tell"}>
 *   | Carries & {leg: number}
 *   | {type: "progress", leg: number, params: string}
 *   | {type: "notification", method: string, params?: string})} CallAction
 */

/**
 * What the server said about itself, as JSON text. Nothing may depend on it for
 * security.
 *
 * @typedef {object} Server
 * @property {string} version the protocol version that is spoken
 * @property {string} [serverInfo]
 * @property {string} [capabilities]
 * @property {string} [instructions] plain text
 */

/**
 * An action of the session itself.
 *
 * @typedef {{call?: undefined} & (Carries | Listen | Delete | Abort
 *   | {type: "notification", method: string, params?: string}
 *   | {type: "ready"} & Server
 *   | {type: "warning", text: string}
 *   | {type: "wait", until: number})} OwnAction
 */

/** @typedef {CallAction | OwnAction} SessionAction */

/**
 * A whole client without its input and output: messages in, messages out. Its
 * calls are numbered; any number of them run at once. It lives in the engine's
 * instance until {@link SessionCore.free}, and ends with it: after a trap, a new
 * session can restore the calls whose last snapshot is up to date.
 */
export class SessionCore {
  #instance
  #handle
  #freed = false
  /** @type {Map<number, string>} */
  #saved = new Map()

  /** @param {Instance} instance @param {SessionOptions} options */
  constructor(instance, options) {
    if (!instance.hasSessions) throw new TypeError("parley: this module has no sessions: load parley-session.wasm")
    const { clientInfo, capabilities } = options
    const json = { ...options, clientInfo: clientInfo && text(clientInfo), capabilities: capabilities && text(capabilities) }
    this.#instance = instance
    this.#handle = parse(instance.give("parley_session_new", JSON.stringify(json))).session
  }

  /**
   * A call for one request, to be begun with an event. Fails with a
   * {@link ParleyError} of Code.options.
   *
   * @param {string} method @param {Json} [params] @param {Options} [options]
   * @returns {number}
   */
  call(method, params = "{}", options = {}) {
    return parse(this.#instance.give("parley_session_call", request(method, params, options), this.#handle)).call
  }

  /**
   * A call from a snapshot. Fails with a {@link ParleyError} of Code.snapshot or
   * Code.peer.
   *
   * @param {string} snapshot @param {Expect} [expect]
   * @returns {number}
   */
  restore(snapshot, expect = {}) {
    const { call } = parse(this.#instance.give("parley_session_restore", JSON.stringify({ ...expect, snapshot }), this.#handle))
    this.#saved.set(call, snapshot)
    return call
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
    /** @type {SessionAction[]} */
    const actions = parse(this.#give(now, JSON.stringify(event))).actions
    if ("call" in event && event.type !== "tick" && event.type !== "saved") this.#saved.delete(event.call)
    for (const { call, type } of actions) {
      if (call && type !== "wait" && type !== "progress" && type !== "notification") this.#saved.delete(call)
    }
    return actions
  }

  /**
   * The same with JSON text on both sides: `{"actions":[…]}` or `{"error":…}`.
   *
   * @param {number} now @param {string} event
   */
  stepText(now, event) {
    this.#saved.clear()
    return this.#give(now, event)
  }

  /** Everything needed to continue a call, here or elsewhere. It holds a secret. @param {number} call */
  snapshot(call) {
    const snapshot = this.#saved.get(call) ?? parse(this.#instance.ask("parley_session_snapshot", this.#handle, call)).snapshot
    this.#saved.set(call, snapshot)
    return snapshot
  }

  /** A call's last snapshot, if nothing that matters has happened since. @param {number} call */
  saved(call) {
    return this.#saved.get(call)
  }

  /** @param {number} call @returns {Info} */
  info(call) {
    return parse(this.#instance.ask("parley_session_info", this.#handle, call))
  }

  /** Lets go of a call. @param {number} call */
  drop(call) {
    this.#saved.delete(call)
    if (!this.#freed) this.#instance.free("parley_session_drop", this.#handle, call)
  }

  /** Lets go of the session and its calls. It may be called more than once. */
  free() {
    if (!this.#freed) this.#instance.free("parley_session_free", this.#handle)
    this.#freed = true
  }

  /** The trap that ended the session, if there was one. */
  get trap() {
    return this.#instance.trap
  }

  /** @param {number} now @param {string} event */
  #give(now, event) {
    return this.#instance.give("parley_session_step", event, this.#handle, now)
  }
}
