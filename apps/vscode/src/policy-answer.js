// Questions that the person has settled beforehand, in the settings.

import { models, say } from "./model.js"
import { rootsResult, workspaceRoots } from "./question-roots.js"
import { sampleResult } from "./question-sample.js"
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
  if (kind === "roots/list" && policy("roots") === "always") return rootsResult(workspaceRoots())
  if (kind !== "sampling/createMessage" || policy("sampling") !== "always") return
  const [model] = await models()
  if (!model) return
  try {
    return sampleResult(model.name, await say(model, params, signal))
  } catch {
    signal.throwIfAborted()
  }
}
