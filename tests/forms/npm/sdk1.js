// A server on the TypeScript SDK 1 that asks with each of the schemas, by elicitInput, which takes any JSON Schema and holds the
// answer against it.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { z } from "zod"

import { draw } from "./schemas.js"

const drawn = draw(process.argv[2])
const text = (text) => ({ content: [{ type: "text", text }] })
const server = new McpServer({ name: "forms", version: "1.0.0" })

server.registerTool("types", { description: "Lists the schemas." }, async () =>
  text(JSON.stringify(drawn.map(({ kind, json }) => ({ kind, schema: json, refuses: "" })))),
)
server.registerTool("ask", { description: "Asks with a schema.", inputSchema: { type: z.number() } }, async ({ type }) => {
  const { schema, json } = drawn[type]
  const { action, content } = await server.server.elicitInput({ message: "Please fill in", requestedSchema: json })
  if (action === "accept") schema.parse(content)
  return text(action === "accept" ? "taken" : action)
})

await server.connect(new StdioServerTransport())
