// A server on the TypeScript SDK 2, with McpServer, as its documentation shows: a tool that asks returns what it needs.
import { createServer } from "node:http"

import { toNodeHandler } from "@modelcontextprotocol/node"
import { acceptedContent, createMcpHandler, inputRequired, inputResponse, McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import * as z from "zod/v4"

const text = (text) => ({ content: [{ type: "text", text }] })
const booking = z.object({ guests: z.int().min(1), window: z.boolean().default(false) })

function makeServer() {
  const server = new McpServer({ name: "restaurant", version: "1.0.0" }, { capabilities: { logging: {} } })

  server.registerTool(
    "greet",
    { description: "Greets somebody.", inputSchema: z.object({ name: z.string() }) },
    async ({ name }) => text(`Hello, ${name}!`),
  )
  server.registerTool(
    "weather",
    {
      description: "Says what the weather is.",
      inputSchema: z.object({ city: z.string() }),
      outputSchema: z.object({ city: z.string(), celsius: z.number() }),
    },
    async ({ city }) => {
      const found = { city, celsius: 4.5 }
      return { ...text(JSON.stringify(found)), structuredContent: found }
    },
  )
  server.registerTool(
    "divide",
    { description: "Divides a by b.", inputSchema: z.object({ a: z.number(), b: z.number() }) },
    async ({ a, b }) => {
      if (b === 0) throw new Error("cannot divide by zero")
      return text(String(a / b))
    },
  )
  server.registerTool(
    "book",
    { description: "Books a table.", inputSchema: z.object({ date: z.string() }) },
    async ({ date }, ctx) => {
      const view = inputResponse(ctx.mcpReq.inputResponses, "booking")
      if (view.kind === "elicit" && view.action !== "accept") return text("Nothing was booked.")
      const answer = acceptedContent(ctx.mcpReq.inputResponses, "booking", booking)
      if (answer) return text(`Booked for ${answer.guests} on ${date}.`)
      const form = inputRequired.elicit({ message: `A table on ${date}?`, requestedSchema: booking })
      return inputRequired({ inputRequests: { booking: form } })
    },
  )
  server.registerTool(
    "summarize",
    { description: "Has the client's model summarize a text.", inputSchema: z.object({ text: z.string() }) },
    async (given, ctx) => {
      const view = inputResponse(ctx.mcpReq.inputResponses, "summary")
      if (view.kind === "sampling") return text(`Summary: ${view.result.content.text}`)
      const messages = [{ role: "user", content: { type: "text", text: `Summarize: ${given.text}` } }]
      return inputRequired({ inputRequests: { summary: inputRequired.createMessage({ messages, maxTokens: 100 }) } })
    },
  )
  server.registerTool("folders", { description: "Says which folders the client works on." }, async (ctx) => {
    const view = inputResponse(ctx.mcpReq.inputResponses, "folders")
    if (view.kind === "roots") return text(view.roots.map(({ uri }) => uri).join("\n"))
    return inputRequired({ inputRequests: { folders: inputRequired.listRoots() } })
  })
  server.registerTool(
    "count",
    { description: "Counts, and reports progress.", inputSchema: z.object({ to: z.number().int() }) },
    async ({ to }, ctx) => {
      await ctx.mcpReq.log("info", `counting to ${to}`)
      const progressToken = ctx.mcpReq._meta?.progressToken
      for (let n = 1; n <= to && progressToken !== undefined; n++) {
        const params = { progressToken, progress: n, total: to, message: `at ${n}` }
        await ctx.mcpReq.notify({ method: "notifications/progress", params })
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
    { description: "Asks for a review.", argsSchema: z.object({ code: z.string(), language: z.string() }) },
    ({ code, language }) => ({
      messages: [{ role: "user", content: { type: "text", text: `Review this ${language} code: ${code}` } }],
    }),
  )
  return server
}

if (process.argv.includes("--http")) {
  const server = createServer(toNodeHandler(createMcpHandler(makeServer)))
  server.listen(0, "127.0.0.1", () => console.error(`http://127.0.0.1:${server.address().port}/mcp`))
} else {
  serveStdio(makeServer)
}
