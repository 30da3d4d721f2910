/** @import { Driven, Feed } from "./driver.js" */
/** @import { InstanceError } from "./errors.js" */
/** @import { Event, Expect } from "./flow.js" */
/** @import { Router } from "./router.js" */
/** @import { CallAction, Performed } from "./session-core.js" */

/** @typedef {(method: string, params: string | undefined) => void} OnNotification */

/**
 * A call of a session, as its driver sees it.
 *
 * @implements {Driven}
 */
export class SessionCall {
  #router
  #feed
  /** What ended the call where the engine did not. @type {InstanceError | undefined} */
  #trap
  #over = false

  /** In the session; another one after a trap. */
  number

  /** The last snapshot before a trap. @type {string | undefined} */
  kept

  /**
   * @param {Router} router @param {number} number @param {Feed} feed of its driver
   * @param {Expect} labels to be restored with
   * @param {OnNotification | undefined} onNotification
   */
  constructor(router, number, feed, labels, onNotification) {
    this.#router = router
    this.#feed = feed
    this.number = number
    this.labels = { peer: labels.peer, principal: labels.principal, size: labels.size }
    this.onNotification = onNotification
  }

  /** @param {Event} event */
  step(event) {
    const actions = this.#router.step(this, event)
    if (actions) this.#note(actions)
    return actions
  }

  /** Takes actions that follow from what happened in the session. @param {CallAction[]} actions @param {unknown} cause */
  deliver(actions, cause) {
    this.#note(actions)
    this.#feed({ actions, cause })
  }

  snapshot() {
    return this.#router.snapshot(this)
  }

  get saved() {
    return this.#trap ? this.kept : this.#router.saved(this)
  }

  /** @param {Performed} action */
  perform(action) {
    this.#router.perform(this, /** @type {CallAction} */ (action))
  }

  /** Ends the call, because there is nothing to go on with. @param {InstanceError} trap */
  lose(trap) {
    this.#trap = trap
    this.#feed({ trap })
  }

  /** Throws what ended the call, if something did. */
  check() {
    if (this.#trap) throw this.#trap
  }

  /** What is still in flight or open is not wanted any more. */
  end() {
    try {
      if (!this.#over && !this.#trap) this.step({ type: "cancel" })
    } catch {
      // There is nothing to cancel.
    } finally {
      this.#router.drop(this)
    }
  }

  /** @param {CallAction[]} actions */
  #note(actions) {
    this.#over ||= actions.some(({ type }) => type === "done" || type === "parked" || type === "failed")
  }
}
