// The tools of a server in LangChain, without a graph and within one.
import assert from "node:assert/strict"
import test from "node:test"

import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from "@langchain/core/messages"
import { tool } from "@langchain/core/tools"
import { FakeListChatModel, FakeStreamingChatModel } from "@langchain/core/utils/testing"
import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph"
import { createReactAgent, ToolNode } from "@langchain/langgraph/prebuilt"
import { connect, fetchTransport, load, memoryStore, PARK } from "@parley-mcp/parley"
import { sampler, toolLoop, tools } from "@parley-mcp/parley/langchain"

import { answersTo, says, session, startDesk } from "./desk.js"

const desk = await startDesk()
test.after(desk.stop)

/** A message of the model. @param {string} name @param {object} args */
const calling = (name, args) => new AIMessage({ content: "", tool_calls: [{ type: "tool_call", id: `call-${name}`, name, args }] })

/** Calls a tool outside of a graph. @param {{name: string}[]} set @param {string} name @param {object} args */
const call = async (set, name, args) => /** @type {any} */ (set.find((tool) => tool.name === name)).invoke(args)

test("tools take what the schemas say, and give texts, images, structured content and errors", async () => {
  const mcp = await session(desk.url)
  const set = await tools({ desk: mcp }, { tool })
  assert.deepEqual(set.map(({ name }) => name), ["update_work_item", "get_weather", "picture", "fail", "summarise"])
  assert.deepEqual([set[1]?.metadata?.title, set[1]?.metadata?.annotations], ["Weather", { title: "Weather", readOnlyHint: true }])
  assert.deepEqual(/** @type {any} */ (set[1]?.schema).required, ["location"])
  const node = new ToolNode(set)
  /** @param {string} name @param {object} args @returns {Promise<ToolMessage>} */
  const result = async (name, args) => (await node.invoke([calling(name, args)]))[0]
  const weather = await result("get_weather", { location: "Oslo" })
  assert.deepEqual([weather.content, weather.artifact.structuredContent, weather.status], ["18 °C in Oslo", { degrees: 18 }, "success"])
  assert.deepEqual((await result("picture", {})).content, [{ type: "text", text: "A dot:" }, { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } }])
  const failed = await result("fail", {})
  assert.equal(failed.status, "error")
  assert.match(String(failed.content), /There is no such work item\./)
  await mcp.close()
})

test("inline, an agent waits for the person", async () => {
  const mcp = await session(desk.url, { elicit: ({ key }) => says[key] ?? PARK })
  const llm = new FakeStreamingChatModel({ sleep: 0, chunks: [new AIMessageChunk({ content: "", tool_calls: [{ type: "tool_call", id: "1", name: "update_work_item", args: { id: 4711, state: "Resolved" } }] })], responses: [new AIMessage("Resolving.")] })
  const graph = createReactAgent({ llm, tools: await tools({ desk: mcp }, { tool }) })
  for await (const { tools: said } of await graph.stream({ messages: [new HumanMessage("Go.")] }, { streamMode: "updates" })) {
    if (!said) continue
    assert.equal(/** @type {any} */ (said.messages)[0].content, "Work item 4711 is a duplicate of 42.")
    break
  }
  await mcp.close()
})

test("without a graph a call waits in the message's artifact", async () => {
  const mcp = await session(desk.url)
  const loop = toolLoop({ desk: mcp }, { tool, store: memoryStore() })
  const node = new ToolNode(await loop.tools())
  const call = calling("update_work_item", { id: 4711, state: "Resolved" })
  const [pending] = await node.invoke([call])
  let messages = [new HumanMessage("Go."), call, pending]
  for (const key of ["resolution", "original"]) {
    const waiting = await loop.waiting(messages)
    assert.deepEqual(waiting.map(({ question }) => question?.key), [key])
    messages = await loop.answer(messages, answersTo(waiting, [key]))
  }
  assert.deepEqual(await loop.waiting(messages), [])
  const last = messages[2]
  assert.ok(last instanceof ToolMessage)
  assert.deepEqual([last.content, last.tool_call_id, last.status], ["Work item 4711 is a duplicate of 42.", call.tool_calls?.[0]?.id, "success"])
  await mcp.close()
})

test("in a graph whose node makes all calls of a message, those that are over are not made again", async () => {
  const mcp = await session(desk.url)
  const before = await desk.counts()
  const tool_calls = [{ type: /** @type {const} */ ("tool_call"), id: "1", name: "get_weather", args: { location: "Oslo" } }, { type: /** @type {const} */ ("tool_call"), id: "2", name: "update_work_item", args: { id: 1, state: "Resolved" } }]
  const node = new ToolNode(await tools(mcp, { tool, interrupt, store: memoryStore() }))
  const graph = new StateGraph(MessagesAnnotation).addNode("tools", node).addEdge("__start__", "tools").compile({ checkpointer: new MemorySaver() })
  const config = { configurable: { thread_id: "1" } }
  await graph.invoke({ messages: [new AIMessage({ content: "", tool_calls })] }, config)
  for (const key of ["resolution", "original"]) {
    const waiting = (await graph.getState(config)).tasks.flatMap(({ interrupts }) => interrupts.flatMap(({ value }) => value.questions))
    assert.deepEqual(waiting.map(({ question }) => question.key), [key])
    await graph.invoke(new Command({ resume: answersTo(waiting, [key]) }), config)
  }
  const { messages } = (await graph.getState(config)).values
  assert.deepEqual(messages.slice(1).map((/** @type {ToolMessage} */ { text }) => text), ["18 °C in Oslo", "Work item 1 is a duplicate of 42."])
  const after = await desk.counts()
  assert.deepEqual([after.get_weather, after.update_work_item], [(before.get_weather ?? 0) + 1, (before.update_work_item ?? 0) + 1])
  await mcp.close()
})

test("in a graph, too, a call that may have run is made again once, when the person has said so", async () => {
  let cut = false
  /** @type {typeof fetch} */
  const cutOff = async (url, init) => {
    const response = await fetch(url, init)
    if (!cut) return response
    await response.text()
    throw new TypeError("the connection broke")
  }
  const mcp = connect(await load(), fetchTransport(desk.url, { fetch: cutOff }))
  const before = (await desk.counts()).update_work_item ?? 0
  const node = new ToolNode(await tools(mcp, { tool, interrupt, store: memoryStore() }))
  const graph = new StateGraph(MessagesAnnotation).addNode("tools", node).addEdge("__start__", "tools").compile({ checkpointer: new MemorySaver() })
  const config = { configurable: { thread_id: "1" } }
  await graph.invoke({ messages: [calling("update_work_item", { id: 1, state: "Resolved" })] }, config)
  const waits = async () => (await graph.getState(config)).tasks.flatMap(({ interrupts }) => interrupts.flatMap(({ value }) => value.questions))
  const goOn = async (/** @type {object} */ answers) => graph.invoke(new Command({ resume: answers }), config)
  await goOn(answersTo(await waits(), ["resolution"]))
  cut = true
  await goOn(answersTo(await waits(), ["original"]))
  const [again] = await waits()
  assert.deepEqual([again?.kind, again?.inDoubt], ["again", true])
  await goOn({ [again.id]: { action: "accept" } }) // and it is cut off once more
  cut = false
  const [second, ...others] = await waits()
  assert.deepEqual([second?.kind, others], ["again", []])
  assert.notEqual(second.id, again.id, "which is asked anew: what was said before does not count")
  assert.equal((await desk.counts()).update_work_item, before + 2)
  await goOn({ [second.id]: { action: "accept" } })
  assert.deepEqual(await waits(), [])
  assert.equal((await desk.counts()).update_work_item, before + 3)
  assert.equal((await graph.getState(config)).values.messages.at(-1).text, "Work item 1 is a duplicate of 42.")
  await mcp.close()
})

test("a call that interrupts needs a store, and a thread to be found again in", async () => {
  const mcp = await session(desk.url)
  assert.throws(() => toolLoop(mcp, { tool, interrupt }), TypeError)
  const set = await tools(mcp, { tool, interrupt, store: memoryStore() })
  await assert.rejects(call(set, "get_weather", { location: "Oslo" }), /thread_id/)
  await mcp.close()
})

test("sampling asks the host's own model, and the person before it", async () => {
  const mcp = await session(desk.url)
  const sample = sampler(new FakeListChatModel({ responses: ["Short."] }), () => ({ action: "accept" }))
  const set = await tools(mcp, { tool, askers: { sample } })
  assert.equal(await call(set, "summarise", {}), "The model says: Short.")
  const silent = await tools(mcp, { tool, askers: { sample: sampler(new FakeListChatModel({ responses: ["Never."] })) } })
  await assert.rejects(call(silent, "summarise", {}), /the asker failed/)
  await mcp.close()
})
