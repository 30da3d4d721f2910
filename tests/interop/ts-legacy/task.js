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

/** What the server declares, and where the SDK keeps tasks, for all sessions. */
export const capability = { cancel: {}, requests: { tools: { call: {} } } }
export const stores = { taskStore: new InMemoryTaskStore(), taskMessageQueue: new InMemoryTaskMessageQueue() }

/** Makes the task. @param {Server} server @param {State} state @param {any} params @param {any} extra */
export async function build(server, state, params, { taskStore }) {
  if (!params.task) throw new McpError(ErrorCode.MethodNotFound, "build is a task only")
  const task = await taskStore.createTask({ ttl: params.task.ttl, pollInterval: 100 })
  void work(server, state, params.arguments.id, task.taskId, taskStore)
  return { task }
}

/** @param {Server} server @param {State} state @param {string} id @param {string} taskId @param {any} tasks */
async function work(server, { outcomes }, id, taskId, tasks) {
  outcomes.set(id, "running")
  try {
    await tasks.updateTaskStatus(taskId, "working", "Building")
    await sleep(150)
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
