// The sessions as an MCP server of an agent of the OpenAI Agents SDK.
import assert from "node:assert/strict"
import test from "node:test"

import { Agent, Runner } from "@openai/agents-core"
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing"
import { memoryStore, PARK } from "@parley-mcp/parley"
import { mcpServer } from "@parley-mcp/parley/openai-agents"

import { answersTo, says, session, startDesk } from "./desk.js"

/** @import { MCPServer } from "@openai/agents-core" */

const desk = await startDesk()
test.after(desk.stop)

const runner = new Runner({ tracingDisabled: true })

test("an agent has the server's tools, and its model sees texts, images, structured content and errors", async () => {
  const mcp = await session(desk.url)
  /** @type {MCPServer} */
  const server = mcpServer({ desk: mcp })
  const model = new ScriptedModel([
    [functionCall("get_weather", { location: "Oslo" }, { callId: "1" }), functionCall("picture", {}, { callId: "2" }), functionCall("fail", {}, { callId: "3" })],
    [assistantMessage("Done.")],
  ])
  const { finalOutput } = await runner.run(new Agent({ name: "a", model, mcpServers: [server] }), "Go.")
  assert.equal(finalOutput, "Done.")
  const { tools, input } = /** @type {any} */ (model.calls[1]?.request)
  assert.deepEqual(tools.map((/** @type {any} */ { name }) => name), ["update_work_item", "get_weather", "picture", "fail", "summarise"])
  const outputs = input.flatMap((/** @type {any} */ { type, output }) => (type === "function_call_result" ? [output] : []))
  assert.deepEqual(outputs, [
    [{ type: "input_text", text: "18 °C in Oslo" }],
    [{ type: "input_text", text: "A dot:" }, { type: "input_image", image: "data:image/png;base64,iVBORw0KGgo=" }],
    [{ type: "input_text", text: "There is no such work item." }],
  ])
  assert.deepEqual(await server.callToolResult?.("get_weather", { location: "Oslo" }), { content: Object.assign([{ type: "text", text: "18 °C in Oslo" }], { structuredContent: { degrees: 18 } }), structuredContent: { degrees: 18 } })
  assert.equal((await server.callTool("fail", {})).isError, true)
  await mcp.close()
})

test("inline, a run waits for the person", async () => {
  const mcp = await session(desk.url, { elicit: ({ key }) => says[key] ?? PARK })
  const model = new ScriptedModel([[functionCall("update_work_item", { id: 4711, state: "Resolved" }, { callId: "1" })], [assistantMessage("Done.")]])
  await runner.run(new Agent({ name: "a", model, mcpServers: [mcpServer(mcp)] }), "Go.")
  assert.match(JSON.stringify(model.calls[1]?.request.input), /Work item 4711 is a duplicate of 42\./)
  await mcp.close()
})

test("a picture that comes after a question is in the history as the SDK has it", async () => {
  const mcp = await session(desk.url)
  const server = mcpServer(mcp, { store: memoryStore() })
  const model = new ScriptedModel([[functionCall("update_work_item", { id: 1, state: "Resolved" }, { callId: "1" }), functionCall("picture", {}, { callId: "2" })]])
  const { history, finalOutput } = await runner.run(new Agent({ name: "a", model, mcpServers: [server], toolUseBehavior: server.parked }), "Go.")
  assert.equal(JSON.parse(finalOutput ?? "")[0].status, "pending")
  const waiting = await server.waiting(history)
  assert.equal(waiting.length, 1)
  const [id] = waiting.map(({ id }) => id)
  const after = await server.answer(history, { [id ?? ""]: { action: "decline" } })
  assert.deepEqual(after.flatMap((item) => (item.type === "function_call_result" ? [item.output] : []))[0], [{ type: "input_text", text: "Work item 1 is unchanged." }])
  assert.deepEqual(await server.waiting(after), [])
  assert.deepEqual(answersTo([], []), {})
  await mcp.close()
})
