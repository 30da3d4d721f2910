import { utf8 } from "./frame.js"
import { inTurn } from "./turn.js"

/** @import { Bytes } from "./frame.js" */
/** @import { Happened } from "./router.js" */
/** @import { ReceivedMessage } from "./session-core.js" */

/** How much of a message the engine gets at once, in bytes: nobody waits longer than that takes. */
const mostAtOnce = 256 << 10

/** A message that is being fed. @typedef {{message: {type: "message"} & ReceivedMessage, cause: unknown, call: number | undefined, whole: Uint8Array, at: number, behind: Happened[], done: Promise<void>, end: () => void}} Sliced */

/** Feeds long messages in slices, and gives whatever else happens a turn between them. */
export class Slices {
  #part
  #last
  /** By exchange. @type {Map<number, Sliced>} */
  #sliced = new Map()

  /**
   * @param {(happened: Happened) => void} part feeds a slice
   * @param {(happened: Happened, whole: Uint8Array, behind: Happened[]) => void} last feeds the last one, and then what waited for it
   */
  constructor(part, last) {
    this.#part = part
    this.#last = last
  }

  /**
   * Takes a long message, and what comes of its exchange before it is fed.
   *
   * @param {Happened} happened @returns {boolean}
   */
  take(happened) {
    const [event, cause, call] = happened
    const exchange = exchangeOf(event)
    if (exchange === undefined) return false
    const before = this.#sliced.get(exchange)
    if (before) return before.behind.push(happened) > 0
    const whole = event.type === "message" && long(event.body)
    if (!whole) return false
    let end = () => {}
    const done = /** @type {Promise<void>} */ (new Promise((resolve) => (end = () => resolve(undefined))))
    const sliced = { message: event, cause, call, whole, at: 0, behind: [], done, end }
    this.#sliced.set(exchange, sliced)
    this.#feed(sliced)
    return true
  }

  /** Settles when there is room for more of an exchange, if there is none now. @param {Happened[0]} event */
  room(event) {
    return this.#sliced.get(exchangeOf(event) ?? NaN)?.done
  }

  /** Forgets what is left of an exchange. @param {number} exchange */
  drop(exchange) {
    this.#sliced.get(exchange)?.end()
    this.#sliced.delete(exchange)
  }

  /** Forgets all. */
  clear() {
    for (const exchange of [...this.#sliced.keys()]) this.drop(exchange)
  }

  /** @param {Sliced} sliced */
  #feed(sliced) {
    const { message, cause, call, whole, at, behind } = sliced
    const { exchange } = message
    if (this.#sliced.get(exchange) !== sliced) return // it was dropped
    const body = whole.subarray(at, (sliced.at += mostAtOnce))
    if (sliced.at < whole.length) {
      this.#part([{ type: "part", exchange, body }, cause, call])
      inTurn(() => this.#feed(sliced))
    } else {
      this.drop(exchange)
      this.#last([{ ...message, body }, cause, call], whole, behind)
    }
  }
}

/** Whose order an event is in: all of a process is in one. @param {Happened[0]} event */
function exchangeOf(event) {
  return event.type === "down" ? 0 : "exchange" in event ? event.exchange : undefined
}

/** A body as bytes, if it is long. @param {Bytes} body */
function long(body) {
  if (body.length * (typeof body === "string" ? 3 : 1) <= mostAtOnce) return undefined
  const bytes = typeof body === "string" ? utf8(body) : body
  return bytes && bytes.length > mostAtOnce ? bytes : undefined
}
