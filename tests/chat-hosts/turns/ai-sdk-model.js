// Scripts for the mock model of the AI SDK.
import { MockLanguageModelV4 } from "ai/test"

/** @typedef {import("@ai-sdk/provider").LanguageModelV4GenerateResult["content"]} Content */

/** What a model says. @param {...[name: string, input: object]} wanted @returns {Content} */
export const calls = (...wanted) => wanted.map(([toolName, input], i) => ({ type: "tool-call", toolCallId: `call-${toolName}-${i}`, toolName, input: JSON.stringify(input) }))

/** A model that says one thing after the other. @param {...(string | Content)} script */
export function modelOf(...script) {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
  return new MockLanguageModelV4({
    doGenerate: script.map((said) => ({
      content: typeof said === "string" ? [{ type: "text", text: said }] : said,
      finishReason: { unified: typeof said === "string" ? "stop" : "tool-calls", raw: undefined },
      usage: { inputTokens: tokens, outputTokens: tokens },
      warnings: [],
    })),
  })
}

/** What a prompt has of tools' results. @param {any[]} prompt @returns {[tool: string, text: string][]} */
export const resultsIn = (prompt) => prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content.map((/** @type {any} */ { toolName, output }) => [toolName, output.value?.[0]?.text ?? output.type]))
