// Questions that the person has settled beforehand, in the settings.

import { sampled, shared } from "../../shared-js/question.js"
import { models, say } from "./model.js"
import { workspaceRoots } from "./question-roots.js"
import { policy } from "./settings.js"

/** @import { Question } from "@parley-mcp/parley" */

/**
 * The answer, JSON text; undefined where the person is to be asked, because
 * they want to be or because there is no model that answers.
 *
 * @param {Question} question @param {AbortSignal} signal
 * @returns {Promise<string | undefined>}
 */
export async function settled({ kind, params = "{}", problem }, signal) {
  if (problem !== undefined) return // what was answered so could not be sent
  if (kind === "roots/list" && policy("roots") === "always") return shared(workspaceRoots())
  if (kind !== "sampling/createMessage" || policy("sampling") !== "always") return
  const [model] = await models()
  if (!model) return
  try {
    const text = await say(model, params, signal)
    return sampled(model.name, text, text)
  } catch {
    signal.throwIfAborted()
  }
}
