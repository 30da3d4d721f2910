/** What a callback gets beside its data: a signal that aborts when the callback is not wanted any more. */
export class Context {
  /** @type {AbortController | undefined} */
  #controller
  #settled = false

  /** The callback is not wanted any more. */
  ended = false

  /** The callback was called. */
  begun = false

  /** Made only for callbacks that look at it: it costs more than a call of the engine. */
  get signal() {
    this.#controller ??= new AbortController()
    if (this.ended) this.#controller.abort()
    return this.#controller.signal
  }

  end() {
    this.ended = true
    if (!this.#settled) this.#controller?.abort()
  }

  /**
   * Calls the callback after the actions at hand were performed, if it is wanted
   * then, and passes on its result if that is.
   *
   * @template T
   * @param {() => T | Promise<T>} callback
   * @param {(value: T) => void} then
   * @param {(error: unknown) => void} failed
   */
  async call(callback, then, failed) {
    try {
      await undefined
      if (this.ended) return
      this.begun = true
      const value = await callback()
      this.#settled = true
      if (!this.ended) then(value)
    } catch (error) {
      this.#settled = true
      if (!this.ended) failed(error)
    }
  }
}
