import { Code } from "../engine/errors.js"
import { Failure } from "./failure.js"
import { text } from "../engine/call.js"
import { Fault, results } from "./schema-reader.js"
import { inEnglish, say } from "../texts/sentence.js"

/** @import { Outcome } from "../calls/driver.js" */
/** @import { Json } from "../engine/call.js" */
/** @import { Request } from "../calls/request.js" */
/** @import { Sentence } from "../texts/sentence.js" */

/** What a typed call takes beside its own. @typedef {Omit<Request, "method" | "params">} CallSettings */

/**
 * A tool to be called; text as `arguments` goes out as it is. `task` asks the server to run it as a task, as of MCP
 * 2025-11-25, where the tool's `execution` says that it may: the call can then be parked while the tool runs. A call
 * that cannot be a task there fails, and nothing is sent. A tool that runs only as a task gets one unasked. Servers of
 * MCP 2026-07-28 decide that themselves, and of earlier versions have none. `ttl` is how many milliseconds the server is to keep it.
 *
 * @typedef {{name: string, arguments?: Json, task?: {ttl?: number}} & CallSettings} ToolCall
 */

/** @typedef {{name: string, arguments?: Json} & CallSettings} PromptGet */

/** @typedef {{uri: string} & CallSettings} ResourceRead */

/** Makes a call. @typedef {(request: Request) => Promise<Outcome>} Call */

/** The params of a method that takes a name and arguments. @param {string} name @param {Json} [args] @param {{ttl?: number}} [task] */
export function named(name, args, task) {
  if (args === undefined) return { name, task }
  return `{"name":${JSON.stringify(name)},"arguments":${object(args)}${task === undefined ? "" : `,"task":${JSON.stringify(task)}`}}`
}

/**
 * The result of a tool call that was made by `session.call` or `resume`, as
 * `callTool` returns it. It throws a Failure where `callTool` rejects with one.
 *
 * @param {Outcome} outcome
 * @returns {import("./schema.js").CallToolResult}
 */
export const toolResult = (outcome) => read("tools/call", outcome)

/** The same for a prompt. @param {Outcome} outcome @returns {import("./schema.js").GetPromptResult} */
export const promptResult = (outcome) => read("prompts/get", outcome)

/** The same for a resource. @param {Outcome} outcome @returns {import("./schema.js").ReadResourceResult} */
export const resourceResult = (outcome) => read("resources/read", outcome)

/** Reads a call's result. @param {string} method @param {Outcome} outcome */
export function read(method, outcome) {
  if (outcome.status === "parked") throw new Failure({ ...inEnglish(say`the call is parked`), resumable: true, ...outcome })
  if (outcome.status === "failed") throw new Failure(outcome)
  const { result } = outcome
  try {
    return results[method]?.(JSON.parse(result), result, "")
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault
    throw broken(fault.limit ? Code.limit : Code.malformed, flawOf(method, say`${fault.where} ${fault.what}`), result)
  }
}

/** What is wrong with a result. @param {string} method @param {Sentence} flaw */
function flawOf(method, flaw) {
  return say`${method}: ${method === "tools/call" ? say`${flaw}, though the tool has run` : flaw}`
}

/** What was read of a result, or of the wrong kind for that. @param {number} code @param {Sentence} sentence @param {string} [raw] */
export function broken(code, sentence, raw) {
  return new Failure({ status: "failed", code, ...inEnglish(sentence), resumable: false }, raw)
}

/** Arguments as JSON text. @param {Json} args */
function object(args) {
  const json = text(args)
  try {
    const value = JSON.parse(json)
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return json
  } catch {}
  throw new TypeError("parley: arguments must be an object, or the JSON text of one")
}
