import { observe } from "./callbacks.js"
import { Alarm, Clock } from "./clock.js"
import { InstanceError } from "./errors.js"
import { isUnsent } from "./unsent.js"

/** @import { Engine } from "./core.js" */
/** @import { Event, Expect, Info, Json, Options } from "./flow.js" */
/** @import { OnNotification, SessionCall } from "./session-call.js" */
/** @import { CallAction, OwnAction, Post, Received, Server, SessionAction, SessionEvent, SessionOptions } from "./session-core.js" */
/** @import { Carried, Transport } from "./transport.js" */

/**
 * Who watches a session.
 *
 * @typedef {object} SessionWatchers
 * @property {OnNotification} [onNotification] gets the server's notifications, but for progress
 * @property {(server: Server) => void} [onReady] is told which protocol version is spoken, and what the server says of itself
 * @property {(text: string) => void} [onWarning] is told what of the server's was left out or ignored, for a log
 */

/** What happens to a session, what failed, and the call it happens to. @typedef {[event: Received | {type: "tick"} | {type: "close"}, cause?: unknown, call?: number]} Happened */

/**
 * Stands between the engine's session, the transport and the drivers of the
 * calls, and hands each what is for it.
 */
export class Router {
  #engine
  #options
  #watchers
  #core
  #carrier
  #alarm
  /** By their numbers. @type {Map<number, SessionCall>} */
  #calls = new Map()
  /** Posts that wait for their calls to save, by exchange. @type {Map<number, Post>} */
  #waiting = new Map()
  /** @type {Happened[]} */
  #inbox = []
  #busy = false
  #closed = false

  clock = new Clock()

  /** @param {Engine} engine @param {Transport} transport @param {SessionOptions} options @param {SessionWatchers} watchers */
  constructor(engine, transport, options, watchers) {
    this.#engine = engine
    this.#options = options
    this.#watchers = watchers
    this.#carrier = transport.open(this.#receive)
    this.#core = engine.newSession({ firstId: drawId(), ...options })
    this.#alarm = new Alarm(this.clock, () => this.#receive({ type: "tick" }))
  }

  /** A new call's number. @param {string} method @param {Json | undefined} params @param {Options} options */
  call(method, params, options) {
    return this.#mended().call(method, params, options)
  }

  /** The number of a call from a snapshot. @param {string} snapshot @param {Expect} expect */
  restore(snapshot, expect) {
    return this.#mended().restore(snapshot, expect)
  }

  /** @param {number} call @returns {Info} */
  info(call) {
    return this.#core.info(call)
  }

  /** @param {SessionCall} call */
  add(call) {
    if (this.#calls.size === 0) this.clock.catchUp()
    this.#calls.set(call.number, call)
  }

  /** @param {SessionCall} call */
  drop(call) {
    if (this.#calls.get(call.number) !== call) return // it was lost
    for (const { exchange, call: number } of this.#waiting.values()) if (number === call.number) this.#waiting.delete(exchange)
    this.#calls.delete(call.number)
    this.#core.drop(call.number)
  }

  /**
   * Steps with an event of a call. What follows for that call is returned, the
   * rest is done. Nothing is returned where it must be tried again after what
   * has happened meanwhile.
   *
   * @param {SessionCall} call @param {Event} event
   */
  step(call, event) {
    const gone = this.#core
    const core = this.#mended()
    call.check()
    if (core !== gone) return
    if (event.type === "lost" && !this.#takeBack(call.number, event.leg)) return [] // the session has said so
    return this.#step(Object.assign(event, { call: call.number }), undefined, call)
  }

  /** @param {SessionCall} call */
  snapshot(call) {
    this.#mended()
    call.check()
    return this.#core.snapshot(call.number)
  }

  /** @param {SessionCall} call */
  saved(call) {
    return this.#core.saved(call.number)
  }

  /** Performs what a call's driver leaves to the session. @param {SessionCall} call @param {CallAction} action */
  perform(call, action) {
    if (action.type === "notification") {
      const { method, params } = action
      observe(() => (call.onNotification ?? this.#watchers.onNotification)?.(method, params))
    }
    // It may have been taken back while its call was being saved.
    if (action.type === "post" && this.#waiting.delete(action.exchange)) this.#carry(action)
  }

  /** Ends the session, whose calls have ended. */
  async close() {
    this.#receive({ type: "close" })
    this.#closed = true
    this.#alarm.set(0)
    await this.#carrier.close()
    this.#core.free()
  }

  /** Takes what happened, once what happened before it is done with. @param {Happened} received */
  #receive = (...received) => {
    this.#inbox.push(received)
    if (!this.#busy) this.#drain()
  }

  #drain() {
    for (let received; (received = this.#inbox.shift()); ) {
      const [event, cause, call] = received
      if (this.#closed) continue
      if (this.#core.trap) {
        this.#mended() // what came is of the session that is gone
        continue
      }
      try {
        if (event.type === "down") this.#unsend()
        this.#step(event, cause, undefined, this.#calls.get(call ?? 0))
      } catch (error) {
        if (!(error instanceof InstanceError)) this.#warn(String(error)) // of a trap, the calls were told
      }
    }
  }

  /** Takes back a call's leg that waits to be sent. @param {number} number @param {number} leg */
  #takeBack(number, leg) {
    const post = [...this.#waiting.values()].find((post) => post.call === number && post.leg === leg)
    return post !== undefined && this.#waiting.delete(post.exchange)
  }

  /** Takes back all posts that wait: they certainly never reached the server that is gone. */
  #unsend() {
    const posts = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { call = 0, leg = 0 } of posts) this.#step({ type: "lost", call, leg, unsent: true })
  }

  /**
   * @param {SessionEvent} event
   * @param {unknown} [cause]
   * @param {SessionCall} [own] whose event it is
   * @param {SessionCall} [culprit] whose fault a trap is
   */
  #step(event, cause, own, culprit = own) {
    return this.#alone(() => {
      try {
        return this.#route(this.#core.step(this.clock.now(), event), cause, own)
      } catch (error) {
        if (error instanceof InstanceError) this.#mend(error, culprit)
        throw error
      }
    })
  }

  /** Does something that nothing may come between. @template T @param {() => T} work @returns {T} */
  #alone(work) {
    if (this.#busy) return work()
    this.#busy = true
    try {
      return work()
    } finally {
      this.#busy = false
      this.#drain()
    }
  }

  /**
   * Performs the session's own actions and hands out those of its calls.
   *
   * @param {SessionAction[]} actions @param {unknown} cause @param {SessionCall} [own]
   */
  #route(actions, cause, own) {
    /** @type {CallAction[]} */
    const mine = []
    /** @type {Map<SessionCall, CallAction[]> | undefined} */
    let others
    for (const action of actions) {
      if (action.call === undefined) {
        this.#own(action)
        continue
      }
      if (action.type === "post") this.#waiting.set(action.exchange, action)
      const call = this.#calls.get(action.call)
      if (call === own) mine.push(action)
      else if (call) {
        const batch = (others ??= new Map()).get(call)
        if (batch) batch.push(action)
        else others.set(call, [action])
      }
    }
    others?.forEach((batch, call) => call.deliver(batch, cause))
    return mine
  }

  /** @param {OwnAction} action */
  #own(action) {
    switch (action.type) {
      case "wait":
        return this.#alarm.set(action.until)
      case "notification":
        return observe(() => this.#watchers.onNotification?.(action.method, action.params))
      case "ready": {
        const { type, ...server } = action
        this.#options = { ...this.#options, known: server.version }
        return observe(() => this.#watchers.onReady?.(server))
      }
      case "warning":
        return this.#warn(action.text)
      case "abort":
        if (this.#waiting.delete(action.exchange)) return
    }
    this.#carry(action)
  }

  /** @param {Carried} action */
  #carry(action) {
    try {
      this.#carrier.perform(action)
    } catch (error) {
      this.#receive({ type: "ended", exchange: action.exchange, reason: "the transport failed", unsent: isUnsent(error) }, error)
    }
  }

  /** The session to go on with: after a trap that was another's fault, a new one. */
  #mended() {
    if (this.#core.trap) this.#alone(() => this.#mend(new InstanceError("the engine's instance trapped", this.#core.trap)))
    return this.#core
  }

  /**
   * Makes a new session after a trap, and restores the calls whose snapshot is
   * up to date. What was in flight is lost, and the culprit with it.
   *
   * @param {InstanceError} trap @param {SessionCall} [culprit]
   */
  #mend(trap, culprit) {
    const gone = this.#core
    const calls = [...this.#calls.values()]
    for (const call of calls) call.kept = gone.saved(call.number)
    this.#calls.clear()
    this.#waiting.clear()
    this.#inbox.length = 0
    this.#alarm.set(0)
    this.#carrier.reset()
    try {
      this.#core = this.#engine.newSession({ ...this.#options, firstId: drawId() }) // what the one before used is not known
    } catch {
      // There is no memory, or less than ever. It is tried again when it is needed.
    }
    for (const call of calls) {
      if (call === culprit || call.kept === undefined || this.#core.trap) call.lose(trap)
      else this.#again(call, call.kept, trap)
    }
  }

  /** Goes on with a call in a new session. @param {SessionCall} call @param {string} snapshot @param {InstanceError} trap */
  #again(call, snapshot, trap) {
    try {
      call.number = this.#core.restore(snapshot, call.labels)
      this.#calls.set(call.number, call)
      this.#route(this.#core.step(this.clock.now(), { type: "begin", call: call.number }), trap.cause)
    } catch {
      this.#calls.delete(call.number)
      call.lose(trap)
    }
  }

  /** @param {string} text */
  #warn(text) {
    observe(() => this.#watchers.onWarning?.(text))
  }
}

/** The first id of a session: nobody else's call began with it, in all likelihood. */
const drawId = () => 1 + Math.floor(Math.random() * 2 ** 48)
