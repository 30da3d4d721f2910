import { Context } from "../calls/callback.js"
import { lastWords } from "./last-messages.js"
import { failed } from "./failure-reason.js"

/** @import { Bytes } from "../engine/frame.js" */
/** @import { Abort, RequestAction } from "../engine/session.js" */
/** @import { Carrier, Receive, Transport } from "./contract.js" */

/**
 * A leg to send, or something else to tell the server.
 *
 * @typedef {object} Outbound
 * @property {number} leg 0 if nobody waits for the answer
 * @property {string} method
 * @property {string} params JSON text, to go out as it is
 * @property {string} capabilities clientCapabilities as JSON text, to be declared with it
 */

/**
 * @typedef {object} SendContext
 * @property {AbortSignal} signal ends when the answer is no longer wanted
 * @property {(params: string) => void} progress to be called with the params of
 * each notifications/progress for this request, as JSON text: it restarts the
 * leg's clock
 */

/**
 * Sends a JSON-RPC request of MCP 2026-07-28 with a fresh id and returns the
 * whole response as text, or as its UTF-8, an error response included. A throw means that no
 * answer will come; an error with `unsent: true` also means that the server
 * certainly never saw the request.
 *
 * @typedef {(request: Outbound, context: SendContext) => Bytes | Promise<Bytes>} Send
 */

/**
 * A transport over a connection you already have, such as another client's or a
 * function in a test. Ids, header fields and the protocol version are its own.
 *
 * @param {Send} send
 * @returns {Transport}
 */
export function requests(send) {
  if (typeof send !== "function") throw new TypeError("parley: requests needs a function that sends")
  return { kind: "requests", open: (receive) => new RequestCarrier(send, receive) }
}

/** @implements {Carrier} */
class RequestCarrier {
  #send
  #receive
  /** @type {Map<number, Exchange>} */
  #exchanges = new Map()

  /** @param {Send} send @param {Receive} receive */
  constructor(send, receive) {
    this.#send = send
    this.#receive = receive
  }

  /** @param {RequestAction | Abort} action */
  perform(action) {
    const { exchange } = action
    if (action.type === "abort") {
      const begun = this.#exchanges.get(exchange)?.end()
      if (begun === false) this.#receive({ type: "ended", exchange, unsent: true })
    } else this.#exchanges.set(exchange, new Exchange(action, this.#send, this.#receive, () => this.#exchanges.delete(exchange)))
  }

  reset() {
    for (const exchange of this.#exchanges.values()) exchange.end()
  }

  async close() {
    const exchanges = [...this.#exchanges.values()]
    for (const exchange of exchanges) if (exchange.leg) exchange.end()
    await Promise.all(exchanges.map(({ over }) => over))
  }
}

/** One request and its response. */
class Exchange {
  #context = new Context()
  #ended = () => {}
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer

  /** Settles when nothing more comes of it. @type {Promise<void>} */
  over = new Promise((resolve) => (this.#ended = resolve))

  /** @param {RequestAction} action @param {Send} send @param {Receive} receive @param {() => void} ended */
  constructor({ exchange, leg = 0, method, params, capabilities }, send, receive, ended) {
    const context = this.#context
    this.leg = leg
    this.over.then(ended)
    if (!leg) this.#timer = setTimeout(() => this.end(), lastWords)
    /** @type {SendContext} */
    const beside = {
      get signal() {
        return context.signal
      },
      progress: (params) => {
        if (!context.ended) receive({ type: "message", exchange, body: `{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}` })
      },
    }
    context.call(
      () => send({ leg, method, params, capabilities }, beside),
      (body) => {
        if (typeof body !== "string" && !(body instanceof Uint8Array)) throw new TypeError("parley: send must return the response as text or bytes")
        this.end()
        receive({ type: "message", exchange, body, last: true })
      },
      (cause) => {
        this.end()
        receive({ type: "ended", exchange, ...failed(cause) }, cause)
      },
    )
  }

  /** Ends it, and tells whether it was begun. */
  end() {
    clearTimeout(this.#timer)
    this.#context.end()
    this.#ended()
    return this.#context.begun
  }
}
