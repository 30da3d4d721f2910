import { can } from "./askers.js"
import { Driver } from "./driver.js"
import { Code, ParleyError } from "./errors.js"
import { list } from "./lists.js"
import { onlyKnown } from "./request.js"
import { Router } from "./router.js"
import { named, read } from "./typed.js"

/** @import { Askers } from "./askers.js" */
/** @import { Engine } from "./core.js" */
/** @import { Outcome } from "./driver.js" */
/** @import { Begin, Expect, Json } from "./flow.js" */
/** @import { Request, Resumption, HostSide } from "./request.js" */
/** @import { CallToolResult, GetPromptResult, Prompt, ReadResourceResult, Resource, ResourceTemplate, Tool } from "./schema.js" */
/** @import { SessionOptions } from "./session-core.js" */
/** @import { Transport } from "./transport.js" */
/** @import { CallSettings, PromptGet, ResourceRead, ToolCall } from "./typed.js" */
/** @import { SessionWatchers } from "./watchers.js" */

/**
 * The options of a session, who answers its server's questions, and who is told
 * about it.
 *
 * @typedef {Omit<SessionOptions, "transport" | "can"> & {askers?: Askers, watchers?: SessionWatchers}} ConnectOptions
 */

/**
 * A session with a server, over a transport. It speaks MCP 2026-07-28, and
 * `initialize` with servers of earlier eras. Nothing is sent before its first
 * call.
 *
 * @param {Engine} engine
 * @param {Transport} transport
 * @param {ConnectOptions} [options]
 */
export function connect(engine, transport, options = {}) {
  return new Session(engine, transport, options)
}

/** Calls to one server; `connect` makes one. */
export class Session {
  #router
  #askers
  /** The calls that run. @type {Map<Driver, Promise<unknown>>} */
  #running = new Map()
  /** @type {Promise<void> | undefined} */
  #closed

  /** @param {Engine} engine @param {Transport} transport @param {ConnectOptions} options */
  constructor(engine, transport, options) {
    const { askers = {}, watchers = {}, ...shape } = options
    onlyKnown("the session's options", Object.entries(shape).filter(([, value]) => typeof value === "function"), []) // the engine knows the rest
    this.#askers = askers
    this.#router = new Router(engine, transport, { ...shape, can: can(askers), transport: transport.kind }, watchers)
  }

  /**
   * Makes a call and runs it until it ends. When its signal aborts, it returns
   * at once. It throws only if it is used wrongly, before anything is sent or
   * asked.
   *
   * @param {Request} request
   * @returns {Promise<Outcome>}
   */
  async call(request) {
    this.#open()
    const { method, params, options = {}, ...side } = request
    if (typeof method !== "string") throw new TypeError("parley: a request is one object, with a method: { method, params }")
    onlyKnown("a request", Object.entries(side))
    const own = side.askers || options.capabilities !== undefined
    const number = this.#router.call(method, params, own ? { ...options, can: can(side.askers ?? this.#askers) } : options)
    return this.#run(number, side, options)
  }

  /**
   * Continues a call from its snapshot, taken in this session or in another
   * with the same server: a question that was open is asked again, and nothing
   * that was answered is asked twice.
   *
   * @param {Resumption} resumption
   * @returns {Promise<Outcome>}
   */
  async resume(resumption) {
    this.#open()
    const { snapshot, expect = {}, resend, again, moreRounds, ...side } = resumption
    if (typeof snapshot !== "string") throw new TypeError("parley: a resumption is one object, with a snapshot: { snapshot }")
    onlyKnown("a resumption", Object.entries(side))
    const number = this.#router.restore(snapshot, { ...expect, can: can(side.askers ?? this.#askers) })
    return this.#run(number, side, expect, { resend, again, moreRounds })
  }

  /**
   * Calls a tool. A call that has no result rejects with a {@link Failure}; a
   * tool that failed has one, with `isError`.
   *
   * @param {ToolCall} call
   * @returns {Promise<CallToolResult>}
   */
  async callTool(call) {
    const { name, arguments: args, ...settings } = call
    return this.#typed("tools/call", named(name, args), settings)
  }

  /**
   * Gets a prompt, or rejects with a {@link Failure}.
   *
   * @param {PromptGet} get
   * @returns {Promise<GetPromptResult>}
   */
  async getPrompt(get) {
    const { name, arguments: args, ...settings } = get
    return this.#typed("prompts/get", named(name, args), settings)
  }

  /**
   * Reads a resource, or rejects with a {@link Failure}.
   *
   * @param {ResourceRead} resource
   * @returns {Promise<ReadResourceResult>}
   */
  async readResource(resource) {
    const { uri, ...settings } = resource
    return this.#typed("resources/read", { uri }, settings)
  }

  /**
   * The tools of the server: `for await (const tool of session.tools())`. Pages
   * are fetched as they are needed, at most 1,000. A server without tools has
   * none. A list that fails throws a {@link Failure}.
   *
   * @param {CallSettings} [settings]
   * @returns {AsyncGenerator<Tool, void, void>}
   */
  tools(settings) {
    return this.#list("tools/list", "tools", settings)
  }

  /** The prompts of the server, as {@link Session.tools}. @param {CallSettings} [settings] @returns {AsyncGenerator<Prompt, void, void>} */
  prompts(settings) {
    return this.#list("prompts/list", "prompts", settings)
  }

  /** The resources of the server, as {@link Session.tools}. @param {CallSettings} [settings] @returns {AsyncGenerator<Resource, void, void>} */
  resources(settings) {
    return this.#list("resources/list", "resources", settings)
  }

  /** The resource templates of the server, as {@link Session.tools}. @param {CallSettings} [settings] @returns {AsyncGenerator<ResourceTemplate, void, void>} */
  resourceTemplates(settings) {
    return this.#list("resources/templates/list", "resourceTemplates", settings)
  }

  /**
   * Ends the session: calls that run are canceled, resumably, and the server is
   * told. It resolves when nothing is left.
   *
   * @returns {Promise<void>}
   */
  close() {
    return (this.#closed ??= this.#close())
  }

  async #close() {
    const reason = new Error("parley: the session was closed")
    for (const driver of this.#running.keys()) driver.stop(reason)
    await Promise.allSettled(this.#running.values())
    await this.#router.close()
  }

  /** @param {string} method @param {string} member @param {CallSettings} [settings] @returns {AsyncGenerator<any, void, void>} */
  #list(method, member, settings = {}) {
    return list((request) => this.call(request), method, member, settings)
  }

  /** @param {string} method @param {Json} params @param {CallSettings} settings */
  async #typed(method, params, settings) {
    if ("method" in settings || "params" in settings) throw new TypeError(`parley: the method and the params of ${method} are made of the other members`)
    return read(method, await this.call({ ...settings, method, params }))
  }

  #open() {
    if (this.#closed) throw new ParleyError(Code.order, "the session is closed")
  }

  /** @param {number} number @param {HostSide} side @param {Expect} labels @param {Omit<Begin, "type">} [begin] */
  async #run(number, side, labels, begin) {
    const driver = new Driver(this.#router, number, { ...side, askers: side.askers ?? this.#askers }, labels, { type: "begin", ...begin })
    this.#router.add(driver)
    const outcome = driver.run()
    this.#running.set(driver, outcome)
    try {
      return await outcome
    } finally {
      this.#running.delete(driver)
    }
  }
}
