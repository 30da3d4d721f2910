// A server over stdio whose tools say how they run, and are held to it by the SDK
// alone: its McpServer has a task for one that must or may run as one. With
// --undeclared it declares no tasks.
import { InMemoryTaskMessageQueue, InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"

const stores = { taskStore: new InMemoryTaskStore(), taskMessageQueue: new InMemoryTaskMessageQueue() }
const capabilities = process.argv.includes("--undeclared") ? {} : { tasks: { requests: { tools: { call: {} } } } }
const server = new McpServer({ name: "interop-tools", version: "1" }, { capabilities, ...stores })

/** What a tool comes to. @param {string} how @returns {{content: {type: "text", text: string}[]}} */
const ran = (how) => ({ content: [{ type: "text", text: `ran ${how}` }] })

for (const taskSupport of /** @type {const} */ (["required", "optional"])) {
  server.experimental.tasks.registerToolTask(taskSupport, { execution: { taskSupport } }, /** @type {any} */ ({
    /** @param {any} extra */
    async createTask({ taskStore, taskRequestedTtl }) {
      const task = await taskStore.createTask({ ttl: taskRequestedTtl, pollInterval: 100 })
      await taskStore.storeTaskResult(task.taskId, "completed", ran(`for ${taskRequestedTtl ?? "as long as it likes"}`))
      return { task }
    },
    /** @param {any} extra */
    getTask: ({ taskStore, taskId }) => taskStore.getTask(taskId),
    /** @param {any} extra */
    getTaskResult: ({ taskStore, taskId }) => taskStore.getTaskResult(taskId),
  }))
}
server.registerTool("forbidden", {}, () => ran("at once"))
await server.connect(new StdioServerTransport())
process.stdin.once("end", () => process.exit())
