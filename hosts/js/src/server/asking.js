import { Ask } from "./ask.js"
import { openedOf, replaying } from "./exchange.js"
import { Replay } from "./replay.js"

/** @import { InputRequiredResult, ServerContext } from "@modelcontextprotocol/server" */
/** @import { Guard } from "../codec/guard.js" */
/** @import { Guarded, Replaying } from "./exchange.js" */

/**
 * @typedef {object} AskingOptions
 * @property {boolean} [strict] fails a call whose handler asks otherwise than it did in the
 *   round before; else it is asked anew
 * @property {number} [maxRecord] bounds what is recorded in a state, in bytes: 8192 by
 *   default, which fits a token of the default size. Raise it together with the Guard's `maxToken`
 */

/**
 * Makes a callback for `registerTool`, `registerPrompt` or `registerResource` of a handler that
 * asks in straight code: see {@link Ask}. The server needs {@link guardServer} with the same Guard,
 * which seals the answers that travel from round to round.
 *
 * Clients of revisions without rounds are asked by the SDK's own fallback, and
 * the handler is run again after each question there, too.
 *
 * @template A, R
 * @param {Guard} guard
 * @param {(args: A, ask: Ask, context: ServerContext) => R | Promise<R>} handler `args` are empty for a tool or
 *   prompt without any, and the URL for a resource
 * @param {AskingOptions} [options]
 * @returns {(...called: [args: A, context: ServerContext] | [context: ServerContext]) => Promise<R | InputRequiredResult>}
 */
export function asking(guard, handler, { strict = false, maxRecord = 8192 } = {}) {
  return async (...called) => {
    const context = /** @type {ServerContext} */ (called[called.length - 1])
    const args = /** @type {A} */ (called.length > 1 ? called[0] : {})
    const opened = openedOf(context)
    if (opened.guard !== guard) throw new TypeError("parley: this tool asks with another Guard than the one that protects its server")
    const replay = new Replay(context, opened, { strict, maxRecord })
    const running = new AbortController()
    const ask = new Ask(replay, running.signal)
    const run = async () => {
      const result = await handler(args, ask, inside(context, { replay, signal: running.signal }))
      replay.close()
      return result
    }
    let result
    try {
      result = await Promise.race([run(), replay.ended])
    } catch (error) {
      if (!replay.outcome) throw error
    } finally {
      running.abort()
    }
    return replay.outcome ? replay.outcome() : /** @type {R} */ (result)
  }
}

/** What the handler gets to see: the answers are the record's business. @param {ServerContext} context @param {Replaying} run @returns {ServerContext} */
function inside(context, run) {
  /** @type {Guarded} */
  const mcpReq = { ...context.mcpReq, inputResponses: undefined, requestState: () => undefined, [replaying]: run }
  return { ...context, mcpReq }
}
