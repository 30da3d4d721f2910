// In the place of a model, so that the chat runs without an account anywhere: it calls two tools, and says what they said. Put your
// provider's here, such as createOpenAI({ baseURL: "/a-route-of-yours" })("…"): the key belongs on your server.
const tokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0, text: 0, reasoning: 0 }

/** @type {Exclude<import("ai").LanguageModel, string>} */
export const model = {
  specificationVersion: "v4",
  provider: "nobody",
  modelId: "script",
  supportedUrls: {},
  async doGenerate({ prompt }) {
    const last = prompt.at(-1)
    const results = last?.role === "tool" ? last.content.flatMap((part) => (part.type === "tool-result" && part.output.type === "content" ? part.output.value : [])) : undefined
    /** @param {string} toolName @param {object} input */
    const call = (toolName, input) => ({ type: /** @type {const} */ ("tool-call"), toolCallId: crypto.randomUUID(), toolName, input: JSON.stringify(input) })
    const said = results?.map((part) => (part.type === "text" ? part.text : part.type)).join(" ")
    return {
      content: said === undefined ? [call("get_weather", { location: "Oslo" }), call("update_work_item", { id: 4711, state: "Resolved" })] : [{ type: "text", text: said }],
      finishReason: { unified: said === undefined ? "tool-calls" : "stop", raw: undefined },
      usage: { inputTokens: tokens, outputTokens: tokens },
      warnings: [],
    }
  },
  doStream: () => Promise.reject(new Error("it does not stream")),
}
