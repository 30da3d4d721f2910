// For @openai/agents-core and @openai/agents. Its shapes are written down as far
// as they are used, so that nothing of it is imported.
import { asPending, isAnswered, ToolLoop } from "./loop.js"

/** @import { CallToolResult, ContentBlock } from "../results/schema.js" */
/** @import { ServerTool } from "./sessions.js" */
/** @import { SomeSessions, ToolLoopOptions } from "./loop.js" */

/** @typedef {import("./loop.js").Answers} Answers */
/** @typedef {import("./loop.js").Pending} Pending */
/** @typedef {import("./loop.js").Waiting} Waiting */

/** @typedef {ToolLoopOptions & {name?: string, cacheToolsList?: boolean}} AgentsOptions `name` is "parley" if absent */

/** An item of an agent's history. @typedef {{type?: string, [member: string]: any}} AgentsItem */

/** What a tool returns there. @typedef {any[] & {structuredContent?: any, isError?: boolean}} AgentsContent */

/**
 * The sessions as one `MCPServer` of an agent, and what waits in the history if
 * there is a `store`; end the turn with `toolUseBehavior: server.parked`.
 * Closing it leaves the sessions open.
 *
 * @param {SomeSessions} sessions @param {AgentsOptions} [options]
 */
export function mcpServer(sessions, { name = "parley", cacheToolsList = false, ...options } = {}) {
  const loop = new ToolLoop(sessions, options)
  /** @type {Promise<ServerTool[]> | undefined} */
  let listed
  const list = () => {
    listed = loop.list()
    listed.catch(() => (listed = undefined))
    return listed
  }
  /** @param {string} toolName @param {unknown} args @param {Record<string, unknown> | null} [meta] @param {{signal?: AbortSignal}} [settings] */
  const call = async (toolName, args, meta, { signal } = {}) => {
    const named = (await (listed ?? list())).find(({ name }) => name === toolName)
    if (!named) throw new Error(`parley: there is no tool ${toolName}`)
    return loop.call(named, args, { meta: meta ?? undefined, signal })
  }
  return {
    name,
    cacheToolsList,
    async connect() {},
    async close() {},
    async invalidateToolsCache() {
      listed = undefined
    },

    async listTools() {
      return (await list()).map(({ name, tool: { title, description, inputSchema, annotations } }) => ({ name, title, description, annotations, inputSchema: /** @type {any} */ (inputSchema) }))
    },

    /** @param {string} toolName @param {Record<string, unknown> | null} args @param {Record<string, unknown> | null} [meta] @param {{signal?: AbortSignal}} [settings] @returns {Promise<AgentsContent>} */
    async callTool(toolName, args, meta, settings) {
      const result = await call(toolName, args, meta, settings)
      if ("status" in result) return contentOf(result)
      const { structuredContent, isError } = result
      return Object.assign(contentOf(result), structuredContent !== undefined && { structuredContent }, isError && { isError })
    },

    /** @param {string} toolName @param {Record<string, unknown> | null} args @param {Record<string, unknown> | null} [meta] @param {{signal?: AbortSignal}} [settings] @returns {Promise<{content: AgentsContent, structuredContent?: any, isError?: boolean}>} */
    async callToolResult(toolName, args, meta, settings) {
      const content = await this.callTool(toolName, args, meta, settings)
      const { structuredContent, isError } = content
      return { content, ...(structuredContent !== undefined && { structuredContent }), ...(isError && { isError }) }
    },

    /** The `toolUseBehavior` of an agent: a call of this step waits. The turn then ends, and what waits is its final output. @param {unknown} _ @param {{type: string, output?: unknown}[]} results @returns {any} */
    parked(_, results) {
      const waits = results.flatMap(({ output }) => pendingIn(output) ?? [])
      return waits.length ? { isFinalOutput: true, isInterrupted: undefined, finalOutput: JSON.stringify(waits) } : { isFinalOutput: false, isInterrupted: undefined }
    },

    /** What waits for the person, in the order of the history. @param {readonly AgentsItem[]} history @returns {Promise<Waiting[]>} */
    async waiting(history) {
      return loop.waiting(history.flatMap((item) => pendingIn(item.output) ?? []))
    },

    /**
     * The history with the answers worked in: results where calls are over now. Keep it, and
     * run the agent on it once nothing in it waits any more.
     *
     * @template {AgentsItem} I @param {readonly I[]} history @param {Answers} answers @param {{signal?: AbortSignal}} [settings] @returns {Promise<I[]>}
     */
    async answer(history, answers, { signal } = {}) {
      return Promise.all(history.map(async (item) => {
        const pending = item.type === "function_call_result" ? pendingIn(item.output) : undefined
        if (!pending || !isAnswered(pending, answers)) return item
        return { ...item, output: contentOf(await loop.answer(pending, answers, signal)).map(inputItem) }
      }))
    },
  }
}

/** What the SDK takes of a result: it knows texts, images and files. @param {CallToolResult | Pending} result @returns {AgentsContent} */
function contentOf(result) {
  if ("status" in result) return [{ type: "text", text: JSON.stringify(result) }]
  const { content, structuredContent } = result
  return content.length || structuredContent === undefined ? content.map(block) : [{ type: "text", text: JSON.stringify(structuredContent) }]
}

/** @param {ContentBlock} block */
function block(block) {
  if (block.type === "text") return { type: "text", text: block.text }
  if (block.type === "image") return { type: "image", data: block.data, mimeType: block.mimeType }
  if (block.type === "resource" && block.resource.blob !== undefined) return { type: "file", file: { data: block.resource.blob, mediaType: block.resource.mimeType ?? "application/octet-stream", filename: block.resource.uri } }
  return { type: "text", text: (block.type === "resource" ? block.resource.text : undefined) ?? JSON.stringify(block) }
}

/** As the history has it. @param {any} block */
function inputItem({ type, text, data, mimeType, file }) {
  if (type === "text") return { type: "input_text", text }
  if (type === "image") return { type: "input_image", image: `data:${mimeType};base64,${data}` }
  return { type: "input_file", file: `data:${file.mediaType};base64,${file.data}`, filename: file.filename }
}

/** @param {any} output a tool's result, or what the history has of it */
function pendingIn(output) {
  const text = (Array.isArray(output) && output.length === 1 ? output[0] : output)?.text
  if (typeof text !== "string" || !text.startsWith('{"status":"pending"')) return
  try {
    return asPending(JSON.parse(text))
  } catch {}
}
