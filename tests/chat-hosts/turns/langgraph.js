import { AIMessageChunk, HumanMessage } from "@langchain/core/messages"
import { tool } from "@langchain/core/tools"
import { FakeStreamingChatModel } from "@langchain/core/utils/testing"
import { Command, interrupt, MemorySaver } from "@langchain/langgraph"
import { createReactAgent } from "@langchain/langgraph/prebuilt"
import { tools } from "@parley-mcp/parley/langchain"

import { answersTo } from "../desk.js"
import { play } from "./turn.js"

/** @import { BaseMessage } from "@langchain/core/messages" */

await play(async ({ session, store, keys, chat }) => {
  const checkpointer = Object.assign(new MemorySaver(), chat)
  const chunk = chat
    ? new AIMessageChunk("All done.")
    : new AIMessageChunk({ content: "", tool_calls: [{ type: "tool_call", id: "1", name: "get_weather", args: { location: "Oslo" } }, { type: "tool_call", id: "2", name: "update_work_item", args: { id: 4711, state: "Resolved" } }] })
  const llm = new FakeStreamingChatModel({ sleep: 0, chunks: [chunk], responses: [chunk] })
  /** @type {BaseMessage[]} */
  let prompt = []
  const callbacks = [{ handleChatModelStart: (/** @type {unknown} */ _, /** @type {BaseMessage[][]} */ [messages]) => void (prompt = messages ?? []) }]

  const graph = createReactAgent({ llm, tools: await tools({ desk: session }, { store, tool, interrupt }), checkpointer })
  const config = { configurable: { thread_id: "thread" }, callbacks }
  const waiting = async () => (await graph.getState(config)).tasks.flatMap(({ interrupts }) => interrupts)

  const questions = (await waiting()).flatMap(({ value }) => value.questions)
  const answers = answersTo(questions, keys)
  const input = chat ? new Command({ resume: Object.fromEntries((await waiting()).map(({ id }) => [id, answers])) }) : { messages: [new HumanMessage("The weather in Oslo, and resolve 4711.")] }
  const { messages } = await graph.invoke(input, config)
  return {
    chat: { storage: checkpointer.storage, writes: checkpointer.writes },
    waiting: (await waiting()).flatMap(({ value }) => value.questions),
    text: messages.at(-1)?.text,
    seen: prompt.filter((message) => message.getType() === "tool").map(({ name, text }) => [name ?? "", text]),
  }
})
