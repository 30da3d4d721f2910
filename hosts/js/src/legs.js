import { observe } from "./callbacks.js"
import { Context } from "./context.js"
import { isUnsent } from "./unsent.js"

/** @import { Callbacks, Request } from "./callbacks.js" */
/** @import { Clock } from "./clock.js" */
/** @import { Driven, Feed } from "./driver.js" */
/** @import { Event, Flow } from "./flow.js" */
/** @import { Performed } from "./session-core.js" */

/**
 * A flow whose legs go out by the callback `send`.
 *
 * @implements {Driven}
 */
export class Legs {
  #flow
  #callbacks
  #capabilities
  #clock
  #feed
  /** The leg in flight. @type {Context | undefined} */
  #context

  /** @param {Flow} flow @param {Callbacks} callbacks @param {string} capabilities @param {Clock} clock @param {Feed} feed */
  constructor(flow, callbacks, capabilities, clock, feed) {
    this.#flow = flow
    this.#callbacks = callbacks
    this.#capabilities = capabilities
    this.#clock = clock
    this.#feed = feed
  }

  /** @param {Event} event */
  step(event) {
    return this.#flow.step(this.#clock.now(), event)
  }

  snapshot() {
    return this.#flow.snapshot()
  }

  get saved() {
    return this.#flow.saved
  }

  /** @param {Performed} action */
  perform(action) {
    if (action.type === "send") this.#send(action)
    if (action.type === "abandon") this.end()
    if (action.type === "tell") this.#tell(action)
  }

  end() {
    this.#context?.end()
    this.#context = undefined
  }

  /** @param {Extract<Performed, {type: "send"}>} action */
  #send({ leg, method, params }) {
    this.end()
    const context = (this.#context = new Context())
    const { send, onProgress } = this.#callbacks
    /** @type {Request} */
    const request = { leg, method, params, capabilities: this.#capabilities }
    context.progress = (params) => {
      if (context.ended) return
      observe(() => onProgress?.(leg, params))
      this.#feed({ event: { type: "progress", leg } })
    }
    context.call(
      this.#feed,
      () => send.call(this.#callbacks, request, context),
      (body) => {
        if (typeof body !== "string") throw new TypeError("parley: send must return the response as text")
        return { event: { type: "response", leg, body } }
      },
      (cause) => ({ event: { type: "lost", leg, reason: "the transport failed", unsent: isUnsent(cause) }, cause }),
    )
  }

  /** Sends a request whose answer nobody waits for. @param {Extract<Performed, {type: "tell"}>} action */
  #tell({ method, params }) {
    const request = { leg: 0, method, params, capabilities: this.#capabilities }
    observe(() => this.#callbacks.send(request, new Context()))
  }
}
