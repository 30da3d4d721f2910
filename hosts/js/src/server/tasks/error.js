/** A JSON-RPC error that a task, or the call that should have become one, ends with. */
export class TaskError extends Error {
  /** @param {number} code @param {string} message @param {unknown} [data] */
  constructor(code, message, data) {
    super(message)
    this.name = "TaskError"
    this.code = code
    this.data = data
  }
}
