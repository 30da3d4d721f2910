import { keepLease, settleLease } from "./lease.js"
import { TakenError } from "./store-errors.js"
import { scripts } from "./store-redis-scripts.js"

/** @import { Outcome } from "./driver.js" */
/** @import { About } from "./store-about.js" */
/** @import { Lease, Waits } from "./store-contract.js" */
/** @import { RedisServer } from "./store-redis-server.js" */
/** @import { Script } from "./store-redis-scripts.js" */
/** @import { Sealing } from "./store-sealing.js" */

/**
 * What a lease has of its store: `step` runs a script on the call under its
 * token, and rejects with what it says.
 *
 * @typedef {object} Holder
 * @property {string} id
 * @property {number} term
 * @property {number} keep
 * @property {string} key of the call
 * @property {Sealing} sealing
 * @property {RedisServer} server
 * @property {(script: Script, more: (string | Uint8Array)[], signal?: AbortSignal) => Promise<unknown>} step
 */

/**
 * A lease on a call. Its generation and token are compared together: after a
 * failover a replica may give the same number again.
 *
 * @implements {Lease}
 */
export class RedisLease {
  #holder
  #generation
  #over = new AbortController()
  /** One step after the other. @type {Promise<unknown>} */
  #turn = Promise.resolve()

  /** @param {Holder} holder @param {Uint8Array} generation */
  constructor(holder, generation) {
    this.#holder = holder
    this.#generation = generation
  }

  /** In milliseconds. */
  get term() {
    return this.#holder.term
  }

  /** @param {string} snapshot @param {About} [about] @param {Waits} [waits] */
  async save(snapshot, about, { signal } = {}) {
    const { id, key, keep, sealing, server } = this.#holder
    const sealed = await sealing.seal(id, snapshot, about)
    await this.#do(scripts.save, [millis(keep), sealed.snapshot, sealed.about ?? "", sealed.tag], signal)
    await server.confirmed(key, signal)
  }

  /** @param {Waits} [waits] */
  renew(waits) {
    return this.#do(scripts.renew, [], waits?.signal)
  }

  /** @param {AbortSignal} [signal] */
  keep(signal) {
    return keepLease(this, this.term, this.#over.signal, signal)
  }

  /** It needs no memory of the server's. @param {Waits} [waits] */
  done(waits) {
    return this.#last(scripts.done, waits)
  }

  /** It needs no memory of the server's. @param {Waits} [waits] */
  release(waits) {
    return this.#last(scripts.release, waits)
  }

  /** @param {Outcome} outcome */
  settle(outcome) {
    return settleLease(this, outcome)
  }

  /** @param {Script} script @param {Waits} [waits] */
  async #last(script, waits) {
    await this.#do(script, [], waits?.signal)
    this.#over.abort()
  }

  /** @param {Script} script @param {(string | Uint8Array)[]} more @param {AbortSignal} [signal] @returns {Promise<void>} */
  async #do(script, more, signal) {
    const turn = this.#turn.then(() => {
      signal?.throwIfAborted()
      if (this.#over.signal.aborted) throw new TakenError()
      return this.#holder.step(script, [this.#generation, ...more], signal)
    })
    this.#turn = turn.catch(() => {})
    await turn
  }
}

/** @param {number} ms */
export function millis(ms) {
  return String(Math.max(1, Math.floor(ms)))
}
