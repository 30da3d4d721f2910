// A server of MCP 2025-11-25 on the official TypeScript SDK of that era, over stdio, that works on the client's roots like
// the published filesystem server: it asks for them once it is initialized, and looks at each before a tool may use it.
import { realpath, stat } from "node:fs/promises"
import { fileURLToPath } from "node:url"

import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"

const server = new Server({ name: "folders", version: "1.0.0" }, { capabilities: { tools: {} } })

/** @type {string[]} */
let allowed = []

server.oninitialized = async () => {
  const { roots } = await server.listRoots()
  const found = []
  for (const { uri } of roots) {
    const path = await realpath(fileURLToPath(uri))
    if ((await stat(path)).isDirectory()) found.push(path)
  }
  allowed = found
}

server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: "look", inputSchema: { type: "object", properties: {} } }] }))
server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: "text", text: `It may work on: ${allowed.join(", ") || "nothing"}` }] }))

await server.connect(new StdioServerTransport())
