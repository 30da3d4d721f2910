// What becomes of a leg when the session that knows is gone: it is in doubt if
// and only if it may have arrived and was not answered.

/** @import { Engine } from "./core.js" */
/** @import { Driver } from "./driver.js" */
/** @import { Happened } from "./router.js" */
/** @import { SessionOptions } from "./session-core.js" */

/**
 * Whether an event tells that the leg of a call is answered, or was not sent. At
 * the end of the call the engine knows, and should that be gone, nobody does.
 *
 * @param {Happened[0]} event @param {Driver} call
 */
export function answers(event, { flying, over }) {
  if (event.type === "message") return event.last && event.exchange === flying && !over
  return event.type === "ended" && event.unsent && event.exchange === flying
}

/**
 * Finds out whether a call that a trap has ended is in doubt, by its last
 * snapshot: not if its leg waited for a save, which the snapshot learns. What it
 * begins for that is not performed: it has a session of its own.
 *
 * @param {Engine} engine @param {SessionOptions} options @param {Driver} call @param {string} kept
 */
export function settle(engine, options, call, kept) {
  let core
  try {
    core = engine.newSession(options)
    const number = core.restore(kept, call.labels)
    const { inDoubt = false } = core.info(number)
    if (call.inDoubt || !inDoubt) return void (call.inDoubt = inDoubt)
    for (const type of /** @type {const} */ (["begin", "cancel"])) core.step(Date.now(), { type, call: number, unsent: true })
    call.kept = core.snapshot(number)
    call.inDoubt = core.info(number).inDoubt === true // by a leg before
  } catch {
    // It is as far as it was known.
  } finally {
    core?.free()
  }
}
