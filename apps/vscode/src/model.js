// The language models that VS Code offers. Most hosts of its kind, and browsers,
// have none: then there is an empty list.

import * as vscode from "vscode"

import { messages } from "../../shared-js/prompt.js"

/** @import { LanguageModelChat, LanguageModelChatMessage } from "vscode" */

/** @returns {Promise<LanguageModelChat[]>} */
export async function models() {
  try {
    return await vscode.lm.selectChatModels()
  } catch {
    return []
  }
}

/**
 * What a model says to a prompt. VS Code asks the person once whether this
 * extension may use its models.
 *
 * @param {LanguageModelChat} model @param {string} params of a sampling/createMessage, JSON text
 * @param {AbortSignal} signal
 */
export async function say(model, params, signal) {
  const cancel = new vscode.CancellationTokenSource()
  const stop = () => cancel.cancel()
  signal.addEventListener("abort", stop)
  try {
    const response = await model.sendRequest(chat(params), { justification: "An MCP server wants a model’s answer. You have seen its prompt." }, cancel.token)
    let text = ""
    for await (const part of response.text) text += part
    if (!text.trim()) throw new Error("it said nothing")
    return text
  } finally {
    signal.removeEventListener("abort", stop)
    cancel.dispose()
  }
}

/** The messages in VS Code's words, which know no system prompt. @param {string} params @returns {LanguageModelChatMessage[]} */
function chat(params) {
  const { LanguageModelChatMessage: Message } = vscode
  return messages(params).map(({ who, text, isText }) => {
    if (!isText) throw new Error("the prompt has more than text in it")
    return who === "assistant" ? Message.Assistant(text) : Message.User(text)
  })
}
