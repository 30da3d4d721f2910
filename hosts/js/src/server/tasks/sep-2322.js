import { TaskError } from "./error.js"

/** @import { TaskRecord } from "./store.js" */

// Tasks in the form of SEP-2322's page: the names of MCP 2025-11-25, a status
// that comes alone, and tasks/result, which brings the result or questions. The
// SDK has it in earlier revisions only: in 2026-07-28 it drops `task` from a
// call's params and knows no tasks/result.

const related = "io.modelcontextprotocol/related-task"

/** Whether a call asks for a task. @param {{params?: {task?: unknown}}} request */
export const asksForTask = ({ params }) => typeof params?.task === "object" && params.task !== null

/** The answer to a call that has become a task. Without content the SDK refuses it. @param {object} task */
export const pageCreated = (task) => ({ resultType: "complete", content: [], task })

/** The metadata that names a task. @param {string} taskId */
export const relatedTo = (taskId) => ({ _meta: { [related]: { taskId } } })

/** The task that metadata names. @param {{_meta?: any}} params @returns {unknown} */
export const relatedTask = ({ _meta }) => _meta?.[related]?.taskId

/**
 * A task in the page's notation, where a result that is an error is a failure.
 *
 * @param {any} state as the extension has it
 * @param {TaskRecord} record
 */
export function pageState({ resultType, ttlMs, pollIntervalMs, ...state }, { result }) {
  if (/** @type {any} */ (result)?.isError) state.status = "failed"
  return { ...state, ttl: ttlMs, pollInterval: pollIntervalMs }
}

/**
 * What tasks/result says of a task that asks or is over.
 *
 * @param {TaskRecord} record
 */
export function pageOutcome({ id, status, asked, result, error }) {
  // As the proposal was approved: "input_required" the SDK would not let pass.
  if (status === "working") return { resultType: "incomplete", inputRequests: asked, ...relatedTo(id) }
  if (status === "completed") {
    const { _meta } = /** @type {any} */ (result)
    return { ...result, _meta: { ..._meta, ...relatedTo(id)._meta } }
  }
  const { code = -32603, message = "The task was canceled", data } = /** @type {any} */ (error) ?? {}
  throw new TaskError(code, message, data)
}
