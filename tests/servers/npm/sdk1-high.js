// A server on the TypeScript SDK 1, with McpServer and express, as its documentation shows.
import { randomUUID } from "node:crypto"

import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js"
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js"
import { z } from "zod"

const text = (text) => ({ content: [{ type: "text", text }] })

function makeServer() {
  const server = new McpServer({ name: "restaurant", version: "1.0.0" }, { capabilities: { logging: {} } })

  server.registerTool(
    "greet",
    { description: "Greets somebody.", inputSchema: { name: z.string() } },
    async ({ name }) => text(`Hello, ${name}!`),
  )
  server.registerTool(
    "weather",
    {
      description: "Says what the weather is.",
      inputSchema: { city: z.string() },
      outputSchema: { city: z.string(), celsius: z.number() },
    },
    async ({ city }) => {
      const found = { city, celsius: 4.5 }
      return { ...text(JSON.stringify(found)), structuredContent: found }
    },
  )
  server.registerTool(
    "divide",
    { description: "Divides a by b.", inputSchema: { a: z.number(), b: z.number() } },
    async ({ a, b }) => {
      if (b === 0) throw new Error("cannot divide by zero")
      return text(String(a / b))
    },
  )
  server.registerTool(
    "book",
    { description: "Books a table.", inputSchema: { date: z.string() } },
    async ({ date }) => {
      const { action, content } = await server.server.elicitInput({
        message: `A table on ${date}?`,
        requestedSchema: {
          type: "object",
          properties: {
            guests: { type: "integer", title: "How many will come?", minimum: 1 },
            window: { type: "boolean", default: false },
          },
          required: ["guests"],
        },
      })
      return text(action === "accept" ? `Booked for ${content.guests} on ${date}.` : "Nothing was booked.")
    },
  )
  server.registerTool(
    "summarize",
    { description: "Has the client's model summarize a text.", inputSchema: { text: z.string() } },
    async (given) => {
      const { content } = await server.server.createMessage({
        messages: [{ role: "user", content: { type: "text", text: `Summarize: ${given.text}` } }],
        maxTokens: 100,
      })
      return text(`Summary: ${content.text}`)
    },
  )
  server.registerTool("folders", { description: "Says which folders the client works on." }, async () => {
    const { roots } = await server.server.listRoots()
    return text(roots.map(({ uri }) => uri).join("\n"))
  })
  server.registerTool(
    "count",
    { description: "Counts, and reports progress.", inputSchema: { to: z.number().int() } },
    async ({ to }, extra) => {
      await server.sendLoggingMessage({ level: "info", data: `counting to ${to}` }, extra.sessionId)
      const { progressToken } = extra._meta ?? {}
      for (let n = 1; n <= to && progressToken !== undefined; n++) {
        const params = { progressToken, progress: n, total: to, message: `at ${n}` }
        await extra.sendNotification({ method: "notifications/progress", params })
      }
      return text(`Counted to ${to}.`)
    },
  )

  server.registerResource("config", "config://app", { mimeType: "application/json" }, async ({ href }) => ({
    contents: [{ uri: href, mimeType: "application/json", text: '{"theme":"dark"}' }],
  }))
  server.registerResource(
    "user",
    new ResourceTemplate("users://{id}/name", { list: undefined }),
    { mimeType: "text/plain" },
    async ({ href }, { id }) => ({ contents: [{ uri: href, mimeType: "text/plain", text: `User ${id}` }] }),
  )
  server.registerPrompt(
    "review",
    { description: "Asks for a review.", argsSchema: { code: z.string(), language: z.string() } },
    ({ code, language }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Review this ${language} code: ${code}` } }],
    }),
  )
  return server
}

if (process.argv.includes("--http")) {
  const app = createMcpExpressApp()
  const sessions = new Map()

  app.post("/mcp", async (request, response) => {
    let transport = sessions.get(request.headers["mcp-session-id"])
    if (!transport && isInitializeRequest(request.body)) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => sessions.set(id, transport),
      })
      transport.onclose = () => sessions.delete(transport.sessionId)
      await makeServer().connect(transport)
    } else if (!transport) {
      const error = { code: -32000, message: "Bad Request: No valid session ID provided" }
      return response.status(400).json({ jsonrpc: "2.0", error, id: null })
    }
    await transport.handleRequest(request, response, request.body)
  })
  const resume = async (request, response) => {
    const transport = sessions.get(request.headers["mcp-session-id"])
    if (!transport) return response.status(400).send("Invalid or missing session ID")
    await transport.handleRequest(request, response)
  }
  app.get("/mcp", resume)
  app.delete("/mcp", resume)

  const listener = app.listen(0, "127.0.0.1", () => console.error(`http://127.0.0.1:${listener.address().port}/mcp`))
} else {
  await makeServer().connect(new StdioServerTransport())
}
