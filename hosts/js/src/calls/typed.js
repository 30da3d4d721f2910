import { complete } from "../results/completion.js"
import { list } from "../results/lists.js"
import { named, read } from "../results/typed.js"

/** @import { Completion } from "../results/completion.js" */
/** @import { Outcome } from "./driver.js" */
/** @import { Json } from "../engine/call.js" */
/** @import { Request } from "./request.js" */
/** @import { Sentence } from "../texts/sentence.js" */
/** @import { CallToolResult, GetPromptResult, Prompt, ReadResourceResult, Resource, ResourceTemplate, Tool } from "../results/schema.js" */
/** @import { CallSettings, PromptGet, ResourceRead, ToolCall } from "../results/typed.js" */

/** The calls whose results are read, made of one that gives text: a session's, here or on the host's server. */
export class TypedCalls {
  /** What is known of the server's completions. @type {{absent?: boolean}} */
  #completions = {}

  /** Makes a call, see {@link Request}. @param {Request} request @returns {Promise<Outcome>} */
  call(request) {
    throw new Error(`parley: nothing makes calls of ${request.method} here`)
  }

  /** Tells who watches the session, for a log. @protected @param {Sentence} sentence */
  warn(sentence) {}

  /**
   * Calls a tool. A call that has no result, or one that lacks what it must bring,
   * rejects with a {@link Failure}, which has the result as it came: the tool has run.
   * A tool that failed has a result, with `isError`.
   *
   * @param {ToolCall} call
   * @returns {Promise<CallToolResult>}
   */
  async callTool(call) {
    const { name, arguments: args, task, ...settings } = call
    return this.#typed("tools/call", named(name, args, task), settings)
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
   * With which values an argument of a prompt or of a resource template could
   * go on, the best first, 100 at most; none if the server has no completions, which
   * is then not asked again in this session. It asks nobody anything, so `signal` can end it as a person types on. Or it rejects with a
   * {@link Failure}.
   *
   * @param {Completion} completion
   * @returns {Promise<{values: string[], hasMore: boolean}>}
   */
  async complete(completion) {
    return complete((request) => this.call(request), this.#completions, completion)
  }

  /**
   * The tools of the server: `for await (const tool of session.tools())`. Pages
   * are fetched as they are needed, at most 1,000. A server without tools has
   * none. A tool without a name is left out, and a list that would never end ends,
   * which `onWarning` is told. A list that fails throws a {@link Failure}.
   *
   * @param {CallSettings} [settings]
   * @returns {AsyncGenerator<Tool, void, void>}
   */
  tools(settings) {
    return this.#list("tools/list", "tools", settings)
  }

  /** The prompts of the server, as {@link TypedCalls.tools}. @param {CallSettings} [settings] @returns {AsyncGenerator<Prompt, void, void>} */
  prompts(settings) {
    return this.#list("prompts/list", "prompts", settings)
  }

  /** The resources of the server, as {@link TypedCalls.tools}. @param {CallSettings} [settings] @returns {AsyncGenerator<Resource, void, void>} */
  resources(settings) {
    return this.#list("resources/list", "resources", settings)
  }

  /** The resource templates of the server, as {@link TypedCalls.tools}. @param {CallSettings} [settings] @returns {AsyncGenerator<ResourceTemplate, void, void>} */
  resourceTemplates(settings) {
    return this.#list("resources/templates/list", "resourceTemplates", settings)
  }

  /** @param {string} method @param {string} member @param {CallSettings} [settings] @returns {AsyncGenerator<any, void, void>} */
  #list(method, member, settings = {}) {
    return list((request) => this.call(request), (sentence) => this.warn(sentence), method, member, settings)
  }

  /** @param {string} method @param {Json} params @param {CallSettings} settings */
  async #typed(method, params, settings) {
    if ("method" in settings || "params" in settings) throw new TypeError(`parley: the method and the params of ${method} are made of the other members`)
    return read(method, await this.call({ ...settings, method, params }))
  }
}
