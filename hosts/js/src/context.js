/** @import { SendContext } from "./callbacks.js" */

/**
 * What a callback gets beside its data.
 *
 * @implements {SendContext}
 */
export class Context {
  /** @type {AbortController | undefined} */
  #controller

  /** The callback is not wanted any more. */
  ended = false

  /** The callback has returned. */
  settled = false

  /** @type {(params: string) => void} */
  progress = () => {}

  /** Made only for callbacks that look at it: it costs more than a call of the engine. */
  get signal() {
    this.#controller ??= new AbortController()
    if (this.ended) this.#controller.abort()
    return this.#controller.signal
  }

  end() {
    this.ended = true
    if (!this.settled) this.#controller?.abort()
  }
}
