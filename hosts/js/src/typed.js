import { Code } from "./errors.js"
import { Failure } from "./failure.js"
import { text } from "./flow.js"
import { Fault, results } from "./schema-reader.js"
import { inEnglish, say } from "./sentence.js"

/** @import { Outcome } from "./driver.js" */
/** @import { Json } from "./flow.js" */
/** @import { Request } from "./request.js" */
/** @import { Sentence } from "./sentence.js" */

/** What a typed call takes beside its own. @typedef {Omit<Request, "method" | "params">} CallSettings */

/** A tool to be called; text as `arguments` goes out as it is. @typedef {{name: string, arguments?: Json} & CallSettings} ToolCall */

/** @typedef {{name: string, arguments?: Json} & CallSettings} PromptGet */

/** @typedef {{uri: string} & CallSettings} ResourceRead */

/** Makes a call. @typedef {(request: Request) => Promise<Outcome>} Call */

/** The params of a method that takes a name and arguments. @param {string} name @param {Json} [args] */
export function named(name, args) {
  return args === undefined ? { name } : `{"name":${JSON.stringify(name)},"arguments":${object(args)}}`
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
