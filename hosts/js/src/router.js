import { Alarm, Clock } from "./clock.js"
import { InstanceError } from "./errors.js"
import { textOf } from "./frame.js"
import { Kept } from "./kept.js"
import { failed } from "./reason.js"
import { say, sentenceOf } from "./sentence.js"
import { Slices } from "./slices.js"
import { observe } from "./watchers.js"

/** @import { SharedCache } from "./cache.js" */
/** @import { Engine } from "./core.js" */
/** @import { Driver } from "./driver.js" */
/** @import { DoneWithin, Event, Expect, Info, Json, Options } from "./flow.js" */
/** @import { CallAction, MessagePart, OwnAction, Recall, Received, RequestAction, SessionAction, SessionEvent, SessionOptions, SubscriptionFilter } from "./session-core.js" */
/** @import { Carried, Transport } from "./transport.js" */
/** @import { SessionWatchers } from "./watchers.js" */
/** @import { Sentence } from "./sentence.js" */

/** What happens to a session, what failed, and the call it happens to. @typedef {[event: Received | MessagePart | {type: "tick"} | {type: "close"} | {type: "subscribe", missed?: boolean} & SubscriptionFilter, cause?: unknown, call?: number]} Happened */

/**
 * Connects the engine's session, the transport and the drivers of the calls,
 * and hands each what is meant for it.
 */
export class Router {
  #engine
  #options
  #watchers
  #core
  #carrier
  #kept
  #alarm
  /** By their numbers. @type {Map<number, Driver>} */
  #calls = new Map()
  /** @type {Happened[]} */
  #inbox = []
  /** Messages that are too long for one step. */
  #slices = new Slices(
    (happened) => this.#sliced(happened),
    (happened, whole, behind) => this.#sliced(happened, whole, behind),
  )
  #busy = false
  #closed = false
  /** What the host has subscribed to. @type {SubscriptionFilter | undefined} */
  #filter

  clock = new Clock()

  /** @param {Engine} engine @param {Transport} transport @param {SessionOptions} options @param {SessionWatchers} watchers @param {SharedCache} [cache] */
  constructor(engine, transport, options, watchers, cache) {
    this.#engine = engine
    this.#options = options
    this.#watchers = watchers
    this.#kept = new Kept(cache)
    this.#core = engine.newSession({ firstId: drawId(), ...options })
    this.#carrier = transport.open(this.#receive)
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

  /** @param {SubscriptionFilter} filter */
  subscribe(filter) {
    this.#mended()
    this.#step({ ...filter, type: "subscribe" })
    this.#filter = filter
  }

  /** @param {number} call @returns {Info} */
  info(call) {
    return this.#core.info(call)
  }

  /** @param {Driver} call */
  add(call) {
    if (this.#calls.size === 0) this.clock.catchUp()
    this.#calls.set(call.number, call)
  }

  /** Lets go of a call. @param {Driver} call @param {boolean} over nothing is in flight or open any more */
  drop(call, over) {
    try {
      if (!over && !call.trap) this.step(call, { type: "cancel" })
    } catch {
      // There is nothing to cancel.
    }
    if (this.#calls.get(call.number) !== call) return // it was lost
    this.#calls.delete(call.number)
    this.#core.drop(call.number)
  }

  /**
   * Steps with an event of a call. What follows for that call is returned, the
   * rest is done. Nothing is returned where it must be tried again after what
   * has happened meanwhile.
   *
   * @param {Driver} call @param {Event} event
   */
  step(call, event) {
    const gone = this.#core
    const core = this.#mended(call)
    if (core === gone) return this.#step(/** @type {SessionEvent} */ ({ ...event, call: call.number }), undefined, call)
  }

  /** @param {Driver} call */
  snapshot(call) {
    return this.#mended(call).snapshot(call.number)
  }

  /** @param {Driver} call */
  saved(call) {
    return this.#core.saved(call.number)
  }

  /** Performs what a call's driver leaves to the session. @param {Driver} call @param {CallAction} action */
  perform(call, action) {
    if (action.type === "notification") {
      const { method, params } = action
      observe(() => (call.watchers.onNotification ? call.watchers : this.#watchers).onNotification?.(method, params))
    } else if (action === call.held) {
      call.held = undefined
      this.#carry(action)
    }
  }

  /** Ends the session, whose calls have ended. */
  async close() {
    this.#receive({ type: "close" })
    this.#closed = true
    this.#slices.clear()
    this.#alarm.set(0)
    await Promise.all([this.#carrier.close(), this.#kept.close()])
    this.#core.free()
  }

  /** Takes what happened, once what happened before it is done with. @param {Happened} received */
  #receive = (...received) => {
    this.#inbox.push(received)
    if (!this.#busy) this.#drain()
    return this.#slices.room(received[0])
  }

  #drain() {
    for (let received; (received = this.#inbox.shift()); ) {
      if (this.#closed) continue
      if (this.#core.trap) this.#mended() // what came is of the session that is gone
      else if (!this.#slices.take(received)) this.#happen(received)
    }
  }

  /** @param {Happened} happened @param {Uint8Array} [whole] of a message that came in slices */
  #happen([event, cause, call], whole) {
    const of = this.#calls.get(call ?? 0)
    try {
      this.#step(event, cause, undefined, of, whole)
      if (of && "exchange" in event && of.flying === event.exchange && (event.type === "ended" || event.type === "message" && event.last)) of.flying = undefined
    } catch (error) {
      if (error instanceof InstanceError) return // the calls were told
      this.#warn(String(error))
      if (event.type === "part") this.#slices.drop(event.exchange)
      if (event.type === "part" || event.type === "message" && event.last) this.#inbox.push([{ type: "ended", exchange: event.exchange, reason: say`the answer cannot be read` }, error, call])
    }
  }

  /** Steps with a slice of a message: with the last one of the whole, and then with what waited for it. @param {Happened} happened @param {Uint8Array} [whole] @param {Happened[]} [behind] */
  #sliced(happened, whole, behind = []) {
    this.#alone(() => {
      this.#inbox.unshift(...behind)
      if (this.#core.trap) this.#mended()
      else this.#happen(happened, whole)
    })
  }

  /**
   * @param {SessionEvent} event
   * @param {unknown} [cause]
   * @param {Driver} [own] whose event it is
   * @param {Driver} [culprit] whose fault a trap is
   * @param {Uint8Array} [whole] the body of a message whose last slice the event has
   */
  #step(event, cause, own, culprit = own, whole) {
    return this.#alone(() => {
      try {
        let actions = this.#core.step(this.clock.now(), event)
        if (whole) actions = actions.map((action) => within(action, whole))
        if (own && event.type === "answer" && event.ask < 0) own.labels.principal = this.#core.info(own.number).principal // who signed in
        return this.#route(actions, cause, own)
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
   * @param {SessionAction[]} actions @param {unknown} cause @param {Driver} [own]
   */
  #route(actions, cause, own) {
    /** @type {CallAction[]} */
    const mine = []
    /** @type {Map<Driver, CallAction[]> | undefined} */
    let others
    for (const action of actions) {
      if (action.call === undefined) {
        this.#own(action)
        continue
      }
      const call = this.#calls.get(action.call)
      if (action.type === "save" && call) call.saving++
      if (action.type === "post" || action.type === "request" || action.type === "recall") {
        if (!call?.saving) {
          this.#carry(action)
          continue
        }
        call.held = action
      }
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
      case "subscribed": {
        const { type, ...subscribed } = action
        return observe(() => this.#watchers.onSubscribed?.(subscribed))
      }
      case "changed": {
        const { type, ...changed } = action
        return observe(() => this.#watchers.onChanged?.(changed))
      }
      case "warning":
        return this.#warn(action.text, action.sentence)
      case "abort":
        this.#slices.drop(action.exchange)
        for (const call of this.#calls.values()) {
          if (call.held?.exchange === action.exchange) return (call.held = undefined)
        }
        return this.#kept.abort(action.exchange) || this.#carry(action)
      case "keep":
        return this.#kept.keep(action)
      case "forget":
        return this.#kept.forget(action)
      default:
        this.#carry(action)
    }
  }

  /** @param {Carried | RequestAction | Recall} action */
  #carry(action) {
    const call = "call" in action && this.#calls.get(action.call ?? 0)
    if (call) call.flying = action.exchange
    if (action.type === "recall") return this.#kept.recall(action, this.#carrier, this.#receive)
    try {
      this.#carrier.perform(action)
    } catch (error) {
      this.#receive({ type: "ended", exchange: action.exchange, ...failed(error) }, error)
    }
  }

  /** The session in use: a new one after a trap that was another call's fault. @param {Driver} [call] */
  #mended(call) {
    if (this.#core.trap) this.#alone(() => this.#mend(new InstanceError("the engine's instance trapped", this.#core.trap)))
    if (call?.trap) throw call.trap
    return this.#core
  }

  /**
   * Makes a new session after a trap, and restores the calls whose snapshot is
   * up to date. What was in flight is lost, and the culprit with it.
   *
   * @param {InstanceError} trap @param {Driver} [culprit]
   */
  #mend(trap, culprit) {
    const gone = this.#core
    const calls = [...this.#calls.values()]
    for (const call of calls) {
      call.kept = gone.saved(call.number)
      call.inDoubt = call.flying !== undefined
    }
    this.#calls.clear()
    this.#inbox.length = 0
    this.#slices.clear()
    this.#alarm.set(0)
    this.#carrier.reset()
    this.#kept.reset()
    gone.free()
    try {
      this.#core = this.#engine.newSession({ ...this.#options, firstId: drawId() }) // what the one before used is not known
    } catch {
      // There is no memory, or less than ever. It is tried again when it is needed.
    }
    for (const call of calls) {
      if (call === culprit || call.kept === undefined || this.#core.trap) call.lose(trap)
      else this.#again(call, call.kept, trap)
    }
    if (this.#filter && !this.#core.trap) this.#receive({ ...this.#filter, type: "subscribe", missed: true })
  }

  /** Continues a call in a new session. @param {Driver} call @param {string} snapshot @param {InstanceError} trap */
  #again(call, snapshot, trap) {
    const unsent = call.held && true
    const kept = call.safe === snapshot || undefined
    try {
      call.restart(this.#core.restore(snapshot, call.labels))
      this.#calls.set(call.number, call)
      const { save, watch } = call.begin // what else it began with was for then
      this.#route(this.#core.step(this.clock.now(), { type: "begin", call: call.number, save, watch, unsent, kept }), trap.cause)
    } catch {
      this.#calls.delete(call.number)
      call.lose(trap)
    }
  }

  /** @param {string} text @param {Sentence} [sentence] */
  #warn(text, sentence = sentenceOf(text)) {
    observe(() => this.#watchers.onWarning?.(text, sentence))
  }
}

/** A result that stands in a message, as text. @param {SessionAction} action @param {Uint8Array} whole @returns {SessionAction} */
function within(action, whole) {
  if (action.type !== "done" || action.result !== undefined) return action
  const { from, to, ...done } = /** @type {DoneWithin} */ (/** @type {unknown} */ (action))
  return /** @type {SessionAction} */ ({ ...done, result: textOf(whole.subarray(from, to)) })
}

/** The first id of a session: nobody else's call began with it, in all likelihood. */
const drawId = () => 1 + Math.floor(Math.random() * 2 ** 48)
