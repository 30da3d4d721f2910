import { capabilitiesOf, missing } from "./callbacks.js"
import { Clock } from "./clock.js"
import { Driver } from "./driver.js"
import { Legs } from "./legs.js"

/** @import { Engine } from "./core.js" */
/** @import { Askers, Callbacks } from "./callbacks.js" */
/** @import { Outcome } from "./driver.js" */
/** @import { Expect, Flow, Info, Json, Options } from "./flow.js" */

/**
 * Makes a flow and runs it. Where the options declare no capabilities, those
 * of the callbacks are declared.
 *
 * @param {Engine} engine
 * @param {string} method
 * @param {Json} params text goes out as it is
 * @param {Callbacks} callbacks
 * @param {Options} [options]
 * @returns {Promise<Outcome>}
 */
export async function call(engine, method, params, callbacks, options = {}) {
  check(callbacks)
  const declared = options.capabilities === undefined ? capabilitiesOf(callbacks) : undefined
  const flow = engine.newFlow(method, params, declared === undefined ? options : { ...options, capabilities: declared })
  try {
    return await drive(flow, callbacks, false, declared ?? ready(flow.info(), callbacks))
  } finally {
    flow.free()
  }
}

/**
 * Goes on with a call from its snapshot: a question that was open is asked
 * again, nothing that was answered is asked twice. A tool call that was in
 * flight when its page ended fails with Code.inDoubt, because it may have been
 * made; `resend` calls it again all the same.
 *
 * @param {Engine} engine
 * @param {string} snapshot
 * @param {Callbacks} callbacks
 * @param {Expect & {resend?: boolean}} [expect] the labels the call was made with
 * @returns {Promise<Outcome>}
 */
export async function resume(engine, snapshot, callbacks, { resend, ...expect } = {}) {
  const flow = engine.restoreFlow(snapshot, expect)
  try {
    return await run(flow, callbacks, { resend })
  } finally {
    flow.free()
  }
}

/**
 * Performs what the flow asks for until it ends; `call` and `resume` are made
 * of it. When the signal aborts, it returns at once, even if a callback
 * ignores that. It throws only on a mistake in using it, before anything was
 * sent or asked.
 *
 * @param {Flow} flow
 * @param {Callbacks} callbacks
 * @param {{resend?: boolean}} [begin]
 * @returns {Promise<Outcome>}
 */
export async function run(flow, callbacks, { resend } = {}) {
  check(callbacks)
  return drive(flow, callbacks, resend, ready(flow.info(), callbacks))
}

/** @param {Callbacks} callbacks */
function check(callbacks) {
  if (typeof callbacks.send !== "function") throw new TypeError("parley: the callback send is missing: it is how the call reaches the server")
}

/** The capabilities of a call that the callbacks live up to. @param {Info} info @param {Askers} callbacks */
export function ready(info, callbacks) {
  const name = missing(callbacks, info)
  if (name) throw new TypeError(`parley: the callback ${name} is missing, and the call declared that it can be asked`)
  return info.capabilities
}

/** The event that starts a call or goes on with it. @param {boolean | undefined} resend @returns {{type: "begin", resend?: boolean}} */
export function begin(resend) {
  return resend ? { type: "begin", resend } : { type: "begin" }
}

/** @param {Flow} flow @param {Callbacks} callbacks @param {boolean | undefined} resend @param {string} capabilities */
function drive(flow, callbacks, resend, capabilities) {
  const clock = new Clock()
  const driver = new Driver(callbacks, clock)
  return driver.run(new Legs(flow, callbacks, capabilities, clock, driver.feed), begin(resend))
}
