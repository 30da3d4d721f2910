// A server of MCP 2025-11-25 on the official TypeScript SDK of that era, with
// sessions: over stdio, or with --http over HTTP. It asks by requests of its own.
import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { CallToolRequestSchema, ListToolsRequestSchema, UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js"

import { listen } from "./listen.js"
import { questions } from "./questions.js"

let canceled = 0
let closed = 0
let opened = false

/** @type {Map<string, StreamableHTTPServerTransport>} */
const sessions = new Map()

/** The tools besides those that ask. `gate` needs a page that was seen to: it is by itself, or with `wait` once `open` is called. @type {Record<string, object>} */
const others = { gate: { wait: { type: "boolean" } }, open: { quietly: { type: "boolean" } } }

function make() {
  const server = new Server({ name: "earlier", version: "1.0.0" }, { instructions: "Ask away.", capabilities: { tools: {}, logging: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...Object.keys(questions), ...Object.keys(others)].map((name) => ({ name, inputSchema: { type: /** @type {const} */ ("object"), properties: others[name] ?? {} } })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {}, _meta } }, { requestId, sessionId = "", signal, sendNotification }) => {
    /** @param {unknown} value */
    const text = (value) => ({ content: [{ type: /** @type {const} */ ("text"), text: typeof value === "string" ? value : JSON.stringify(value) }] })
    if (name === "canceled") return text(String(canceled))
    if (name === "closed") return text(String(closed))
    if (name === "die") process.exit(3)
    if (name === "forget") {
      sessions.delete(sessionId)
      return text("forgotten")
    }
    const open = (/** @type {boolean} */ quietly) => {
      opened = true
      if (!quietly) server.notification({ method: "notifications/elicitation/complete", params: { elicitationId: "g1" } })
    }
    if (name === "open") {
      open(args.quietly === true)
      return text("opened")
    }
    if (name === "gate") {
      if (opened) return text("open")
      if (!args.wait) setTimeout(() => open(false), 50)
      throw new UrlElicitationRequiredError([{ mode: "url", elicitationId: "g1", url: "https://example.com/gate", message: "Please open the gate" }])
    }
    if (name === "hang") {
      await sendNotification({ method: "notifications/progress", params: { progressToken: /** @type {any} */ (_meta?.progressToken), progress: 1, message: "hanging" } })
      await sleep(600_000, undefined, { signal }).catch(() => canceled++)
      return text("too late")
    }
    // Unless it is told which request it belongs to, a question goes out on the stream of the session.
    const options = args.aside ? {} : { relatedRequestId: requestId }
    const given = []
    for (const { form, url, sample, roots } of questions[name] ?? []) {
      if (form) given.push(await server.elicitInput({ mode: "form", ...form }, options))
      if (url) given.push(await server.elicitInput({ mode: "url", ...url }, options))
      if (sample) given.push(await server.createMessage(sample, options))
      if (roots) given.push(await server.listRoots(roots, options))
    }
    await server.sendLoggingMessage({ level: "info", data: `answered ${name}` })
    return text(given)
  })
  return server
}

if (process.argv.includes("--http")) {
  listen(async (request, response) => {
    const known = sessions.get(String(request.headers["mcp-session-id"]))
    if (known) return known.handleRequest(request, response)
    if (request.headers["mcp-session-id"]) return response.writeHead(404).end()
    /** @type {StreamableHTTPServerTransport} */
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void (closed++, sessions.delete(id)),
    })
    await make().connect(/** @type {any} */ (transport))
    await transport.handleRequest(request, response)
  })
} else {
  await make().connect(new StdioServerTransport())
}
