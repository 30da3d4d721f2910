// For LangChain and LangGraph in JavaScript. What is needed of them is handed in,
// so that nothing of them is imported.
import { blocks, sampling } from "./sampling.js"
import { asPending, digest, isAnswered, ToolLoop } from "./loop.js"

/** @import { Asker } from "../calls/askers.js" */
/** @import { Consent, SamplingContent } from "./sampling.js" */
/** @import { CallToolResult, ContentBlock } from "../results/schema.js" */
/** @import { ServerTool } from "./sessions.js" */
/** @import { SomeSessions, ToolLoopOptions } from "./loop.js" */

/** @typedef {import("./loop.js").Answers} Answers */
/** @typedef {import("./loop.js").Pending} Pending */
/** @typedef {import("./loop.js").Waiting} Waiting */

/**
 * `tool` of @langchain/core/tools, as far as it is used.
 *
 * @template T
 * @typedef {(run: (input: any, config: any) => Promise<[content: any, artifact: unknown]>, fields: any) => T} MakeTool
 */

/**
 * @template T
 * @typedef {ToolLoopOptions & {tool: MakeTool<T>, interrupt?: (value: any) => any}} LangChainOptions
 *   `tool` is that of `@langchain/core/tools`. `interrupt` is LangGraph's; with it and a `store`, questions interrupt the
 *   graph, whose `resume` value are the answers. Calls that may ask at the same time then have to be tasks of their own,
 *   as `createReactAgent` and `Send` make them
 */

/** A message of LangChain. @typedef {{content: any, artifact?: any, getType: () => string}} LangChainMessage */

/** A chat model of LangChain. @typedef {{invoke: (messages: any, options?: any) => Promise<{text: string, response_metadata?: any}>, getName?: () => string}} LangChainModel */

/** The tools of the sessions' servers, for `bindTools`, `ToolNode` and agents. @template T @param {SomeSessions} sessions @param {LangChainOptions<T>} options */
export function tools(sessions, options) {
  return toolLoop(sessions, options).tools()
}

/**
 * The tools, and what waits in the chat if there is a `store`. Without
 * `interrupt` it is the host that ends the turn when something waits.
 *
 * @template T @param {SomeSessions} sessions @param {LangChainOptions<T>} options
 */
export function toolLoop(sessions, { tool, interrupt, ...options }) {
  const loop = new ToolLoop(sessions, options)
  if (interrupt && !options.store) throw new TypeError("parley: a call that interrupts a graph needs a store to wait in")
  return {
    async tools() {
      return (await loop.list()).map((named) => tool(async (input, config) => contentOf(await call(loop, named, interrupt, input, config)), fieldsOf(named)))
    },

    /** What waits for the person, in the order of the chat. In LangGraph it is in the value of each interrupt, as `questions`. @param {readonly LangChainMessage[]} messages @returns {Promise<Waiting[]>} */
    async waiting(messages) {
      return loop.waiting(messages.flatMap(({ artifact }) => asPending(artifact) ?? []))
    },

    /**
     * The messages with the answers worked in: results where calls are over now. Keep them, and
     * call the model once nothing in them waits any more.
     *
     * @template {LangChainMessage} M @param {readonly M[]} messages @param {Answers} answers @param {{signal?: AbortSignal}} [settings] @returns {Promise<M[]>}
     */
    async answer(messages, answers, { signal } = {}) {
      return Promise.all(messages.map(async (message) => {
        const pending = asPending(message.artifact)
        if (!pending || !isAnswered(pending, answers)) return message
        const result = await loop.answer(pending, answers, signal)
        const isError = !("status" in result) && result.isError
        const [content, artifact] = isError ? [said(result), undefined] : contentOf(result)
        const Message = /** @type {new (fields: object) => M} */ (message.constructor)
        return new Message({ ...message, content, artifact, status: isError ? "error" : "success" })
      }))
    },
  }
}

/** The asker `sample` over a chat model of LangChain. How long its answer may be is the model's own setting. @param {LangChainModel} model @param {Consent} [consent] needless where calls wait in a store @returns {Asker} */
export function sampler(model, consent) {
  return sampling(async ({ messages, systemPrompt, stopSequences }, signal) => {
    const asked = messages.map(({ role, content }) => ({ role, content: blocks(content).map(modelBlock) }))
    const system = systemPrompt === undefined ? [] : [{ role: "system", content: systemPrompt }]
    const { text, response_metadata: about = {} } = await model.invoke([...system, ...asked], { signal, stop: stopSequences })
    return { text, model: about.model_name ?? about.model ?? model.getName?.() ?? "unknown", stopReason: { stop: "endTurn", end_turn: "endTurn", length: "maxTokens", max_tokens: "maxTokens" }[String(about.finish_reason ?? about.stop_reason)] }
  }, consent)
}

/** @param {ToolLoop} loop @param {ServerTool} named @param {((value: any) => any) | undefined} interrupt @param {unknown} input @param {any} config @returns {Promise<CallToolResult | Pending>} */
async function call(loop, named, interrupt, input, config) {
  const { signal, configurable } = config ?? {}
  if (!interrupt) return loop.call(named, input, { signal })
  // A graph runs a task again from its beginning: the call must be found again, and what was answered before means nothing to it.
  const toolCall = config.toolCall?.id ?? config.toolCallId
  if (!toolCall || !configurable?.thread_id) throw new TypeError("parley: a call that interrupts a graph needs a tool call's id and a thread_id")
  const id = await digest(JSON.stringify([configurable.thread_id, configurable.checkpoint_ns, toolCall]))
  let result = await loop.call(named, input, { id, signal })
  while ("status" in result) result = await loop.resume(result, interrupt(result), signal)
  return result
}

/** @param {ServerTool} named */
function fieldsOf({ name, server, tool: { name: own, title, description, annotations, inputSchema } }) {
  return { name, description, schema: inputSchema, responseFormat: "content_and_artifact", metadata: { server, tool: own, title: title ?? annotations?.title, annotations } }
}

/** What the model sees, and what the host has beside it. @param {CallToolResult | Pending} result @returns {[content: any, artifact: any]} */
function contentOf(result) {
  if ("status" in result) return [result.about, result]
  if (result.isError) throw new Error(said(result))
  const { content, structuredContent } = result
  if (!content.length && structuredContent !== undefined) return [JSON.stringify(structuredContent), { structuredContent }]
  const [first] = content
  const text = content.length === 1 && first?.type === "text" ? first.text : content.map((block) => modelBlock(block.type === "resource" && block.resource.text === undefined ? { type: block.type, data: block.resource.blob, mimeType: block.resource.mimeType } : block))
  return [text, { content, structuredContent }]
}

/** @param {CallToolResult | Pending} result */
function said(result) {
  return "status" in result ? result.about : result.content.map((block) => block.text ?? JSON.stringify(block)).join("\n")
}

/** @param {ContentBlock | SamplingContent} block */
function modelBlock(block) {
  const { data, mimeType } = /** @type {SamplingContent} */ (block)
  if (data === undefined) return { type: "text", text: block.text ?? ("resource" in block ? block.resource.text : undefined) ?? JSON.stringify(block) }
  if (block.type === "image") return { type: "image_url", image_url: { url: `data:${mimeType};base64,${data}` } }
  return { type: block.type === "audio" ? "audio" : "file", source_type: "base64", mime_type: mimeType, data }
}
