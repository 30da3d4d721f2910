import { Agent, Runner } from "@openai/agents-core"
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing"
import { mcpServer } from "@parley-mcp/parley/openai-agents"

import { answersTo } from "../desk.js"
import { play } from "./turn.js"

/** @import { AgentInputItem } from "@openai/agents-core" */

await play(async ({ session, store, keys, chat }) => {
  const server = mcpServer({ desk: session }, { store })
  /** @type {AgentInputItem[]} */
  let history = chat ?? [{ role: "user", content: "The weather in Oslo, and resolve 4711." }]
  if (chat) {
    history = await server.answer(history, answersTo(await server.waiting(history), keys))
    const waiting = await server.waiting(history)
    if (waiting.length) return { chat: history, waiting }
  }
  const model = new ScriptedModel([
    chat ? [assistantMessage("All done.")] : [functionCall("get_weather", { location: "Oslo" }, { callId: "1" }), functionCall("update_work_item", { id: 4711, state: "Resolved" }, { callId: "2" })],
  ])
  const agent = new Agent({ name: "agent", model, mcpServers: [server], toolUseBehavior: server.parked })
  const result = await new Runner({ tracingDisabled: true }).run(agent, history)
  const input = /** @type {any[]} */ (model.calls.at(-1)?.request.input)
  return {
    chat: result.history,
    waiting: await server.waiting(result.history),
    text: result.finalOutput,
    seen: input.filter(({ type }) => type === "function_call_result").map(({ name, output }) => [name, output[0].text]),
  }
})
