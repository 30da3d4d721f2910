import { request, text } from "./flow.js"
import { withMarkedReason } from "./sentence.js"

/** @import { Action, Ask, Event, Expect, Info, Json, Note, Options } from "./flow.js" */
/** @import { Bytes } from "./frame.js" */
/** @import { Instance } from "./instance.js" */
/** @import { Sentence } from "./sentence.js" */

/**
 * The options of a session; wasm/ABI.md has the defaults.
 *
 * @typedef {object} SessionOptions
 * @property {"http" | "stdio" | "requests"} [transport] how messages travel; http if absent
 * @property {Json} [clientInfo] the client's Implementation object
 * @property {import("./flow.js").Can} [can] what the host can answer in a call that does not say it itself, and all that servers of earlier eras are told
 * @property {Json} [capabilities] clientCapabilities: what to declare beside `can`, such as extensions, in calls that have none of their own
 * @property {string[]} [versions] that may be spoken, the preferred one first; one alone pins it. With the dialect "SEP-2322", others that the server has agreed on
 * @property {string} [known] the version that `ready` reported earlier for this server
 * @property {boolean} [discover] ask for the server's description first, over HTTP too
 * @property {number} [probeTimeout] how long a server over stdio may take to say which era it is of, in milliseconds
 * @property {number} [firstId] the id of the first request, from 1 to 2^20; later ones are larger. `connect` draws one at random
 * @property {boolean} [stringIds] make request ids strings
 * @property {"" | "SEP-2322" | "SEP-2322-draft" | "SEP-2322-draft-camel" | "SEP-1685"} [dialect] how the server asks, if it follows a proposal from
 * before 2026-07-28
 * @property {boolean} [cache] the host performs `recall`, `keep` and `forget`: what the server lets be used again is then not asked for again
 * @property {string} [cachedAs] what the host calls the server, if what it keeps outlives the session or is shared; at most 2 KiB
 * @property {string} [logLevel] asks for the server's log messages at this level and above
 */

/**
 * A message of the server, or several that came at once: a line, the body of a
 * response or the data of an event, as it came. `exchange` is that of the post or
 * listen in whose response it came, 0 over stdio; `last` says that the exchange ends
 * with it.
 *
 * @typedef {object} ReceivedMessage
 * @property {number} exchange
 * @property {Bytes} body
 * @property {number} [status] of HTTP, 200 if absent
 * @property {string} [sessionId] the header field Mcp-Session-Id
 * @property {string} [challenge] the header field WWW-Authenticate
 * @property {string} [location] of 3xx: the address in Location, without what follows its path
 * @property {string} [eventId] of a server-sent event
 * @property {number} [retry] the stream's reconnection time in milliseconds
 * @property {number} [authorization] how often the authorization that requests carry has changed, by the transport's count
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
 * @property {string} [challenge]
 * @property {string} [location]
 * @property {string} [eventId]
 * @property {number} [retry]
 * @property {number} [authorization]
 * @property {string | Sentence} [reason]
 * @property {boolean} [unsent]
 */

/**
 * What a transport feeds. `opened` says that the response to a `listen` has come as a stream, before its first message:
 * from then on the server can ask, and a first call need not wait longer for that. `down` says that the server's process
 * is gone.
 *
 * @typedef {{type: "opened", exchange: number} | {type: "message"} & ReceivedMessage | {type: "ended"} & EndedExchange | {type: "down", reason?: string | Sentence}} Received
 */

/**
 * What a host wants to be told of, as the schema's SubscriptionFilter: lists that change, and resources by their uris,
 * at most 1,000 of at most 8 KiB.
 *
 * @typedef {object} SubscriptionFilter
 * @property {boolean} [toolsListChanged]
 * @property {boolean} [promptsListChanged]
 * @property {boolean} [resourcesListChanged]
 * @property {string[]} [resourceSubscriptions]
 */

/**
 * What of the last subscription the server will tell of. It may be less than was asked for; nothing at all has a
 * `reason`, and unless it is `over` the session goes on trying by itself.
 *
 * @typedef {SubscriptionFilter & {reason?: string, sentence?: Sentence, over?: boolean}} Subscribed
 */

/**
 * What has changed: lists that are stale, resources to be read again. With `missed` it is everything, because nothing
 * was heard for a while: whether something changed is not known.
 *
 * @typedef {SubscriptionFilter & {missed?: boolean}} Changed
 */

/** A slice of a message that is to come, whose `body` is the last one. @typedef {{type: "part", exchange: number, body: Bytes}} MessagePart */

/** @typedef {Received | MessagePart | Exclude<Event, {type: "part"}> & {call: number} | {type: "tick"} | {type: "close"} | {type: "subscribe", missed?: boolean} & SubscriptionFilter} SessionEvent */

/** Sends a message: by POST with these header fields, or as a line over stdio. If it `cancels` an exchange that was not begun, both are dropped. @typedef {{type: "post", exchange: number, call?: number, leg?: number, cancels?: number, jar?: number, headers?: [string, string][], body: string}} Post */
/** Sends a request over a connection that is not the session's; nobody waits for the answer if it has no leg. @typedef {{type: "request", exchange: number, call?: number, leg?: number, method: string, params: string, capabilities: string}} RequestAction */
/** What carries a leg. @typedef {Post | RequestAction} Carries */
/** Opens a stream by GET, not before a time in Unix milliseconds. @typedef {{type: "listen", exchange: number, jar?: number, headers: [string, string][], at?: number}} Listen */
/** Looks up what was kept, and ends with it as a message, or without. @typedef {{type: "recall", exchange: number, call: number, leg: number, key: string, private?: boolean}} Recall */
/** Keeps an entry until a time in Unix milliseconds, where no other session sees it if it is private. @typedef {{type: "keep", key: string, entry: string, until: number, private?: boolean}} Keep */
/** Drops all whose key begins so, but for what is private. @typedef {{type: "forget", prefix: string}} Forget */
/** @typedef {{type: "delete", exchange: number, jar?: number, headers: [string, string][]}} Delete */
/** @typedef {{type: "abort", exchange: number}} Abort */

/**
 * An action of one call: the same as a flow's, except that legs go out as posts or requests.
 *
 * @typedef {{call: number} & (Exclude<Action, {type: "send" | "abandon" | "tell"}>
 *   | Carries & {leg: number}
 *   | Recall
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
 * @typedef {{call?: undefined} & (Carries | Keep | Forget | Listen | Delete | Abort
 *   | {type: "notification", method: string, params?: string}
 *   | {type: "subscribed"} & Subscribed
 *   | {type: "changed"} & Changed
 *   | {type: "ready"} & Server
 *   | {type: "warning", text: string, sentence?: Sentence}
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
    if (!instance.hasSessions) throw new TypeError("parley: this module has no sessions: load parley-session.wasm")
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
