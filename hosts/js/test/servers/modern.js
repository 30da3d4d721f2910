// A server of MCP 2026-07-28 on the official TypeScript SDK: over stdio, or with
// --http over HTTP.
import { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"

import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"

import { listen } from "./listen.js"
import { questions } from "./questions.js"

let canceled = 0

function make() {
  const server = new McpServer({ name: "modern", version: "1.0.0" }, { instructions: "Ask away.", capabilities: { logging: {} } })
  const anything = { inputSchema: fromJsonSchema({ type: "object" }) }
  /** @param {unknown} value */
  const text = (value) => ({ content: [{ type: /** @type {const} */ ("text"), text: typeof value === "string" ? value : JSON.stringify(value) }] })

  for (const [name, asks] of Object.entries(questions)) {
    server.registerTool(name, anything, async (_, { mcpReq }) => {
      const given = /** @type {Record<string, unknown> | undefined} */ (mcpReq.inputResponses)
      if (given && asks.every(({ key }) => key in given)) return text(asks.map(({ key }) => given[key]))
      const inputRequests = asks.map(({ key, form, url, sample }) => {
        if (form) return [key, inputRequired.elicit(form)]
        if (url) return [key, inputRequired.elicitUrl({ message: url.message, url: url.url })]
        if (sample) return [key, inputRequired.createMessage(sample)]
        return [key, inputRequired.listRoots()]
      })
      return inputRequired({ inputRequests: Object.fromEntries(inputRequests), requestState: `state of ${name} \ud800` })
    })
  }
  server.registerTool("hang", anything, async (_, { mcpReq }) => {
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken: /** @type {any} */ (mcpReq._meta?.progressToken), progress: 1, message: "hanging" } })
    await sleep(600_000, undefined, { signal: mcpReq.signal }).catch(() => canceled++)
    return text("too late")
  })
  server.registerTool("canceled", anything, async () => text(String(canceled)))
  server.registerTool("die", anything, () => process.exit(3))
  return server
}

if (process.argv.includes("--http")) {
  const { fetch } = createMcpHandler(make)
  listen(async (request, response) => {
    const gone = new AbortController()
    response.on("close", () => gone.abort())
    const { status, headers, body } = await fetch(
      new Request(`http://${request.headers.host}${request.url}`, {
        method: request.method ?? "GET",
        headers: /** @type {Record<string, string>} */ (request.headers),
        signal: gone.signal,
        ...(request.method === "POST" && { body: /** @type {any} */ (Readable.toWeb(request)), duplex: "half" }),
      }),
    )
    response.writeHead(status, Object.fromEntries(headers))
    response.flushHeaders()
    try {
      for await (const chunk of body ?? []) response.write(chunk)
    } catch {
      // The client has gone.
    }
    response.end()
  })
} else {
  serveStdio(make)
}
