import { ParleyError } from "../../dist/index.js"
import { noted } from "./frames.js"

/** @import { Engine } from "../../dist/index.js" */
/** @import { Exports } from "./exports.js" */

/**
 * What makes flows of what stands in scripts, as enginetest.Host. A method
 * answers a flow, or {"error":…} as text.
 *
 * @typedef {{newFlow: (request: string) => HostFlow | string, restoreFlow: (request: string) => HostFlow | string}} Host
 */

/** @typedef {{step: (now: number, event: string) => string, snapshot: () => string, free: () => void}} HostFlow */

/**
 * The module's exports, with nothing between.
 *
 * @param {Exports} instance
 * @returns {Host}
 */
export function bare(instance) {
  /** @param {string} answer */
  const flow = (answer) => {
    const handle = /^\{"flow":(\d+)\}$/.exec(answer)?.[1]
    if (handle === undefined) return answer
    const id = Number(handle)
    return {
      step: (/** @type {number} */ now, /** @type {string} */ event) => instance.give("parley_flow_step", event, id, now),
      snapshot: () => instance.ask("parley_flow_snapshot", id),
      free: () => instance.free("parley_flow_free", id),
    }
  }
  return {
    newFlow: (request) => flow(instance.give("parley_flow_new", request)),
    restoreFlow: (request) => flow(instance.give("parley_flow_restore", request)),
  }
}

/**
 * The package's own engines; flows are made by each in turn.
 *
 * @param {...Engine} engines
 * @returns {Host}
 */
export function engines(...engines) {
  let turn = 0
  const next = () => /** @type {Engine} */ (engines[turn++ % engines.length])
  /** @param {() => import("../../dist/index.js").Flow} make */
  const flow = (make) =>
    answered(() => {
      const flow = make()
      return {
        step: (/** @type {number} */ now, /** @type {string} */ event) => answered(() => noted({ actions: flow.step(now, valued(event)) })),
        snapshot: () => answered(() => noted({ snapshot: flow.snapshot() })),
        free: () => flow.free(),
      }
    })
  return {
    newFlow: (request) =>
      flow(() => {
        const { method, params, options } = valued(request)
        return next().newFlow(method, params, options)
      }),
    restoreFlow: (request) =>
      flow(() => {
        const { snapshot, ...expect } = valued(request)
        return next().restoreFlow(snapshot, expect)
      }),
  }
}

/** A request that the package cannot be given: no values are written so. The exports judge it. */
export class Unsaid extends Error {}

/** The values of a request. @param {string} text */
export function valued(text) {
  const value = parsed(text)
  if (value?.constructor !== Object || strings(noted(value)) !== strings(text)) throw new Unsaid(text)
  return value
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** How many there are: fewer where a name stood twice. @param {string} text */
const strings = (text) => text.match(/"[^"\\]*(?:\\.[^"\\]*)*"/g)?.length

/** What a call answers, or its error as text. @template T @param {() => T} call @returns {T | string} */
export function answered(call) {
  try {
    return call()
  } catch (error) {
    if (error instanceof ParleyError) return noted({ error: { code: error.code, detail: error.detail } })
    throw error
  }
}
