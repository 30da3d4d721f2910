import { ParleyError } from "../../dist/index.js"
import { withMarkedReason } from "../../dist/texts/sentence.js"
import { noted } from "./frames.js"

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
 * An Instance of the package, of the tests' module: no other has the exports of flows.
 *
 * @typedef {{give(name: string, request: object, ...before: number[]): any, ask(name: string, handle: number): any, free(name: string, handle: number): void}} FlowInstance
 */

/**
 * The exports with the package's own frames between; flows are made in each instance in turn.
 *
 * @param {...FlowInstance} instances
 * @returns {Host}
 */
export function packaged(...instances) {
  let turn = 0
  /** @param {string} name @returns {(request: string) => HostFlow | string} */
  const made = (name) => (request) =>
    answered(() => {
      const instance = /** @type {FlowInstance} */ (instances[turn++ % instances.length])
      const { flow } = instance.give(name, valued(request))
      return {
        step: (/** @type {number} */ now, /** @type {string} */ event) => answered(() => noted(instance.give("parley_flow_step", withMarkedReason(valued(event)), flow, now))),
        snapshot: () => answered(() => noted(instance.ask("parley_flow_snapshot", flow))),
        free: () => instance.free("parley_flow_free", flow),
      }
    })
  return { newFlow: made("parley_flow_new"), restoreFlow: made("parley_flow_restore") }
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
