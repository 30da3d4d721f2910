import { can } from "./askers.js"
import { Driver } from "./driver.js"
import { Code, ParleyError } from "../engine/errors.js"
import { checkRequest, checkResumption, noMember } from "./request.js"
import { Router } from "./router.js"
import { say, translate } from "../texts/sentence.js"
import { TypedCalls } from "./typed.js"

/** @import { Askers } from "./askers.js" */
/** @import { SharedCache } from "../results/cache-store.js" */
/** @import { Engine } from "../engine/index.js" */
/** @import { Outcome } from "./driver.js" */
/** @import { Request, Resumption, HostSide } from "./request.js" */
/** @import { SessionOptions, SubscriptionFilter } from "../engine/session.js" */
/** @import { Transport } from "../transport/contract.js" */
/** @import { Sentence } from "../texts/sentence.js" */
/** @import { SessionWatchers } from "./watchers.js" */

/**
 * The options of a session, who answers its server's questions, who is told
 * about it, and where lists and resources are kept that the server lets be used
 * again: `false` keeps none, and without `cache` they are kept in memory while the
 * session lives. A call's option `fresh` asks the server anyway.
 *
 * @typedef {Omit<SessionOptions, "transport" | "can" | "cache" | "cachedAs"> & {askers?: Askers, watchers?: SessionWatchers, cache?: SharedCache | false}} ConnectOptions
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
export class Session extends TypedCalls {
  #router
  #askers
  /** @type {Promise<void> | undefined} */
  #closed

  /** @param {Engine} engine @param {Transport} transport @param {ConnectOptions} options */
  constructor(engine, transport, options) {
    super()
    const { askers = {}, watchers = {}, cache, ...shape } = options
    if (cache && !(cache.store && cache.server)) throw new TypeError("parley: a cache is false, or { store, server }: the name of the server tells its results from another's")
    for (const [name, value] of Object.entries(shape)) if (typeof value === "function") noMember("the session's options", name) // the engine knows the rest
    this.#askers = askers
    this.#router = new Router(engine, transport, { ...shape, can: can(askers), transport: transport.kind, cache: cache !== false, cachedAs: cache ? cache.server : undefined }, watchers, cache || undefined)
  }

  /**
   * Makes a call and runs it until it ends. When its signal aborts, it returns
   * at once. It throws only if it is used wrongly, before anything is sent or
   * asked.
   *
   * @override @param {Request} request
   * @returns {Promise<Outcome>}
   */
  async call(request) {
    this.#open()
    checkRequest(request)
    const { method, params, options = {}, askers } = request
    const own = askers || options.capabilities !== undefined
    const call = new Driver(this.#router, this.#side(request), { type: "begin" }, { method })
    return this.#router.call(call, (core) => core.call(method, params, own ? { ...options, can: can(askers ?? this.#askers) } : options))
  }

  /**
   * Continues a call from its snapshot, taken in this session or in another
   * with the same server: a question that was open is asked again, and nothing
   * that was answered is asked twice.
   *
   * @param {Resumption} resumption
   * @returns {Promise<Outcome>}
   */
  async resume(resumption) {
    this.#open()
    checkResumption(resumption)
    const { snapshot, expect = {}, resend, again, moreRounds, askers } = resumption
    const call = new Driver(this.#router, this.#side(resumption), { type: "begin", resend, again, moreRounds }, { snapshot })
    return this.#router.call(call, (core) => core.restore(snapshot, { ...expect, can: can(askers ?? this.#askers) }))
  }

  /**
   * Says what the watcher `onChanged` is to be told of from now on, in place of
   * what it was told before: lists that change, and resources. `{}` ends it. It
   * returns at once; `onSubscribed` is told what the server agrees to, which may
   * be less. A subscription lives as long as the session and needs no call: one
   * that breaks is opened again. It throws a {@link ParleyError} if the filter is
   * not one, or over requests, where the connection has subscriptions of its own.
   *
   * @param {SubscriptionFilter} filter
   */
  subscribe(filter) {
    this.#open()
    this.#router.subscribe(filter)
  }

  /**
   * Ends the session: calls that run are canceled, resumably, and the server is
   * told, which may take it 5 s. All else ends at once. It resolves when nothing
   * is left: wait for it before the program ends, or the server may not hear.
   *
   * @returns {Promise<void>}
   */
  close() {
    return (this.#closed ??= this.#router.close(new Error("parley: the session was closed")))
  }

  #open() {
    if (this.#closed) throw new ParleyError(Code.order, say`the session is closed`)
  }

  /** @override @protected @param {Sentence} sentence */
  warn(sentence) {
    this.#router.warn(translate(sentence), sentence)
  }

  /** @param {HostSide} side @returns {HostSide & {askers: Askers}} */
  #side({ askers = this.#askers, watchers, save, park, signal }) {
    return { askers, watchers, save, park, signal }
  }
}
