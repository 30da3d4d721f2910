import { CodecError, internal, Reason, refused, rounded } from "../codec/errors.js"
import { boundToken } from "../codec/token.js"
import { hasRounded } from "../texts/exact-number.js"
import { hasRounds } from "./abilities.js"
import { opened } from "./exchange.js"
import { tokenPrincipal } from "./principal.js"

export { abilities, tasksExtension } from "./abilities.js"
export { Ask } from "./ask.js"
export { asking } from "./asking.js"
export { verdict } from "./exchange.js"
export { Cancelled, Declined, elicit, form, roots, sampling, url } from "./questions.js"
export { tokenPrincipal } from "./principal.js"
export { AskError } from "./replay.js"
export { Task } from "./tasks/work.js"
export { taskMemory } from "./tasks/store.js"
export { TaskError } from "./tasks/error.js"
export { Tasks } from "./tasks/index.js"

/** @typedef {import("./abilities.js").Abilities} Abilities */
/** @typedef {import("./asking.js").AskingOptions} AskingOptions */
/** @template T @typedef {import("./questions.js").Question<T>} Question */
/** @typedef {import("./tasks/store.js").TaskRecord} TaskRecord */
/** @typedef {import("./tasks/store.js").TaskStore} TaskStore */
/** @typedef {import("./tasks/index.js").TasksOptions} TasksOptions */
/** @typedef {import("./tasks/index.js").Work} Work */

/** @import { ServerContext } from "@modelcontextprotocol/server" */
/** @import { ErrorResponse } from "../codec/errors.js" */
/** @import { Exchange, Guard } from "../codec/guard.js" */
/** @import { Guarded } from "./exchange.js" */

/**
 * The public methods of a `Server` of `@modelcontextprotocol/server` that are
 * used, as of version 2.4.0.
 *
 * @typedef {object} LowLevelServer
 * @property {(...registration: any) => void} setRequestHandler
 * @property {(method: any) => void} assertCanSetRequestHandler
 * @property {(error: Error) => void} [onerror]
 */

/**
 * @typedef {object} GuardServerOptions
 * @property {(context: ServerContext) => string | null | Promise<string | null>} [principal]
 *   Tells who sends a request, null for nobody in particular; `principal` of
 *   `@parley-mcp/parley/codec` spells it. It must say the same on every
 *   instance and in every round. A throw refuses calls with rounds, not those without.
 *   {@link tokenPrincipal} if absent: client, issuer and subject.
 */

// Source: MCP 2026-07-28, basic/patterns/mrtr, "Supported Requests".
const methods = ["tools/call", "prompts/get", "resources/read"]

/**
 * Puts a Guard around the request handlers of a server on
 * `@modelcontextprotocol/server`: tools/call, prompts/get and resources/read.
 * Handlers still use `inputRequired({ inputRequests, requestState })` and a
 * plain state; what leaves the process is sealed, and opens only for the same
 * request and principal, in time. Answers nobody asked for are removed. (The
 * SDK's own hook, `requestState.verify`, sees neither name nor arguments.)
 *
 * Call it before anything is registered; it throws otherwise. Every state that
 * is refused gets the same error -32602, every result that cannot be sealed
 * the same -32603; why goes to the server's `onerror`, a {@link CodecError} as
 * its cause.
 *
 * Clients of revisions without rounds are asked by the SDK's own fallback,
 * inside the Guard. A `fallbackRequestHandler` is not guarded.
 *
 * Arguments are bound as JSON.parse has read them. With numbers it does not
 * read exactly, such as 2^53+1, a round that was begun by an instance in
 * another language is refused. A request with a number it reads as infinite,
 * such as 1e999, is refused in its first round, too. An answer to a form with a
 * whole number beyond 2^53-1 is refused with an error that says so: the SDK has
 * rounded it before any code of the server's runs.
 *
 * @template {LowLevelServer | {server: LowLevelServer}} S
 * @param {S} server a `Server`, or a `McpServer`
 * @param {Guard} guard one for all servers of the process
 * @param {GuardServerOptions} [options]
 * @returns {S} the same server
 */
export function guardServer(server, guard, options = {}) {
  const low = /** @type {LowLevelServer} */ ("server" in server ? server.server : server)
  if (Object.hasOwn(low, "setRequestHandler")) throw new Error("parley: this server is guarded already")
  for (const method of methods) low.assertCanSetRequestHandler(method)
  const register = low.setRequestHandler
  low.setRequestHandler = function (/** @type {any[]} */ ...registration) {
    const [method, handler] = registration
    if (methods.includes(method)) {
      if (typeof handler !== "function") throw new TypeError(`parley: a guarded handler for ${method} takes the request as it is: register it without schemas`)
      registration[1] = guarded(low, method, handler, guard, options)
    }
    return register.apply(this, registration)
  }
  return server
}

/** @typedef {{params: any}} Request */
/** @typedef {(request: Request, context: ServerContext) => any} Handler */

/**
 * @param {LowLevelServer} server
 * @param {string} method
 * @param {Handler} handler
 * @param {Guard} guard
 * @param {GuardServerOptions} options
 * @returns {Handler}
 */
function guarded(server, method, handler, guard, options) {
  /** @param {unknown} error @param {ErrorResponse} otherwise */
  const failed = (error, otherwise) => {
    const { reason, response } = error instanceof CodecError ? error : { reason: "the Guard failed", response: otherwise }
    server.onerror?.(new Error(`parley: requestState of ${method}: ${reason}`, { cause: error }))
    return new ResponseError(response)
  }
  return async (request, context) => {
    const who = await identify(context, options)
    let inbound
    try {
      if (who.unknown && context.mcpReq.requestState() !== undefined) throw who.unknown(refused)
      inbound = await open(guard, method, request, context, who.principal)
    } catch (error) {
      throw failed(error, refused)
    }
    const result = await handler(request, inbound.context)
    try {
      const sealed = await seal(guard, inbound.exchange, result)
      if (who.unknown && sealed !== result) throw who.unknown(internal)
      return sealed
    } catch (error) {
      throw failed(error, internal)
    }
  }
}

/**
 * The principal of a request, or the error of one that cannot be told.
 *
 * @param {ServerContext} context
 * @param {GuardServerOptions} options
 * @returns {Promise<{principal: string | null, unknown?: (response: ErrorResponse) => CodecError}>}
 */
async function identify(context, { principal = tokenPrincipal }) {
  try {
    const name = await principal(context)
    if (name !== null && typeof name !== "string") throw new TypeError("parley: the option principal must return a string, or null")
    return { principal: name }
  } catch (cause) {
    return { principal: null, unknown: (response) => new CodecError(Reason.principal, "principal", response, { cause }) }
  }
}

/**
 * Opens a request: the context that its handler gets, and the exchange.
 *
 * @param {Guard} guard
 * @param {string} method
 * @param {Request} request
 * @param {ServerContext} context
 * @param {string | null} principal
 */
async function open(guard, method, request, context, principal) {
  const { mcpReq } = context
  boundToken(mcpReq.requestState())
  if (hasRounded(mcpReq.inputResponses)) throw new CodecError(Reason.malformed, "malformed: an answer has a whole number that was rounded", rounded)
  // A client without rounds answers requests: what is in its call, it made up. Later the SDK calls with its answers, and a state.
  const answers = hasRounds(mcpReq) || mcpReq.requestState() !== undefined ? mcpReq.inputResponses : undefined
  // The SDK has taken the two members out of the params.
  const { _meta, ...params } = request.params
  const received = JSON.stringify({ ...params, requestState: mcpReq.requestState(), inputResponses: answers }, finite)
  const { params: text, exchange } = await guard.inbound({ method, params: received, principal })
  if (!exchange) return { context, exchange }
  /** @type {Guarded} */
  const seen = { ...mcpReq, [opened]: { guard, exchange } }
  if (answers === undefined) delete seen.inputResponses
  if (text !== received) {
    const { requestState, inputResponses } = JSON.parse(text)
    seen.requestState = () => requestState
    seen.inputResponses = inputResponses
  }
  return { context: { ...context, mcpReq: seen }, exchange }
}

/**
 * For JSON.stringify, which writes null for a number that is not finite: two
 * requests would be one.
 *
 * @param {string} _
 * @param {unknown} value
 */
function finite(_, value) {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new CodecError(Reason.malformed, "malformed: a number beyond the range of a double", refused)
  }
  return value
}

/**
 * A result with its state sealed; the same one if there is nothing to seal.
 *
 * @param {Guard} guard
 * @param {Exchange | null} exchange
 * @param {any} result
 */
async function seal(guard, exchange, result) {
  const { resultType, inputRequests, requestState } = result
  const plain = JSON.stringify({ resultType, inputRequests, requestState })
  const sealed = await guard.outbound(exchange, plain)
  return sealed === plain ? result : { ...result, requestState: JSON.parse(sealed).requestState }
}

/** What the SDK sends as a JSON-RPC error. */
class ResponseError extends Error {
  /** @param {ErrorResponse} response */
  constructor({ code, message, data }) {
    super(message)
    this.code = code
    this.data = data
  }
}
