import { Clock } from "./clock.js"
import { content } from "./driver.js"
import { InstanceError, ParleyError } from "../engine/errors.js"
import { Kept } from "../results/cache.js"
import { failed } from "../transport/failure-reason.js"
import { inEnglish, say, sentenceOf } from "../texts/sentence.js"
import { Slices, within } from "../engine/slices.js"
import { observe } from "./watchers.js"

/** @import { SharedCache } from "../results/cache-store.js" */
/** @import { Engine } from "../engine/index.js" */
/** @import { Driver, Outcome } from "./driver.js" */
/** @import { OwnAction, Recall, Received, RequestAction, SessionAction, SessionCore, SessionEvent, SessionOptions, SubscriptionFilter } from "../engine/session.js" */
/** @import { Carried, Transport } from "../transport/contract.js" */
/** @import { SessionWatchers } from "./watchers.js" */
/** @import { Sentence } from "../texts/sentence.js" */

/** Whose event it is: told if the engine refuses it, and no more once it is over. @typedef {{over?: boolean, refused: (event: SessionEvent, error: ParleyError) => void}} Owner */

/** An event that waits, what failed, and the slices of its message. @typedef {{event: SessionEvent, cause: unknown, owner: Owner, fed: Uint8Array[] | undefined}} Waiting */

/** One session: its core, its transport and its calls. wasm/GUIDE.md is its program. */
export class Router {
  #engine
  #options
  #carrier
  #kept
  #alarm
  /** None after a trap, until it is used again. @type {SessionCore | undefined} */
  #core
  /** By their numbers in the core. @type {Map<number, Driver>} */
  #calls = new Map()
  /** @type {Waiting[]} */
  #queue = []
  #slices = new Slices((event, cause, fed) => this.step(event, cause, this, fed))
  #isStepping = false
  #isSubscribed = false
  #isClosed = false
  /** An exchange that is dropped now: its transport may say that it was not begun. @type {number | undefined} */
  #dropping

  clock = new Clock()
  watchers

  /** @param {Engine} engine @param {Transport} transport @param {SessionOptions} options @param {SessionWatchers} watchers @param {SharedCache} [cache] */
  constructor(engine, transport, options, watchers, cache) {
    this.#engine = engine
    this.#options = options
    this.watchers = watchers
    this.#kept = new Kept(cache)
    this.#core = engine.newSession({ firstId: drawId(), ...options })
    this.#carrier = transport.open(this.#receive)
    this.#alarm = this.clock.alarm(() => this.step({ type: "tick" }))
  }

  /** Makes a call in the core, begins it, and returns how it ends. @param {Driver} call @param {(core: SessionCore) => number} make @returns {Promise<Outcome>} */
  async call(call, make) {
    const made = this.#used((core) => {
      if (this.#calls.size === 0) this.clock.catchUp()
      this.#calls.set((call.number = make(core)), call)
    })
    return made instanceof InstanceError ? call.trapped(made) : call.begin()
  }

  /** @param {SubscriptionFilter} filter */
  subscribe(filter) {
    const before = this.#isSubscribed
    /** @type {{error?: ParleyError}} */
    const refusal = {}
    const trap = this.#used(() => {
      this.#isSubscribed = Object.values(filter).some((what) => (Array.isArray(what) ? what.length : what))
      this.step({ ...filter, type: "subscribe" }, undefined, { refused: (_, error) => (refusal.error = error) })
    })
    if (refusal.error) this.#isSubscribed = before
    const error = trap ?? refusal.error
    if (error) throw error
  }

  /** Takes one event at a time: one that comes meanwhile waits its turn. @param {SessionEvent} event @param {unknown} [cause] @param {Owner} [owner] @param {Uint8Array[]} [fed] */
  step(event, cause, owner = this, fed) {
    if (this.#isClosed) return
    this.#queue.push({ event, cause, owner, fed })
    if (this.#isStepping) return
    this.#isStepping = true
    try {
      for (let next; (next = this.#queue.shift()); ) this.#stepNow(next)
    } finally {
      this.#isStepping = false
    }
  }

  /** @param {Waiting} next */
  #stepNow({ event, cause, owner, fed }) {
    const core = this.#core
    if (!core || owner.over) return
    this.#attempt(() => {
      for (const action of this.#actions(core, event, owner)) {
        this.#perform(fed ? within(action, fed) : action, cause)
        if (this.#core !== core) return // it has trapped
      }
    })
  }

  /** The actions that follow from an event: none if the engine refuses it. @param {SessionCore} core @param {SessionEvent} event @param {Owner} owner */
  #actions(core, event, owner) {
    try {
      return core.step(this.clock.now(), event)
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error
      owner.refused(event, error)
      return []
    }
  }

  /** The engine refuses what came: nothing of that exchange can be read. @param {SessionEvent} event @param {ParleyError} error */
  refused(event, error) {
    this.warn(String(error))
    if (event.type === "part") this.#slices.drop(event.exchange)
    if (event.type === "part" || (event.type === "message" && event.last)) this.step({ type: "ended", exchange: event.exchange, reason: say`the answer cannot be read` }, error)
  }

  /** What the transport reports. @type {import("../transport/contract.js").Receive} */
  #receive = (event, cause) => {
    if (event.type === "ended" && event.unsent && event.exchange === this.#dropping) return this.#stepNow({ event, cause, owner: this, fed: undefined })
    if (!this.#isClosed && !this.#slices.take(event, cause)) this.step(event, cause)
    return this.#slices.room(event)
  }

  /** @param {SessionAction} action @param {unknown} cause */
  #perform(action, cause) {
    switch (action.type) {
      case "post":
      case "request":
      case "listen":
      case "delete":
        return this.#begin(action)
      case "recall":
        return this.#kept.recall(action, this.#carrier, this.#receive)
      case "abort":
        this.#slices.drop(action.exchange)
        return this.#kept.abort(action.exchange) || this.#carry(action, action.exchange)
      case "keep":
        return this.#kept.keep(action)
      case "forget":
        return this.#kept.forget(action)
    }
    if (action.call !== undefined) this.#calls.get(action.call)?.perform(action, cause)
    else if (action.type === "wait") this.#alarm.set(action.until)
    else observe(() => this.#tell(action))
  }

  /** Begins an exchange. @param {Exclude<Carried | RequestAction, {type: "abort"}>} action */
  #begin(action) {
    const call = "call" in action && this.#calls.get(action.call ?? 0)
    if (call) call.wasSent = true
    this.#carry(action, "cancels" in action ? action.cancels : undefined)
  }

  /** @param {Carried | RequestAction} action @param {number} [dropping] the exchange that ends with it */
  #carry(action, dropping) {
    this.#dropping = dropping
    try {
      this.#carrier.perform(action)
    } catch (error) {
      this.step({ type: "ended", exchange: action.exchange, ...failed(error) }, error)
    }
    this.#dropping = undefined
  }

  /** Tells a watcher of the session. @param {OwnAction} action */
  #tell(action) {
    const { watchers } = this
    switch (action.type) {
      case "ready":
        this.#options = { ...this.#options, known: action.version }
        return watchers.onReady?.(content(action))
      case "subscribed":
        return watchers.onSubscribed?.(content(action))
      case "changed":
        return watchers.onChanged?.(content(action))
      case "notification":
        return watchers.onNotification?.(action.method, action.params)
      case "warning":
        return this.warn(action.text, action.sentence)
    }
  }

  /** The core that a call is in. */
  get core() {
    if (!this.#core) throw new InstanceError(say`the engine's instance is gone`)
    return this.#core
  }

  /** What a snapshot is, if that can be told. @param {string} snapshot */
  snapshotInfo(snapshot) {
    try {
      return this.#engine.snapshotInfo(snapshot)
    } catch {}
  }

  /** Drops a call in the core. @param {Driver} call */
  drop(call) {
    if (this.#calls.get(call.number) !== call) return
    this.#calls.delete(call.number)
    this.#core?.drop(call.number)
  }

  /** Uses the core: after a trap, a new one. Returns the trap if there is another. @param {(core: SessionCore) => void} use @returns {InstanceError | undefined} */
  #used(use) {
    try {
      this.#core ??= this.#engine.newSession({ ...this.#options, firstId: drawId() }) // which ids the one before used is not known
    } catch (error) {
      return error instanceof InstanceError ? error : new InstanceError(say`the engine's instance is gone`, error)
    }
    const core = this.#core
    return this.#attempt(() => use(core))
  }

  /** Does something at which the core may trap. @param {() => void} work @returns {InstanceError | undefined} */
  #attempt(work) {
    const core = this.#core
    try {
      work()
    } catch (error) {
      if (!(error instanceof InstanceError)) throw error
      if (this.#core === core) this.#trapped(error)
      return error
    }
  }

  /** A trap ends the calls, not the session: the next use makes a new core. @param {InstanceError} trap */
  #trapped(trap) {
    const [core, calls, isSubscribed] = [this.#core, [...this.#calls.values()], this.#isSubscribed]
    this.#core = undefined
    this.#isSubscribed = false
    this.#calls.clear()
    this.#queue.length = 0
    this.#slices.clear()
    this.#alarm.set(0)
    observe(() => this.#carrier.reset())
    this.#kept.reset()
    core?.free()
    for (const call of calls) call.trapped(trap)
    const { detail: reason, sentence } = inEnglish(say`the engine's instance trapped`)
    if (isSubscribed) observe(() => this.watchers.onSubscribed?.({ reason, sentence, over: true }))
  }

  /** Ends the session and its calls. @param {unknown} reason */
  async close(reason) {
    for (const call of this.#calls.values()) call.cancel(reason)
    this.step({ type: "close" })
    await undefined // for the actions at hand
    this.#isClosed = true
    this.#slices.clear()
    this.#alarm.set(0)
    this.clock.end()
    await Promise.all([this.#carrier.close(), this.#kept.close()])
    this.#core?.free()
  }

  /** Tells who watches the session. @param {string} text @param {Sentence} [sentence] */
  warn(text, sentence = sentenceOf(text)) {
    observe(() => this.watchers.onWarning?.(text, sentence))
  }
}

/** The first id of a session: nobody else's call began with it, in all likelihood. */
const drawId = () => 1 + Math.floor(Math.random() * 2 ** 20)
