// A server on the low-level Server of the TypeScript SDK 2, as its documentation shows: every result by hand, lists in pages.
import { createServer } from "node:http"

import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler, inputRequired, inputResponse, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"

const page = 3
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
  { name: "greet", description: "Greets somebody.", inputSchema: inputs("string", "name") },
  { name: "weather", description: "Says the weather.", inputSchema: inputs("string", "city"), outputSchema: weather },
  { name: "divide", description: "Divides a by b.", inputSchema: inputs("number", "a", "b") },
  { name: "book", description: "Books a table.", inputSchema: inputs("string", "date") },
  { name: "summarize", description: "Has the client's model summarize.", inputSchema: inputs("string", "text") },
  { name: "folders", description: "Says where the client works.", inputSchema: { type: "object" } },
  { name: "count", description: "Counts.", inputSchema: inputs("integer", "to") },
]
const text = (text) => ({ content: [{ type: "text", text }] })
const ask = (key, request) => inputRequired({ inputRequests: { [key]: request } })

async function callTool({ params: { name, arguments: given } }, { mcpReq }) {
  switch (name) {
    case "greet":
      return text(`Hello, ${given.name}!`)
    case "weather":
      return { ...text(`It is 4.5 degrees in ${given.city}.`), structuredContent: { city: given.city, celsius: 4.5 } }
    case "divide":
      return given.b === 0 ? { ...text("cannot divide by zero"), isError: true } : text(String(given.a / given.b))
    case "book": {
      const answer = inputResponse(mcpReq.inputResponses, "booking")
      if (answer.kind === "missing")
        return ask("booking", inputRequired.elicit({ message: `A table on ${given.date}?`, requestedSchema: booking }))
      return text(
        answer.action === "accept" ? `Booked for ${answer.content.guests} on ${given.date}.` : "Nothing was booked.",
      )
    }
    case "summarize": {
      const answer = inputResponse(mcpReq.inputResponses, "summary")
      if (answer.kind === "sampling") return text(`Summary: ${answer.result.content.text}`)
      const messages = [{ role: "user", content: { type: "text", text: `Summarize: ${given.text}` } }]
      return ask("summary", inputRequired.createMessage({ messages, maxTokens: 100 }))
    }
    case "folders": {
      const answer = inputResponse(mcpReq.inputResponses, "folders")
      if (answer.kind === "roots") return text(answer.roots.map(({ uri }) => uri).join("\n"))
      return ask("folders", inputRequired.listRoots())
    }
    case "count": {
      await mcpReq.log("info", `counting to ${given.to}`)
      const progressToken = mcpReq._meta?.progressToken
      for (let n = 1; n <= given.to && progressToken !== undefined; n++) {
        const params = { progressToken, progress: n, total: given.to, message: `at ${n}` }
        await mcpReq.notify({ method: "notifications/progress", params })
      }
      return text(`Counted to ${given.to}.`)
    }
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
}

function read(uri) {
  if (uri === "config://app") return { uri, mimeType: "application/json", text: '{"theme":"dark"}' }
  const id = /^users:\/\/(\w+)\/name$/.exec(uri)?.[1]
  if (id) return { uri, mimeType: "text/plain", text: `User ${id}` }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource: ${uri}`)
}

function makeServer() {
  const capabilities = { tools: {}, resources: {}, prompts: {}, logging: {} }
  const server = new Server({ name: "restaurant", version: "1.0.0" }, { capabilities })
  server.setRequestHandler("tools/list", async ({ params }) => {
    const start = Number(params?.cursor ?? 0)
    const end = start + page
    return { tools: tools.slice(start, end), nextCursor: end < tools.length ? String(end) : undefined }
  })
  server.setRequestHandler("tools/call", callTool)
  server.setRequestHandler("resources/list", async () => ({
    resources: [{ uri: "config://app", name: "config", mimeType: "application/json" }],
  }))
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: [{ uriTemplate: "users://{id}/name", name: "user", mimeType: "text/plain" }],
  }))
  server.setRequestHandler("resources/read", async ({ params }) => ({ contents: [read(params.uri)] }))
  server.setRequestHandler("prompts/list", async () => ({
    prompts: [{ name: "review", arguments: ["code", "language"].map((name) => ({ name, required: true })) }],
  }))
  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: given } }) => {
    if (name !== "review") throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`)
    const content = { type: "text", text: `Review this ${given.language} code: ${given.code}` }
    return { messages: [{ role: "user", content }] }
  })
  return server
}

if (process.argv.includes("--http")) {
  const server = createServer(toNodeHandler(createMcpHandler(makeServer)))
  server.listen(0, "127.0.0.1", () => console.error(`http://127.0.0.1:${server.address().port}/mcp`))
} else {
  serveStdio(makeServer)
}
