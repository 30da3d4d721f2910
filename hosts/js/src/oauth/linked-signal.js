/**
 * A signal that aborts with another, or earlier, and a promise that rejects
 * then: for waits at whose other side nobody may mind a signal.
 *
 * @param {AbortSignal} [outer]
 */
export function linked(outer) {
  const over = new AbortController()
  const { signal } = over
  const stop = () => over.abort(outer?.reason)
  /** @type {Promise<never>} */
  const ended = new Promise((_, reject) => (signal.onabort = () => reject(signal.reason)))
  ended.catch(() => {})
  outer?.addEventListener("abort", stop)
  if (outer?.aborted) stop()
  return {
    signal,
    ended,
    abort: (/** @type {unknown} */ reason) => over.abort(reason),
    /** It is over: nobody needs the signal any more. */
    end() {
      outer?.removeEventListener("abort", stop)
      over.abort()
    },
  }
}
