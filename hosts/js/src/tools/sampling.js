import { accepts } from "./loop.js"

/** @import { Answer, Asker, AskContext, Question } from "../calls/askers.js" */

/** The params of sampling/createMessage, as far as models are told. @typedef {{messages: {role: "user" | "assistant", content: SamplingContent | SamplingContent[]}[], systemPrompt?: string, maxTokens?: number, temperature?: number, stopSequences?: string[]}} SamplingParams */

/** @typedef {{type: string, text?: string, data?: string, mimeType?: string}} SamplingContent */

/** What a model answered. @typedef {{text: string, model: string, stopReason?: string}} Sampled */

/**
 * Asks the person whether a server's question may go to the model, as an
 * elicitation is asked: an ElicitResult without content, or PARK.
 *
 * @typedef {Asker} Consent
 */

/**
 * The asker `sample` over a model. Nothing goes to the model before the person
 * has accepted it, here or in the chat's queue.
 *
 * @param {(params: SamplingParams, signal: AbortSignal) => Promise<Sampled>} generate @param {Consent} [consent]
 * @returns {Asker}
 */
export function sampling(generate, consent) {
  return async (question, context) => {
    if (!(/** @type {AskContext & {allowed?: boolean}} */ (context).allowed)) {
      if (!consent) throw new Error("nobody was asked whether the model may answer")
      const said = await consent(question, context)
      if (typeof said === "symbol") return said
      if (!accepts(said)) throw new Error("the person did not let the model answer")
    }
    const params = Object.entries(JSON.parse(question.params ?? "{}")).filter(([, value]) => value !== null) // which is as good as absent
    const { text, model, stopReason } = await generate(/** @type {any} */ (Object.fromEntries(params)), context.signal)
    return { role: "assistant", content: { type: "text", text }, model, ...(stopReason && { stopReason }) }
  }
}

/** A message's content as a list. @param {SamplingContent | SamplingContent[]} content */
export function blocks(content) {
  return Array.isArray(content) ? content : [content]
}
