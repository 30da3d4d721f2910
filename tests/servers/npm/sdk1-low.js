// A server on the low-level Server of the TypeScript SDK 1: every result by hand, lists in pages. Over HTTP it keeps no
// sessions and answers with JSON, so it can ask nothing there: the SDK's documentation calls that stateless mode.
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListRootsResultSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js"

const page = 3
const strings = (...required) => inputs("string", ...required)
const inputs = (type, ...required) => ({
  type: "object",
  properties: Object.fromEntries(required.map((name) => [name, { type }])),
  required,
})
const weather = {
  type: "object",
  properties: { city: { type: "string" }, celsius: { type: "number" } },
  required: ["city", "celsius"],
}
const booking = {
  type: "object",
  properties: { guests: { type: "integer", minimum: 1 }, window: { type: "boolean", default: false } },
  required: ["guests"],
}
const tools = [
  { name: "greet", description: "Greets somebody.", inputSchema: strings("name") },
  { name: "weather", description: "Says the weather.", inputSchema: strings("city"), outputSchema: weather },
  { name: "divide", description: "Divides a by b.", inputSchema: inputs("number", "a", "b") },
  { name: "book", description: "Books a table.", inputSchema: strings("date") },
  { name: "summarize", description: "Has the client's model summarize.", inputSchema: strings("text") },
  { name: "folders", description: "Says where the client works.", inputSchema: { type: "object" } },
  { name: "count", description: "Counts.", inputSchema: inputs("integer", "to") },
]
const text = (text) => ({ content: [{ type: "text", text }] })

async function callTool({ params: { name, arguments: given, _meta } }, { sendNotification, sendRequest }) {
  switch (name) {
    case "greet":
      return text(`Hello, ${given.name}!`)
    case "weather":
      return { ...text(`It is 4.5 degrees in ${given.city}.`), structuredContent: { city: given.city, celsius: 4.5 } }
    case "divide":
      return given.b === 0 ? { ...text("cannot divide by zero"), isError: true } : text(String(given.a / given.b))
    case "book": {
      const params = { mode: "form", message: `A table on ${given.date}?`, requestedSchema: booking }
      const { action, content } = await sendRequest({ method: "elicitation/create", params }, ElicitResultSchema)
      return text(action === "accept" ? `Booked for ${content.guests} on ${given.date}.` : "Nothing was booked.")
    }
    case "summarize": {
      const messages = [{ role: "user", content: { type: "text", text: `Summarize: ${given.text}` } }]
      const params = { messages, maxTokens: 100 }
      const { content } = await sendRequest({ method: "sampling/createMessage", params }, CreateMessageResultSchema)
      return text(`Summary: ${content.text}`)
    }
    case "folders": {
      const { roots } = await sendRequest({ method: "roots/list" }, ListRootsResultSchema)
      return text(roots.map(({ uri }) => uri).join("\n"))
    }
    case "count": {
      const data = `counting to ${given.to}`
      await sendNotification({ method: "notifications/message", params: { level: "info", data } })
      const progressToken = _meta?.progressToken
      for (let n = 1; n <= given.to && progressToken !== undefined; n++) {
        const params = { progressToken, progress: n, total: given.to, message: `at ${n}` }
        await sendNotification({ method: "notifications/progress", params })
      }
      return text(`Counted to ${given.to}.`)
    }
  }
  throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`)
}

function read(uri) {
  if (uri === "config://app") return { uri, mimeType: "application/json", text: '{"theme":"dark"}' }
  const id = /^users:\/\/(\w+)\/name$/.exec(uri)?.[1]
  if (id) return { uri, mimeType: "text/plain", text: `User ${id}` }
  throw new McpError(ErrorCode.InvalidParams, `Unknown resource: ${uri}`)
}

function makeServer() {
  const capabilities = { tools: {}, resources: {}, prompts: {}, logging: {} }
  const server = new Server({ name: "restaurant", version: "1.0.0" }, { capabilities })
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const start = Number(params?.cursor ?? 0)
    const end = start + page
    return { tools: tools.slice(start, end), nextCursor: end < tools.length ? String(end) : undefined }
  })
  server.setRequestHandler(CallToolRequestSchema, callTool)
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: [{ uri: "config://app", name: "config", mimeType: "application/json" }],
  }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: "users://{id}/name", name: "user", mimeType: "text/plain" }],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => ({ contents: [read(params.uri)] }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [{ name: "review", arguments: ["code", "language"].map((name) => ({ name, required: true })) }],
  }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given } }) => {
    if (name !== "review") throw new McpError(ErrorCode.InvalidParams, `Unknown prompt: ${name}`)
    const content = { type: "text", text: `Review this ${given.language} code: ${given.code}` }
    return { messages: [{ role: "user", content }] }
  })
  return server
}

if (process.argv.includes("--http")) {
  const app = createMcpExpressApp()
  app.post("/mcp", async (request, response) => {
    const server = makeServer()
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true })
    response.on("close", () => void transport.close().then(() => server.close()))
    await server.connect(transport)
    await transport.handleRequest(request, response, request.body)
  })
  const refuse = (_, response) =>
    response.status(405).json({ jsonrpc: "2.0", error: { code: -32000, message: "Method not allowed." }, id: null })
  app.get("/mcp", refuse)
  app.delete("/mcp", refuse)
  const listener = app.listen(0, "127.0.0.1", () => console.error(`http://127.0.0.1:${listener.address().port}/mcp`))
} else {
  await makeServer().connect(new StdioServerTransport())
}
