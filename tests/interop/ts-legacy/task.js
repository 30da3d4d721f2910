// The tool that goes on as a task, by the SDK's experimental tasks of 2025-11-25.
import { setTimeout as sleep } from "node:timers/promises"

import { InMemoryTaskMessageQueue, InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js"
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js"

import { features } from "../js/features.js"

/** @import { Server } from "@modelcontextprotocol/sdk/server/index.js" */
/** @import { State } from "../js/state.js" */

/** The tool's definition. */
export const tool = {
  name: "build",
  description: "Builds something, which takes a while.",
  inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  execution: { taskSupport: "required" },
}

/** Knows which tasks were looked at. */
class Tasks extends InMemoryTaskStore {
  #seen = new Set()

  /** @param {string} id @param {string} [session] */
  async getTask(id, session) {
    const task = await super.getTask(id, session)
    this.#seen.add(id)
    return task
  }

  /** Waits until somebody looks at a task that works, or it does not work any more. @param {string} id */
  async looked(id) {
    this.#seen.delete(id)
    while (!this.#seen.has(id) && (await super.getTask(id))?.status === "working") await sleep(20)
  }
}

/** What the server declares, and where the SDK keeps tasks, for all sessions. */
export const capability = { cancel: {}, requests: { tools: { call: {} } } }
const taskStore = new Tasks()
export const stores = { taskStore, taskMessageQueue: new InMemoryTaskMessageQueue() }

/** Makes the task. @param {Server} server @param {State} state @param {any} params @param {any} extra */
export async function build(server, state, params, { taskStore: tasks }) {
  if (!params.task) throw new McpError(ErrorCode.MethodNotFound, "build is a task only")
  const task = await tasks.createTask({ ttl: params.task.ttl, pollInterval: 100 })
  void work(server, state, params.arguments.id, task.taskId, tasks)
  return { task }
}

/** @param {Server} server @param {State} state @param {string} id @param {string} taskId @param {any} tasks */
async function work(server, { outcomes }, id, taskId, tasks) {
  outcomes.set(id, "running")
  try {
    await tasks.updateTaskStatus(taskId, "working", "Building")
    await taskStore.looked(taskId) // the client is to see it work
    await tasks.updateTaskStatus(taskId, "input_required") // fails where the task was cancelled
    const question = server.elicitInput({ mode: "form", ...features.forms.name }, { relatedTask: { taskId } })
    const { action, content } = await question
    await tasks.updateTaskStatus(taskId, "working")
    const text = `built for ${action === "accept" ? content?.name : "nobody"}`
    await tasks.storeTaskResult(taskId, "completed", { content: [{ type: "text", text }] })
    outcomes.set(id, "finished")
  } catch {
    outcomes.set(id, "cancelled")
  }
}
