import { Code } from "../engine/errors.js"
import { isAbsent } from "./lists.js"
import { say } from "../texts/sentence.js"
import { broken, read } from "./typed.js"

/** @import { Call, CallSettings } from "./typed.js" */

/** How many values a completion has at most, which is the protocol's. */
const mostValues = 100

/**
 * An argument of a prompt or of a resource template, one of which is named, and
 * what is in it so far. `context` has the arguments that are filled in already.
 *
 * @typedef {{prompt?: string, template?: string, argument: string, value: string, context?: Record<string, string>} & CallSettings} Completion
 */

/**
 * Asks how an argument could go on; nothing, and no more than once, if the server
 * has no completions.
 *
 * @param {Call} call @param {{absent?: boolean}} known of the server @param {Completion} completion
 * @returns {Promise<{values: string[], hasMore: boolean}>}
 */
export async function complete(call, known, { prompt, template, argument, value, context, ...settings }) {
  if ((prompt === undefined) === (template === undefined)) throw new TypeError("parley: a completion is of either a prompt or a template")
  const method = "completion/complete"
  const ref = template === undefined ? { type: "ref/prompt", name: prompt ?? "" } : { type: "ref/resource", uri: template }
  const params = { ref, argument: { name: argument, value }, ...(context && { context: { arguments: context } }) }
  if (known.absent) return { values: [], hasMore: false }
  const outcome = await call({ ...settings, method, params: JSON.stringify(params) })
  if (isAbsent(outcome)) {
    known.absent = true
    return { values: [], hasMore: false }
  }
  read(method, outcome) // throws where there is no result
  const { completion } = outcome.status === "done" ? JSON.parse(outcome.result) : { completion: undefined }
  const values = completion?.values
  if (!Array.isArray(values) || !values.every((text) => typeof text === "string")) {
    throw broken(Code.malformed, say`${method}: the result has no completion with values`, outcome.status === "done" ? outcome.result : "")
  }
  return { values: values.slice(0, mostValues), hasMore: completion.hasMore === true || values.length > mostValues }
}
