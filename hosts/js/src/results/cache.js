import { memoryCache } from "./cache-store.js"
import { Context } from "../calls/callback.js"

/** @import { CacheStore, SharedCache } from "./cache-store.js" */
/** @import { Forget, Keep, Recall } from "../engine/session.js" */
/** @import { Carrier, Receive } from "../transport/contract.js" */

/** How many changes of a store may wait. */
const mostChanges = 1024

/** How long a store may take to change, in milliseconds. */
const patience = 5000

/** Where a session has its host keep results. */
export class Kept {
  /** What is this session's alone. */
  #own = memoryCache()
  /** @type {CacheStore | undefined} */
  #shared
  /** What is being looked up, by exchange. @type {Map<number, Context>} */
  #lookups = new Map()
  /** Settles when the changes so far are made. @type {Promise<unknown>} */
  #changed = Promise.resolve()
  #changes = 0

  /** @param {SharedCache} [shared] */
  constructor(shared) {
    this.#shared = shared?.store
  }

  /** @param {Keep} keep */
  keep({ key, entry, until, private: own }) {
    if (own || !this.#shared) this.#own.set(key, entry, until)
    else this.#change((store) => store.set(key, entry, until))
  }

  /** @param {Forget} forget */
  forget({ prefix }) {
    this.#change((store) => store.forget(prefix))
  }

  /**
   * Looks up what was kept, once what was kept before is. A private result is for
   * the authorization that the next request would have.
   *
   * @param {Recall} recall @param {Carrier} carrier @param {Receive} receive
   */
  recall({ exchange, key, private: own }, carrier, receive) {
    const context = new Context()
    this.#lookups.set(exchange, context)
    const store = own || !this.#shared ? this.#own : this.#shared
    let authorization = 0
    const found = (/** @type {unknown} */ entry) => {
      this.#lookups.delete(exchange)
      if (typeof entry === "string") receive({ type: "message", exchange, body: entry, authorization, last: true })
      else receive({ type: "ended", exchange, authorization })
    }
    context.call(
      async () => {
        if (own) authorization = (await carrier.authorized?.(context.signal)) ?? 0
        if (store === this.#shared) await this.#changed
        return store.get(key, context)
      },
      found,
      () => found(undefined),
    )
  }

  /** Gives a lookup up, if that is what the exchange is. @param {number} exchange */
  abort(exchange) {
    const context = this.#lookups.get(exchange)
    context?.end()
    return this.#lookups.delete(exchange)
  }

  /** The core that had them is gone: another does not know whose the private results are. */
  reset() {
    this.#own = memoryCache()
    for (const exchange of [...this.#lookups.keys()]) this.abort(exchange)
  }

  /** Gives all lookups up, and waits for what is kept. */
  async close() {
    for (const exchange of [...this.#lookups.keys()]) this.abort(exchange)
    await inTime(this.#changed)
  }

  /** Of what fails nothing is said: at most the server is asked once more. @param {(store: CacheStore) => unknown} change */
  #change(change) {
    const store = this.#shared
    if (!store || this.#changes === mostChanges) return
    this.#changes++
    this.#changed = this.#changed.then(async () => {
      try {
        await inTime(change(store))
      } catch {}
      this.#changes--
    })
  }
}

/** Waits for something, but not for ever. @param {unknown} done */
async function inTime(done) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(resolve, patience)))
  try {
    await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}
