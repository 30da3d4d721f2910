import { Alarm, Clock } from "./clock.js"
import { answers, settle } from "./doubt.js"
import { InstanceError } from "./errors.js"
import { Kept } from "./kept.js"
import { failed } from "./reason.js"
import { say, sentenceOf } from "./sentence.js"
import { fedText, Slices } from "./slices.js"
import { observe } from "./watchers.js"

/** @import { SharedCache } from "./cache.js" */
/** @import { Engine } from "./core.js" */
/** @import { Driver } from "./driver.js" */
/** @import { DoneWithin, Event, Expect, Json, Options } from "./flow.js" */
/** @import { CallAction, MessagePart, OwnAction, Recall, Received, RequestAction, SessionAction, SessionCore, SessionEvent, SessionOptions, SubscriptionFilter } from "./session-core.js" */
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
  /** One that a call is done with, for the next. @type {Alarm | undefined} */
  #spare
  /** By their numbers. @type {Map<number, Driver>} */
  #calls = new Map()
  /** @type {Happened[]} */
  #inbox = []
  /** Messages that are too long for one step. */
  #slices = new Slices(
    (happened) => this.#sliced(happened),
    (happened, fed, behind) => this.#sliced(happened, fed, behind),
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
    this.#alarm = new Alarm(this.clock).wakes(() => this.#receive({ type: "tick" }))
  }

  /** A new call's number. @param {string} method @param {Json | undefined} params @param {Options} options */
  call(method, params, options) {
    return this.#asked((core) => core.call(method, params, options))
  }

  /** The number of a call from a snapshot, and whether it is in doubt. @param {string} snapshot @param {Expect} expect */
  restore(snapshot, expect) {
    return this.#asked((core) => {
      const number = core.restore(snapshot, expect)
      return { number, inDoubt: core.info(number).inDoubt }
    })
  }

  /** @param {SubscriptionFilter} filter */
  subscribe(filter) {
    this.#mended()
    this.#step({ ...filter, type: "subscribe" })
    this.#filter = filter
  }

  /** Whether a call that has failed is in doubt. Where nobody knows any more it is, if a leg may have arrived. @param {Driver} call */
  inDoubt(call) {
    const flying = call.flying !== undefined
    try {
      return this.#asked((core) => core.info(call.number), call).inDoubt === true
    } catch (error) {
      if (error instanceof InstanceError) return flying
      throw error
    }
  }

  /** @param {Driver} call */
  add(call) {
    if (this.#calls.size === 0) this.clock.catchUp()
    this.#calls.set(call.number, call)
  }

  /** An alarm for a call. @param {() => void} ring */
  alarm(ring) {
    const alarm = this.#spare ?? new Alarm(this.clock)
    this.#spare = undefined
    return alarm.wakes(ring)
  }

  /** Lets go of a call. @param {Driver} call */
  drop(call) {
    if (this.#spare || this.#closed) call.alarm.set(0)
    else (this.#spare = call.alarm).rest()
    try {
      if (!call.over && !call.trap) this.step(call, { type: "cancel" })
    } catch {
      // There is nothing to cancel.
    }
    if (this.#calls.get(call.number) !== call) return // it was lost
    this.#calls.delete(call.number)
    this.#core.drop(call.number)
    this.#mended()
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
    if (core !== gone) return
    const happened = /** @type {SessionEvent & {call: number}} */ (event)
    happened.call = call.number
    return this.#step(happened, undefined, call)
  }

  /** @param {Driver} call */
  snapshot(call) {
    return this.#asked((core) => core.snapshot(call.number), call)
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
    this.#spare?.set(0)
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

  /** @param {Happened} happened @param {Uint8Array[]} [fed] the slices of a message */
  #happen([event, cause, call], fed) {
    const of = this.#calls.get(call ?? 0)
    try {
      this.#step(event, cause, undefined, of, fed)
      if (of && answers(event, of)) of.flying = undefined
    } catch (error) {
      if (error instanceof InstanceError) return // the calls were told
      this.warn(String(error))
      if (event.type === "part") this.#slices.drop(event.exchange)
      if (event.type === "part" || event.type === "message" && event.last) this.#inbox.push([{ type: "ended", exchange: event.exchange, reason: say`the answer cannot be read` }, error, call])
    }
  }

  /** Steps with a slice of a message: with the last one of all, and then with what waited for it. @param {Happened} happened @param {Uint8Array[]} [fed] @param {Happened[]} [behind] */
  #sliced(happened, fed, behind = []) {
    this.#alone(() => {
      this.#inbox.unshift(...behind)
      if (this.#core.trap) this.#mended()
      else this.#happen(happened, fed)
    })
  }

  /**
   * @param {SessionEvent} event
   * @param {unknown} [cause]
   * @param {Driver} [own] whose event it is
   * @param {Driver} [culprit] whose fault a trap is
   * @param {Uint8Array[]} [fed] the slices of a message whose last one the event has
   */
  #step(event, cause, own, culprit = own, fed) {
    return this.#alone(() => {
      try {
        let actions = this.#core.step(this.clock.now(), event)
        if (fed) actions = actions.map((action) => within(action, fed))
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
        if (call.flying) call.flying = undefined // what went out before is over
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
        return this.warn(action.text, action.sentence)
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
    if (call) call.flying = action.type === "recall" ? undefined : action.exchange
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

  /** Asks the session something. @template T @param {(core: SessionCore) => T} ask @param {Driver} [culprit] whose fault a trap is @returns {T} */
  #asked(ask, culprit) {
    const core = this.#mended(culprit)
    try {
      return ask(core)
    } catch (error) {
      if (error instanceof InstanceError) this.#alone(() => this.#mend(error, culprit))
      throw error
    }
  }

  /**
   * Makes a new session after a trap, and restores the calls whose snapshot is
   * up to date. What was in flight is lost, and the culprit with it; so is a
   * call at which the new session is gone, too.
   *
   * @param {InstanceError} trap @param {Driver} [culprit]
   */
  #mend(trap, culprit) {
    let calls = [...this.#calls.values()]
    for (const call of calls) {
      call.kept = this.#core.saved(call.number)
      call.inDoubt = false
      if (call.over) call.trap = trap // its end is still to be performed
    }
    calls = calls.filter(({ over }) => !over)
    do {
      for (const call of calls) call.inDoubt ||= call.flying !== undefined
      this.#renew()
      for (const call of calls) if (call === culprit || call.kept === undefined || this.#core.trap) this.#lose(call, trap)
      calls = calls.filter((call) => !call.trap)
      culprit = calls.find((call) => !this.#again(call, trap))
    } while (culprit)
    if (this.#filter && !this.#core.trap) this.#receive({ ...this.#filter, type: "subscribe", missed: true })
  }

  /** Gives up everything that the session began, and makes another one. */
  #renew() {
    this.#calls.clear()
    this.#inbox.length = 0
    this.#slices.clear()
    this.#alarm.set(0)
    this.#carrier.reset()
    this.#kept.reset()
    this.#core.free()
    try {
      this.#core = this.#engine.newSession({ ...this.#options, firstId: drawId() }) // what the one before used is not known
    } catch {
      // There is no memory, or less than ever. It is tried again when it is needed.
    }
  }

  /** Continues a call in a new session, if it can be. It fails where that is gone, too. @param {Driver} call @param {InstanceError} trap */
  #again(call, trap) {
    const { kept = "", inDoubt } = call
    try {
      call.restart(this.#core.restore(kept, call.labels))
      this.#calls.set(call.number, call)
      const { save, watch } = call.begin // what else it began with was for then
      this.#route(this.#core.step(this.clock.now(), { type: "begin", call: call.number, save, watch, unsent: !inDoubt, kept: call.safe === kept || undefined }), trap.cause)
    } catch {
      if (this.#core.trap) return false
      this.#calls.delete(call.number)
      this.#lose(call, trap)
    }
    return true
  }

  /** Ends a call that cannot go on by itself. @param {Driver} call @param {InstanceError} trap */
  #lose(call, trap) {
    if (call.kept !== undefined && !this.#core.trap) settle(this.#engine, this.#options, call, call.kept)
    call.lose(trap)
  }

  /** Tells who watches the session. @param {string} text @param {Sentence} [sentence] */
  warn(text, sentence = sentenceOf(text)) {
    observe(() => this.#watchers.onWarning?.(text, sentence))
  }
}

/** A result that stands in a message, as text. @param {SessionAction} action @param {Uint8Array[]} fed @returns {SessionAction} */
function within(action, fed) {
  if (action.type !== "done" || action.result !== undefined) return action
  const { from, to, ...done } = /** @type {DoneWithin} */ (/** @type {unknown} */ (action))
  return /** @type {SessionAction} */ ({ ...done, result: fedText(fed, from, to) })
}

/** The first id of a session: nobody else's call began with it, in all likelihood. */
const drawId = () => 1 + Math.floor(Math.random() * 2 ** 20)
