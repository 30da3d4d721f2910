import { isWellFormed, textOf } from "./frame.js"
import { inTurn } from "./yield.js"

/** @import { Bytes } from "./frame.js" */
/** @import { DoneWithin } from "./call.js" */
/** @import { MessagePart, Received, ReceivedMessage, SessionAction } from "./session.js" */

/** How much of a message the engine gets at once, in bytes: nobody waits longer than that takes. */
const mostAtOnce = 256 << 10

/** Steps with an event, and with the slices of the message whose last one it has. @typedef {(event: Received | MessagePart, cause?: unknown, fed?: Uint8Array[]) => void} Step */

/** A message that is being fed, what of it has been, and what waits behind it. @typedef {{message: {type: "message"} & ReceivedMessage, cause: unknown, fed: Uint8Array[], at: number, behind: [event: Received, cause: unknown][], done: Promise<void>, end: () => void}} Sliced */

const encoder = /* @__PURE__ */ new TextEncoder()

/** Feeds long messages in slices, and gives whatever else happens a turn between them. */
export class Slices {
  #step
  /** By exchange. @type {Map<number, Sliced>} */
  #sliced = new Map()

  /** @param {Step} step */
  constructor(step) {
    this.#step = step
  }

  /**
   * Takes a long message, and what comes of its exchange before it is fed.
   *
   * @param {Received} event @param {unknown} cause @returns {boolean}
   */
  take(event, cause) {
    const exchange = exchangeOf(event)
    const before = this.#sliced.get(exchange)
    if (before) return before.behind.push([event, cause]) > 0
    if (event.type !== "message" || !isLong(event.body)) return false
    let end = () => {}
    const done = /** @type {Promise<void>} */ (new Promise((resolve) => (end = () => resolve(undefined))))
    const sliced = { message: event, cause, fed: [], at: 0, behind: [], done, end }
    this.#sliced.set(exchange, sliced)
    this.#feed(sliced)
    return true
  }

  /** Settles when there is room for more of an exchange, if there is none now. @param {Received} event */
  room(event) {
    return this.#sliced.get(exchangeOf(event))?.done
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
    const { message, cause, fed, behind } = sliced
    const { exchange } = message
    if (this.#sliced.get(exchange) !== sliced) return // it was dropped
    const [body, next] = cut(message.body, sliced.at)
    sliced.at = next
    if (typeof body !== "string") fed.push(body)
    if (next < message.body.length) {
      this.#step({ type: "part", exchange, body }, cause)
      inTurn(() => this.#feed(sliced))
    } else {
      this.drop(exchange)
      this.#step({ ...message, body }, cause, fed)
      for (const [event, cause] of behind) if (!this.take(event, cause)) this.#step(event, cause)
    }
  }
}

/** A result that stands in a message, as text. @param {SessionAction} action @param {Uint8Array[]} fed @returns {SessionAction} */
export function within(action, fed) {
  if (action.type !== "done" || action.result !== undefined) return action
  const { from, to, ...done } = /** @type {DoneWithin} */ (/** @type {unknown} */ (action))
  return /** @type {SessionAction} */ ({ ...done, result: fedText(fed, from, to) })
}

/** The text of what was fed from one byte to another. @param {Uint8Array[]} fed @param {number} from @param {number} to */
function fedText(fed, from, to) {
  const bytes = new Uint8Array(to - from)
  let at = -from
  for (const slice of fed) {
    const part = slice.subarray(Math.max(-at, 0), Math.max(to - from - at, 0))
    if (part.length) bytes.set(part, Math.max(at, 0))
    at += slice.length
  }
  return textOf(bytes)
}

/** Whose order an event is in: all of a process is in one. @param {Received} event */
function exchangeOf(event) {
  return event.type === "down" ? 0 : event.exchange
}

/** @param {Bytes} body */
function isLong(body) {
  if (typeof body !== "string") return body.length > mostAtOnce
  return body.length * 3 > mostAtOnce && cut(body, 0)[1] < body.length
}

/**
 * A slice of a body and where the next one begins. Text is made bytes slice by
 * slice, as all of it at once would take long, unless it has no bytes: a lone
 * surrogate is left for the engine's boundary to refuse.
 *
 * @param {Bytes} body @param {number} at @returns {[slice: Bytes, next: number]}
 */
function cut(body, at) {
  if (typeof body !== "string") return [body.subarray(at, at + mostAtOnce), at + mostAtOnce]
  let end = at + mostAtOnce
  if (end < body.length && /[\ud800-\udbff]/.test(body.charAt(end - 1))) end-- // a pair stays one
  const text = body.slice(at, end)
  if (!isWellFormed(text)) return [text, at + text.length]
  const bytes = new Uint8Array(mostAtOnce)
  const { read, written } = encoder.encodeInto(text, bytes)
  return [bytes.subarray(0, written), at + read]
}
