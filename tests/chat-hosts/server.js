// A server of the official SDK whose tool update_work_item asks. GET /counts says how often each tool came to its end;
// POST /forget has it refuse every requestState that it gave up to then.
// Usage: node server.js [--modern] [ORIGIN]; it speaks MCP 2025-11-25 as well, unless --modern, and lets in pages of ORIGIN.
import { createServer } from "node:http"

import { toNodeHandler } from "@modelcontextprotocol/node"
import { acceptedContent, createMcpHandler, fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server"

/** What goes into every requestState. */
let epoch = 1

/** How often each tool came to its end. @type {Record<string, number>} */
const counts = {}

/** @param {any} schema */
const input = (schema) => ({ inputSchema: fromJsonSchema({ type: "object", ...schema }) })

/** @param {string} message @param {string} name @param {object} field */
const form = (message, name, field) => inputRequired.elicit({ message, requestedSchema: /** @type {any} */ ({ type: "object", properties: { [name]: field }, required: [name] }) })

/** What a state tells the next round. @typedef {{epoch: number, resolution?: string}} Facts */

/** @param {string} state @returns {Facts} */
function verify(state) {
  const facts = JSON.parse(state)
  if (facts.epoch !== epoch) throw new Error("this state is of no use any more")
  return facts
}

function make() {
  const server = new McpServer({ name: "desk", version: "1.0.0" }, { requestState: { verify } })
  /** @param {string} name @param {string} text */
  const end = (name, text) => {
    counts[name] = (counts[name] ?? 0) + 1
    return { content: [{ type: /** @type {const} */ ("text"), text }] }
  }

  const item = { title: "Update a work item", description: "Moves a work item to another state", annotations: { destructiveHint: true }, ...input({ properties: { id: { type: "integer" }, state: { type: "string" } }, required: ["id", "state"] }) }
  server.registerTool("update_work_item", item, async (args, { mcpReq }) => {
    const { id, state } = /** @type {{id: number, state: string}} */ (args)
    if (state !== "Resolved") return end("update_work_item", `Work item ${id} is now ${state}.`)
    const { resolution } = /** @type {{resolution?: string}} */ ({ .../** @type {Facts | undefined} */ (mcpReq.requestState()), ...acceptedContent(mcpReq.inputResponses, "resolution") })
    const { original } = /** @type {{original?: number}} */ (acceptedContent(mcpReq.inputResponses, "original") ?? {})
    const refused = Object.values(mcpReq.inputResponses ?? {}).some((answer) => "action" in /** @type {any} */ (answer) && /** @type {any} */ (answer).action !== "accept")
    if (refused) return end("update_work_item", `Work item ${id} is unchanged.`)
    if (!resolution) return inputRequired({ inputRequests: { resolution: form(`How was work item ${id} resolved?`, "resolution", { type: "string", enum: ["Fixed", "Duplicate"] }) }, requestState: JSON.stringify({ epoch }) })
    if (resolution === "Fixed") return end("update_work_item", `Work item ${id} is fixed.`)
    if (!original) return inputRequired({ inputRequests: { original: form(`Which work item does ${id} duplicate?`, "original", { type: "integer", minimum: 1 }) }, requestState: JSON.stringify({ epoch, resolution }) })
    return end("update_work_item", `Work item ${id} is a duplicate of ${original}.`)
  })

  const weather = { description: "The weather in a city", annotations: { title: "Weather", readOnlyHint: true }, ...input({ properties: { location: { type: "string" } }, required: ["location"] }) }
  server.registerTool("get_weather", weather, async (args) => ({ ...end("get_weather", `18 °C in ${/** @type {any} */ (args).location}`), structuredContent: { degrees: 18 } }))

  server.registerTool("picture", input({}), async () => ({ content: [...end("picture", "A dot:").content, { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" }] }))
  server.registerTool("fail", input({}), async () => ({ ...end("fail", "There is no such work item."), isError: true }))

  server.registerTool("summarise", input({}), async (_, { mcpReq }) => {
    const said = /** @type {any} */ (mcpReq.inputResponses?.summary)
    if (said) return end("summarise", `The model says: ${said.content.text}`)
    const messages = [{ role: /** @type {const} */ ("user"), content: { type: /** @type {const} */ ("text"), text: "Sum it up." } }]
    return inputRequired({ inputRequests: { summary: inputRequired.createMessage({ messages, systemPrompt: "Be short.", maxTokens: 50 }) }, requestState: JSON.stringify({ epoch }) })
  })
  return server
}

process.stdin.on("end", () => process.exit()).resume() // who started it is gone, and would wait for its output

const options = process.argv.slice(2)
const modern = options[0] === "--modern" && options.shift()
const [origin] = options
const answer = toNodeHandler(createMcpHandler(make, modern ? { legacy: "reject" } : {}))
const server = createServer((request, response) => {
  if (request.url === "/counts") return void response.end(JSON.stringify(counts))
  if (request.url === "/forget") return void response.end(String(++epoch))
  if (origin) response.setHeader("Access-Control-Allow-Origin", origin)
  if (request.method === "OPTIONS") return void response.writeHead(204, { "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "Content-Type, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name" }).end()
  void answer(request, response)
})
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`))
