// Subscriptions at servers that are not ours, on the official TypeScript SDK: of
// MCP 2026-07-28 and, in its own era, of 2025-11-25.
import { createServer } from "node:http"
import test from "node:test"

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"
import { SubscribeRequestSchema } from "@modelcontextprotocol/sdk/types.js"

import { connect, fetchTransport, load } from "../dist/node.js"
import { equal } from "./assert.js"

/** @import { Changed, Subscribed } from "../dist/node.js" */

const engine = await load()
const filter = { toolsListChanged: true, resourceSubscriptions: ["file:///a"] }

/** What watchers were told, one after the other. */
class Told {
  /** @type {(Subscribed | Changed)[]} */
  #told = []
  /** @type {((told: Subscribed | Changed) => void)[]} */
  #waiting = []

  #put = (/** @type {Subscribed | Changed} */ told) => {
    const waiting = this.#waiting.shift()
    if (waiting) waiting(told)
    else this.#told.push(told)
  }

  watchers = { onSubscribed: this.#put, onChanged: this.#put }

  /** @returns {Promise<Subscribed | Changed>} */
  async next() {
    return this.#told.shift() ?? new Promise((resolve) => this.#waiting.push(resolve))
  }
}

test("the TypeScript SDK, 2026-07-28", async (t) => {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "watched", version: "1" }, { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } })
    server.registerTool("first", {}, async () => ({ content: [] }))
    server.registerResource("a", "file:///a", {}, async () => ({ contents: [] }))
    return server
  })
  const told = new Told()
  const session = connect(engine, fetchTransport("http://localhost/mcp", { fetch: (url, init) => handler.fetch(new Request(url, init)) }), { watchers: told.watchers })
  t.after(() => session.close())
  session.subscribe({ ...filter, promptsListChanged: true })
  equal(await told.next(), filter)
  handler.notify.toolsChanged()
  equal(await told.next(), { toolsListChanged: true })
  handler.notify.resourceUpdated("file:///a")
  equal(await told.next(), { resourceSubscriptions: ["file:///a"] })
  await handler.close() // gracefully
  const ended = await told.next()
  equal("reason" in ended && ended.reason, "the server ended the subscription")
})

test("the TypeScript SDK of 2025-11-25", async (t) => {
  const server = new Server({ name: "watched", version: "1" }, { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } } })
  server.setRequestHandler(SubscribeRequestSchema, async () => ({}))
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => "s" })
  await server.connect(/** @type {any} */ (transport))
  const web = createServer((request, response) => void transport.handleRequest(request, response))
  await new Promise((resolve) => web.listen(0, "127.0.0.1", () => resolve(undefined)))
  const { port } = /** @type {import("node:net").AddressInfo} */ (web.address())
  const told = new Told()
  const session = connect(engine, fetchTransport(`http://127.0.0.1:${port}/mcp`), { watchers: told.watchers })
  t.after(async () => {
    await session.close()
    web.closeAllConnections()
    web.close()
  })
  session.subscribe(filter)
  equal(await told.next(), filter)
  await server.sendToolListChanged()
  equal(await told.next(), { toolsListChanged: true })
  await server.sendResourceUpdated({ uri: "file:///a" })
  equal(await told.next(), { resourceSubscriptions: ["file:///a"] })
})
