// For the AI SDK (npm ai), version 7. Its shapes are written down as far as they are used: nothing of it is imported.
import { blocks, sampling } from "./sampling.js"
import { accepts, asPending, isAnswered, ToolLoop } from "./loop.js"

/** @import { Asker } from "../calls/askers.js" */
/** @import { Consent, SamplingContent } from "./sampling.js" */
/** @import { CallToolResult, ContentBlock, Tool } from "../results/schema.js" */
/** @import { ServerTool } from "./sessions.js" */
/** @import { SomeSessions, ToolLoopOptions } from "./loop.js" */
/** @typedef {import("./loop.js").Answers} Answers */
/** @typedef {import("./loop.js").Pending} Pending */
/** @typedef {import("./loop.js").Waiting} Waiting */

/** @typedef {ToolLoopOptions & {needsApproval?: (tool: Tool, server: string) => boolean}} AiSdkOptions `needsApproval` says which tools the person has to approve before each call */

/** A tool of the AI SDK. @typedef {{type: "dynamic", description?: string, title?: string, metadata: any, inputSchema: any, needsApproval?: boolean, execute: (input: unknown, options: {abortSignal?: AbortSignal}) => Promise<CallToolResult | Pending>, toModelOutput: (options: {output: any}) => any}} AiSdkTool */

/** ModelMessages or UIMessages. @typedef {{role: string, content?: any, parts?: any[]}} AiSdkMessage */

/** A language model of the AI SDK. @typedef {{specificationVersion: string, modelId: string, doGenerate: (options: any) => PromiseLike<{content: {type: string, text?: string}[], finishReason: any}>}} AiSdkModel */

/** The tool set of the sessions' servers, for `generateText`, `streamText` and agents. @param {SomeSessions} sessions @param {AiSdkOptions} [options] */
export function tools(sessions, options) {
  return toolLoop(sessions, options).tools()
}

/**
 * The tools, and what waits in the chat if there is a `store`. Stop the turn
 * with `stopWhen: [isStepCount(20), loop.parked]`.
 *
 * @param {SomeSessions} sessions @param {AiSdkOptions} [options]
 */
export function toolLoop(sessions, options = {}) {
  const loop = new ToolLoop(sessions, options)
  return {
    /** @returns {Promise<Record<string, AiSdkTool>>} */
    async tools() {
      return Object.fromEntries((await loop.list()).map((named) => [named.name, toolOf(loop, named, options)]))
    },

    /** A stop condition: a call of the last step waits. @param {{steps: {toolResults: {output?: unknown}[]}[]}} turn */
    parked: ({ steps }) => steps.at(-1)?.toolResults.some(({ output }) => asPending(output)) ?? false,

    /** What waits for the person: questions of servers, and approvals, in the order of the chat. @param {readonly AiSdkMessage[]} messages @returns {Promise<Waiting[]>} */
    async waiting(messages) {
      const all = messages.flatMap(partsOf)
      const calls = new Map(all.filter(({ type }) => type === "tool-call").map((part) => [part.toolCallId, part]))
      const queue = all.map(async (part) => {
        const pending = pendingIn(part)
        if (pending) return loop.waiting([pending])
        const approval = approvalIn(part, all)
        const { toolName, type, input } = calls.get(part.toolCallId) ?? part
        return approval === undefined ? [] : [{ id: approval, kind: /** @type {const} */ ("approval"), tool: toolName ?? type.slice("tool-".length), input }]
      })
      return (await Promise.all(queue)).flat()
    },

    /**
     * The messages with the answers worked in: results where calls are over now. Keep them, and
     * call the model once nothing in them waits any more.
     *
     * @template {AiSdkMessage} M @param {readonly M[]} messages @param {Answers} answers @param {{abortSignal?: AbortSignal}} [settings] @returns {Promise<M[]>}
     */
    async answer(messages, answers, { abortSignal } = {}) {
      const all = messages.flatMap(partsOf)
      const changed = await Promise.all(messages.map(async (message) => {
        const parts = await Promise.all(partsOf(message).map((part) => answered(loop, part, answers, all, abortSignal)))
        return message.parts ? { ...message, parts } : Array.isArray(message.content) ? { ...message, content: parts } : message
      }))
      const approved = all.flatMap((part) => {
        const approvalId = part.type === "tool-approval-request" ? approvalIn(part, all) : undefined
        const answer = approvalId !== undefined && answers[approvalId]
        return answer ? [{ type: "tool-approval-response", approvalId, approved: accepts(answer) }] : []
      })
      const last = changed.at(-1)
      if (!approved.length) return changed
      if (last?.role === "tool") return [...changed.slice(0, -1), { ...last, content: [...last.content, ...approved] }]
      return [...changed, /** @type {any} */ ({ role: "tool", content: approved })]
    },
  }
}

/** The asker `sample` over a model of the AI SDK. @param {AiSdkModel} model @param {Consent} [consent] needless where calls wait in a store @returns {Asker} */
export function sampler(model, consent) {
  const file = (/** @type {string | undefined} */ data) => (model.specificationVersion < "v4" ? data : { type: "data", data })
  const part = (/** @type {SamplingContent} */ { text, data, mimeType }) => (text === undefined ? { type: "file", mediaType: mimeType, data: file(data) } : { type: "text", text })
  return sampling(async ({ messages, systemPrompt, maxTokens, temperature, stopSequences }, abortSignal) => {
    /** @type {{role: string, content: unknown}[]} */
    const prompt = messages.map(({ role, content }) => ({ role, content: blocks(content).map(part) }))
    if (systemPrompt !== undefined) prompt.unshift({ role: "system", content: systemPrompt })
    const { content, finishReason } = await model.doGenerate({ prompt, maxOutputTokens: maxTokens, temperature, stopSequences, abortSignal })
    const reason = finishReason?.unified ?? finishReason
    return { text: content.map(({ text = "", type }) => (type === "text" ? text : "")).join(""), model: model.modelId, stopReason: { stop: "endTurn", length: "maxTokens" }[String(reason)] }
  }, consent)
}

/** @param {ToolLoop} loop @param {ServerTool} named @param {AiSdkOptions} options @returns {AiSdkTool} */
function toolOf(loop, { name, server, tool }, { needsApproval }) {
  const { title = tool.annotations?.title, description, annotations, inputSchema } = tool
  return {
    type: "dynamic",
    description,
    title,
    metadata: JSON.parse(JSON.stringify({ server, tool: tool.name, title, annotations })),
    inputSchema: { [Symbol.for("vercel.ai.schema")]: true, jsonSchema: inputSchema, validate: undefined },
    needsApproval: needsApproval?.(tool, server) ?? false,
    execute: (input, { abortSignal }) => loop.call({ server, tool }, input, { signal: abortSignal }),
    toModelOutput: ({ output }) => modelOutput(output),
  }
}

/** What the model sees. @param {CallToolResult | Pending} output */
function modelOutput(output) {
  if ("status" in output) return { type: "json", value: output }
  const { content, structuredContent, isError } = output
  if (isError) return { type: "error-text", value: content.map((block) => block.text ?? JSON.stringify(block)).join("\n") }
  if (!content.length && structuredContent !== undefined) return { type: "json", value: structuredContent }
  return { type: "content", value: content.map(contentPart) }
}

/** @param {ContentBlock} block */
function contentPart(block) {
  const { data, mimeType } = block.type === "resource" ? { data: block.resource.blob, mimeType: block.resource.mimeType } : block.type === "image" || block.type === "audio" ? block : {}
  if (data !== undefined && mimeType) return { type: "file", mediaType: mimeType, data: { type: "data", data } }
  return { type: "text", text: block.text ?? (block.type === "resource" ? block.resource.text : undefined) ?? JSON.stringify(block) }
}

/** @param {AiSdkMessage} message @returns {any[]} */
const partsOf = ({ parts, content }) => parts ?? (Array.isArray(content) ? content : [])

/** @param {any} part */
const pendingIn = (part) => asPending(part.type === "tool-result" ? part.output?.value : part.output)

/** The id of an approval that is wanted. @param {any} part @param {any[]} all @returns {string | undefined} */
function approvalIn({ type, state, approval, approvalId, isAutomatic }, all) {
  if (state === "approval-requested") return approval.isAutomatic ? undefined : approval.id
  if (type !== "tool-approval-request" || isAutomatic) return
  return all.some((other) => other.type === "tool-approval-response" && other.approvalId === approvalId) ? undefined : approvalId
}

/** A part as it is with the answers. @param {ToolLoop} loop @param {any} part @param {Answers} answers @param {any[]} all @param {AbortSignal} [signal] */
async function answered(loop, part, answers, all, signal) {
  const pending = pendingIn(part)
  if (pending && isAnswered(pending, answers)) {
    const output = await loop.answer(pending, answers, signal)
    return { ...part, output: part.type === "tool-result" ? modelOutput(output) : output }
  }
  const answer = part.state === "approval-requested" && answers[approvalIn(part, all) ?? ""]
  return answer ? { ...part, state: "approval-responded", approval: { ...part.approval, approved: accepts(answer) } } : part
}
