/** @import { ServerContext } from "@modelcontextprotocol/server" */
/** @import { Exchange, Guard, Verdict } from "../codec/guard.js" */
/** @import { Replay } from "./replay.js" */

/** Where a request's context has what its Guard knows of it. */
export const opened = Symbol("parley.exchange")

/** Where the context of a handler that asks has its run. */
export const replaying = Symbol("parley.replay")

/** @typedef {{guard: Guard, exchange: Exchange}} Opened */
/** @typedef {{replay: Replay, signal: AbortSignal}} Replaying */
/** @typedef {ServerContext["mcpReq"] & {[opened]?: Opened, [replaying]?: Replaying}} Guarded */

/** @param {ServerContext} context @returns {Guarded} */
export const guardedOf = ({ mcpReq }) => mcpReq

/** @param {ServerContext} context */
export function openedOf(context) {
  const known = guardedOf(context)[opened]
  if (!known) throw new TypeError("parley: this request went through no Guard: call guardServer before registering its handler")
  return known
}

/**
 * What is known about an answer in `context.mcpReq.inputResponses`: whether it
 * answers this very question, an entry of inputRequests. A handler that asks
 * from the request alone uses only answers that are `same`, and asks again for
 * the others. Throws for a context that no Guard made.
 *
 * @param {ServerContext} context
 * @param {string} key
 * @param {{method: string, params?: object}} question
 * @returns {Verdict}
 */
export function verdict(context, key, { method, params }) {
  const { guard, exchange } = openedOf(context)
  return guard.verdict(exchange, key, method, params && JSON.stringify(params))
}
