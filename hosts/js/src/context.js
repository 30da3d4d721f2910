/** @import { SendContext } from "./callbacks.js" */
/** @import { Feed, Turn } from "./driver.js" */

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

  /**
   * Calls the callback, after the actions at hand were performed, and feeds
   * what comes of it, unless nobody waits for it any more.
   *
   * @template T
   * @param {Feed} feed
   * @param {() => T | Promise<T>} callback
   * @param {(value: T) => Turn} then
   * @param {(error: unknown) => Turn} failed
   */
  async call(feed, callback, then, failed) {
    this.settled = false
    /** @type {Turn} */
    let turn
    try {
      await undefined
      turn = then(await callback())
    } catch (error) {
      turn = failed(error)
    }
    this.settled = true
    if (!this.ended) feed(turn)
  }
}
