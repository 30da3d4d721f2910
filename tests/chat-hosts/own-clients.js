// What the model of each host sees of update_work_item: with the MCP client that the host comes with, and with Parley.
import { createMCPClient, ElicitationRequestSchema } from "@ai-sdk/mcp"
import { AIMessage } from "@langchain/core/messages"
import { tool } from "@langchain/core/tools"
import { ToolNode } from "@langchain/langgraph/prebuilt"
import { MultiServerMCPClient } from "@langchain/mcp-adapters"
import { Agent, MCPServerStreamableHttp, Runner } from "@openai/agents-core"
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing"
import { tools as aiSdkTools } from "@parley-mcp/parley/ai-sdk"
import { tools as langChainTools } from "@parley-mcp/parley/langchain"
import { mcpServer } from "@parley-mcp/parley/openai-agents"
import { generateText, isStepCount } from "ai"

import { says, session } from "./desk.js"
import { calls, modelOf } from "./turns/ai-sdk-model.js"

const name = "update_work_item"
const input = { id: 4711, state: "Resolved" }

/** A session in which a person answers at once. @param {string} url */
const answered = (url) => session(url, { elicit: ({ key }) => says[key] ?? {} })

/** What the model sees, with the client that it is from. @typedef {(url: string) => Promise<string>} Sees */

/** @type {{host: string, packages: string[], own: Sees, parley: Sees}[]} */
export const hosts = [
  {
    host: "AI SDK",
    packages: ["ai", "@ai-sdk/mcp"],
    async own(url) {
      const client = await createMCPClient({ transport: { type: "http", url } })
      return aiSdk(await client.tools(), () => client.close())
    },
    async parley(url) {
      const mcp = await answered(url)
      return aiSdk(await aiSdkTools(mcp), () => mcp.close())
    },
  },
  {
    host: "AI SDK, with `onElicitationRequest`",
    packages: ["ai", "@ai-sdk/mcp"],
    async own(url) {
      const client = await createMCPClient({ transport: { type: "http", url }, capabilities: { elicitation: {} } })
      client.onElicitationRequest(ElicitationRequestSchema, async ({ params }) => /** @type {any} */ (says[params.message.startsWith("How") ? "resolution" : "original"]))
      return aiSdk(await client.tools(), () => client.close())
    },
    parley: (url) => hosts[0]?.parley(url) ?? Promise.reject(),
  },
  {
    host: "LangChain",
    packages: ["@langchain/core", "@langchain/mcp-adapters"],
    async own(url) {
      const client = new MultiServerMCPClient({ mcpServers: { desk: { transport: "http", url } } })
      return langChain(await client.getTools(), () => client.close())
    },
    async parley(url) {
      const mcp = await answered(url)
      return langChain(await langChainTools(mcp, { tool }), () => mcp.close())
    },
  },
  {
    host: "OpenAI Agents SDK",
    packages: ["@openai/agents-core"],
    async own(url) {
      const server = new MCPServerStreamableHttp({ url, name: "desk" })
      await server.connect()
      return agents(server, () => server.close())
    },
    async parley(url) {
      const mcp = await answered(url)
      return agents(mcpServer(mcp), () => mcp.close())
    },
  },
]

/** @param {any} set @param {() => Promise<unknown>} close */
async function aiSdk(set, close) {
  const model = modelOf(calls([name, input]), "Done.")
  await generateText({ model, tools: set, prompt: "Go.", stopWhen: isStepCount(2) })
  await close()
  const [result] = /** @type {any[]} */ (model.doGenerateCalls[1]?.prompt.at(-1)?.content)
  return result.output.value[0]?.text ?? `${result.output.type === "error-text" ? "an error: " : ""}${result.output.value}`
}

/** @param {any[]} set @param {() => Promise<unknown>} close */
async function langChain(set, close) {
  const [message] = await new ToolNode(set).invoke([new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id: "1", name, args: input }] })])
  await close()
  return `${message.status === "error" ? "an error: " : ""}${message.text}`
}

/** @param {import("@openai/agents-core").MCPServer} server @param {() => Promise<unknown>} close */
async function agents(server, close) {
  const model = new ScriptedModel([[functionCall(name, input, { callId: "1" })], [assistantMessage("Done.")]])
  await new Runner({ tracingDisabled: true }).run(new Agent({ name: "a", model, mcpServers: [server] }), "Go.")
  await close()
  const { output } = /** @type {any} */ (model.calls[1]?.request.input.at(-1))
  return output[0]?.text ?? output.text
}
