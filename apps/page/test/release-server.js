// A server on the official SDK as it was released in the days of 2025-06-18 or
// of 2025-03-26, which the argument names. It speaks nothing later.

import { randomUUID } from "node:crypto"

import { listen } from "../../../hosts/js/test/servers/listen.js"

const [version] = process.argv.slice(2)
const [{ Server }, { StreamableHTTPServerTransport }, { CallToolRequestSchema, ListToolsRequestSchema }] = await Promise.all(
  ["server/index.js", "server/streamableHttp.js", "types.js"].map((file) => import(`sdk-${version}/${file}`)),
)

const name = { type: "object", properties: { name: { type: "string", title: "Name", minLength: 2 } }, required: ["name"] }

/** What each tool asks. Forms came with 2025-06-18. @type {Record<string, (server: any, options: object) => Promise<unknown>>} */
const asks = {
  ...(version !== "2025-03-26" && { form: (server, options) => server.elicitInput({ message: "Who?", requestedSchema: name }, options) }),
  sample: (server, options) => server.createMessage({ messages: [{ role: "user", content: { type: "text", text: "Say hello" } }], maxTokens: 10 }, options),
  roots: (server, options) => server.listRoots({}, options),
}

function make() {
  const server = new Server({ name: "release", version: "1.0.0" }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: Object.keys(asks).map((name) => ({ name, inputSchema: { type: "object" } })) }))
  server.setRequestHandler(CallToolRequestSchema, async (/** @type {any} */ { params }, /** @type {any} */ { requestId }) => {
    const given = await asks[params.name]?.(server, { relatedRequestId: requestId })
    return { content: [{ type: "text", text: `It was ${JSON.stringify(given)}` }] }
  })
  return server
}

/** @type {Map<string, any>} */
const sessions = new Map()

listen(async (request, response) => {
  const known = sessions.get(String(request.headers["mcp-session-id"]))
  if (known) return known.handleRequest(request, response)
  if (request.headers["mcp-session-id"]) return response.writeHead(404).end()
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (/** @type {string} */ id) => void sessions.set(id, transport),
  })
  await make().connect(transport)
  await transport.handleRequest(request, response)
})
