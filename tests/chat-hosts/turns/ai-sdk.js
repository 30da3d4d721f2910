import { generateText, isStepCount } from "ai"
import { toolLoop } from "@parley-mcp/parley/ai-sdk"

import { answersTo } from "../desk.js"
import { calls, modelOf, resultsIn } from "./ai-sdk-model.js"
import { play } from "./turn.js"

/** @import { ModelMessage } from "ai" */

await play(async ({ session, store, keys, chat }) => {
  const loop = toolLoop({ desk: session }, { store })
  /** @type {ModelMessage[]} */
  let messages = chat ?? [{ role: "user", content: "The weather in Oslo, and resolve 4711." }]
  if (chat) {
    messages = await loop.answer(messages, answersTo(await loop.waiting(messages), keys))
    const waiting = await loop.waiting(messages)
    if (waiting.length) return { chat: messages, waiting }
  }
  const model = modelOf(chat ? "All done." : calls(["get_weather", { location: "Oslo" }], ["update_work_item", { id: 4711, state: "Resolved" }]))
  const { text, responseMessages } = await generateText({ model, tools: await loop.tools(), messages, stopWhen: [isStepCount(9), loop.parked] })
  messages = [...messages, ...responseMessages]
  return { chat: messages, waiting: await loop.waiting(messages), text, seen: resultsIn(model.doGenerateCalls.at(-1)?.prompt ?? []) }
})
