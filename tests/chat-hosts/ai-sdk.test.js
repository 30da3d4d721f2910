// The tools of a server in a turn of the AI SDK.
import assert from "node:assert/strict"
import test from "node:test"

import { memoryStore, PARK } from "@parley-mcp/parley"
import { sampler, toolLoop, tools } from "@parley-mcp/parley/ai-sdk"
import { convertToModelMessages, generateText, isStepCount, readUIMessageStream, streamText, toUIMessageStream } from "ai"
import { convertArrayToReadableStream } from "ai/test"

import { answersTo, says, session, startDesk } from "./desk.js"
import { calls, modelOf, resultsIn } from "./turns/ai-sdk-model.js"

/** @import { ModelMessage, UIMessage } from "ai" */

const desk = await startDesk()
test.after(desk.stop)

/** @type {ModelMessage[]} */
const asked = [{ role: "user", content: "Go." }]
const resolve = calls(["update_work_item", { id: 4711, state: "Resolved" }])

test("a server's tools have its names, titles, schemas and annotations, and the model sees texts, images and errors", async () => {
  const mcp = await session(desk.url)
  const set = await tools(mcp, { needsApproval: ({ annotations }) => annotations?.destructiveHint ?? false })
  assert.deepEqual(Object.keys(set), ["update_work_item", "get_weather", "picture", "fail", "summarise"])
  const { update_work_item, get_weather } = set
  assert.equal(update_work_item?.title, "Update a work item")
  assert.equal(update_work_item?.needsApproval, true)
  assert.equal(get_weather?.needsApproval, false)
  assert.deepEqual(get_weather?.metadata, { server: "server", tool: "get_weather", title: "Weather", annotations: { title: "Weather", readOnlyHint: true } })

  const model = modelOf(calls(["get_weather", { location: "Oslo" }], ["picture", {}], ["fail", {}]), "Done.")
  const { steps } = await generateText({ model, tools: set, messages: asked, stopWhen: isStepCount(3) })
  const [first, second] = model.doGenerateCalls
  assert.deepEqual(first?.tools?.map(({ name }) => name), Object.keys(set))
  const tool = first?.tools?.find(({ name }) => name === "get_weather")
  assert.deepEqual(tool?.type === "function" && tool.inputSchema.required, ["location"])
  const results = second?.prompt.flatMap(({ role, content }) => (role === "tool" ? content : [])).map((part) => part.type === "tool-result" && part.output)
  assert.deepEqual(results?.[0], { type: "content", value: [{ type: "text", text: "18 °C in Oslo" }] })
  assert.match(JSON.stringify(results?.[1]), /"text":"A dot:".*"mediaType":"image\/png".*iVBORw0KGgo=/)
  assert.deepEqual(results?.[2], { type: "error-text", value: "There is no such work item." })
  assert.deepEqual(/** @type {any} */ (steps[0]?.toolResults[0]?.output).structuredContent, { degrees: 18 }, "which the host has, too")
  await mcp.close()
})

test("inline, the turn waits for the person", async () => {
  /** @type {string[]} */
  const keys = []
  const mcp = await session(desk.url, { elicit: ({ key }) => (keys.push(key), says[key] ?? PARK) })
  const model = modelOf(resolve, "Done.")
  const { text } = await generateText({ model, tools: await tools({ desk: mcp }), messages: asked, stopWhen: isStepCount(3) })
  assert.equal(text, "Done.")
  assert.deepEqual(keys, ["resolution", "original"])
  assert.deepEqual(resultsIn(model.doGenerateCalls.at(-1)?.prompt ?? []), [["update_work_item", "Work item 4711 is a duplicate of 42."]])
  await mcp.close()
})

test("approvals and questions are one queue, in model messages", async () => {
  const mcp = await session(desk.url)
  const loop = toolLoop({ desk: mcp }, { store: memoryStore(), needsApproval: ({ name }) => name === "picture" || name === "fail" })
  const set = await loop.tools()
  const before = await desk.counts()
  const model = modelOf(calls(["picture", {}], ["update_work_item", { id: 1, state: "Resolved" }], ["fail", {}]), "Done.")
  const parked = await generateText({ model, tools: set, messages: asked, stopWhen: [isStepCount(9), loop.parked] })
  let messages = [...asked, ...parked.responseMessages]
  const waiting = await loop.waiting(messages)
  assert.deepEqual(waiting.map(({ kind, tool }) => [kind, tool]).sort(), [["approval", "fail"], ["approval", "picture"], ["question", "update_work_item"]])
  const yes = waiting.find(({ tool }) => tool === "picture")?.id ?? ""
  const no = waiting.find(({ tool }) => tool === "fail")?.id ?? ""
  messages = await loop.answer(messages, { [yes]: { action: "accept" }, [no]: '{"action":"decline"}', ...answersTo(waiting, ["resolution"]) })
  const [second, ...others] = await loop.waiting(messages)
  assert.equal(second?.question?.key, "original")
  assert.deepEqual(others, [])
  messages = await loop.answer(messages, answersTo([second], ["original"]))
  assert.deepEqual(await loop.waiting(messages), [])
  const { text } = await generateText({ model, tools: set, messages, stopWhen: [isStepCount(9), loop.parked] })
  assert.equal(text, "Done.")
  assert.equal(model.doGenerateCalls.length, 2)
  assert.deepEqual(resultsIn(model.doGenerateCalls[1]?.prompt ?? []).map(([name]) => name).sort(), ["fail", "picture", "update_work_item"])
  const after = await desk.counts()
  assert.equal((after.picture ?? 0) - (before.picture ?? 0), 1)
  assert.equal(after.fail, before.fail, "what was not approved")
  await mcp.close()
})

test("and in the messages of a page", async () => {
  const mcp = await session(desk.url)
  const loop = toolLoop({ desk: mcp }, { store: memoryStore(), needsApproval: ({ name }) => name === "picture" })
  const set = await loop.tools()
  const model = modelOf(calls(["picture", {}], ["update_work_item", { id: 1, state: "Resolved" }]), "Done.")
  // A mock model that is asked to stream says the same.
  model.doStream = async (options) => {
    const { content, finishReason, usage } = await model.doGenerate(options)
    const parts = /** @type {any[]} */ (content).flatMap((part) => (part.type === "text" ? [{ type: "text-start", id: "t" }, { type: "text-delta", id: "t", delta: part.text }, { type: "text-end", id: "t" }] : [part]))
    return { stream: convertArrayToReadableStream([{ type: "stream-start", warnings: [] }, ...parts, { type: "finish", finishReason, usage }]) }
  }
  /** @type {UIMessage[]} */
  let messages = [{ id: "1", role: "user", parts: [{ type: "text", text: "Go." }] }]
  const turn = async () => {
    const { stream } = streamText({ model, tools: set, messages: await convertToModelMessages(messages, { tools: set }), stopWhen: [isStepCount(9), loop.parked] })
    const last = messages.at(-1)
    /** @type {UIMessage | undefined} */
    let made
    for await (const message of readUIMessageStream({ message: last?.role === "assistant" ? last : undefined, stream: toUIMessageStream({ stream, tools: set, originalMessages: messages }) })) made = message
    if (made) messages = last?.role === "assistant" ? [...messages.slice(0, -1), made] : [...messages, made]
  }
  await turn()
  messages = JSON.parse(JSON.stringify(messages)) // as a host keeps them
  const waiting = await loop.waiting(messages)
  assert.deepEqual(waiting.map(({ kind, tool }) => [kind, tool]), [["approval", "picture"], ["question", "update_work_item"]])
  messages = await loop.answer(messages, { [waiting[0]?.id ?? ""]: { action: "accept" }, ...answersTo(waiting, ["resolution"]) })
  const [second] = await loop.waiting(messages)
  assert.equal(second?.question?.key, "original")
  messages = await loop.answer(messages, answersTo(second ? [second] : [], ["original"]))
  await turn()
  const parts = /** @type {any[]} */ (messages.at(-1)?.parts)
  assert.equal(parts.find(({ toolName }) => toolName === "update_work_item").output.content[0].text, "Work item 1 is a duplicate of 42.")
  assert.equal(parts.find(({ toolName }) => toolName === "picture").state, "output-available")
  assert.equal(parts.at(-1).text, "Done.")
  await mcp.close()
})

test("sampling asks the host's own model, and the person before it", async () => {
  const model = modelOf("Short.")
  /** @type {string[]} */
  const shown = []
  const mcp = await session(desk.url)
  const consent = (/** @type {any} */ { params }) => (shown.push(JSON.parse(params).messages[0].content.text), { action: "accept" })
  const set = await tools(mcp, { askers: { sample: sampler(model, consent) } })
  const { steps } = await generateText({ model: modelOf(calls(["summarise", {}])), tools: set, messages: asked })
  assert.match(JSON.stringify(steps[0]?.toolResults[0]?.output), /The model says: Short\./)
  assert.deepEqual(shown, ["Sum it up."])
  const { prompt, maxOutputTokens } = model.doGenerateCalls[0] ?? {}
  assert.deepEqual([prompt, maxOutputTokens], [[{ role: "system", content: "Be short." }, { role: "user", content: [{ type: "text", text: "Sum it up." }] }], 50])

  for (const said of [undefined, () => ({ action: "decline" })]) {
    const silent = modelOf("Never.")
    const set = await tools(mcp, { askers: { sample: sampler(silent, said) } })
    const { content } = await generateText({ model: modelOf(calls(["summarise", {}])), tools: set, messages: asked })
    assert.ok(content.some(({ type }) => type === "tool-error"))
    assert.equal(silent.doGenerateCalls.length, 0, "nothing goes to a model in silence")
  }
  await mcp.close()
})

test("with a store, whether the model may answer waits in the queue", async () => {
  for (const action of ["accept", "decline"]) {
    const model = modelOf("Short.")
    const mcp = await session(desk.url)
    const loop = toolLoop(mcp, { store: memoryStore(), askers: { sample: sampler(model) } })
    const { responseMessages } = await generateText({ model: modelOf(calls(["summarise", {}])), tools: await loop.tools(), messages: asked, stopWhen: loop.parked })
    const [waits] = await loop.waiting(responseMessages)
    assert.equal(waits?.question?.kind, "sampling/createMessage")
    assert.equal(model.doGenerateCalls.length, 0)
    const messages = await loop.answer(responseMessages, { [waits?.id ?? ""]: { action } })
    assert.deepEqual(await loop.waiting(messages), [], action)
    assert.match(JSON.stringify(messages), action === "accept" ? /The model says: Short\./ : /The person gave the call up/)
    assert.equal(model.doGenerateCalls.length, action === "accept" ? 1 : 0)
    await mcp.close()
  }
})
