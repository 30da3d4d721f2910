import { keepLease, settleLease } from "../lease.js"
import { SupersededError } from "../faults.js"
import { Order } from "./order.js"
import { scripts } from "./scripts.js"

/** @import { Outcome } from "../../calls/driver.js" */
/** @import { About } from "../about.js" */
/** @import { Lease, Waits } from "../contract.js" */
/** @import { Script } from "./scripts.js" */
/** @import { Sealing } from "../sealing.js" */

/**
 * What a lease has of its store: `step` runs a script on the call under its
 * token, and rejects with what it says.
 *
 * @typedef {object} Holder
 * @property {string} id
 * @property {number} term
 * @property {number} keep
 * @property {Sealing} sealing
 * @property {(script: Script, more?: (string | Uint8Array)[]) => Promise<unknown>} step
 */

/**
 * A lease on a call.
 *
 * @implements {Lease}
 */
export class RedisLease {
  #holder
  #order = new Order()

  /** @param {Holder} holder */
  constructor(holder) {
    this.#holder = holder
  }

  /** In milliseconds. */
  get term() {
    return this.#holder.term
  }

  /** @param {string} snapshot @param {About} [about] @param {Waits} [waits] */
  async save(snapshot, about, { signal } = {}) {
    const { id, keep, sealing } = this.#holder
    const sealed = await sealing.seal(id, snapshot, about)
    await this.#step(scripts.save, [millis(keep), sealed.snapshot, sealed.about ?? "", sealed.tag], signal)
  }

  /** One that a later step has overtaken has nothing left to do. @param {Waits} [waits] */
  async renew(waits) {
    try {
      await this.#step(scripts.renew, [], waits?.signal)
    } catch (error) {
      if (!(error instanceof SupersededError)) throw error
    }
  }

  /** @param {AbortSignal} [signal] */
  keep(signal) {
    return keepLease(this, this.term, this.#order.over, signal)
  }

  /** It needs no memory of the server's. @param {Waits} [waits] */
  done(waits) {
    return this.#order.end(() => this.#holder.step(scripts.done), waits?.signal)
  }

  /** It needs no memory of the server's. @param {Waits} [waits] */
  release(waits) {
    return this.#order.end(() => this.#holder.step(scripts.release), waits?.signal)
  }

  /** @param {Outcome} outcome */
  settle(outcome) {
    return settleLease(this, outcome)
  }

  /** @param {Script} script @param {(string | Uint8Array)[]} more @param {AbortSignal} [signal] */
  #step(script, more, signal) {
    return this.#order.step((number, id) => this.#holder.step(script, [number, id, ...more]), signal)
  }
}

/** @param {number} ms */
export function millis(ms) {
  return String(Math.max(1, Math.floor(ms)))
}
