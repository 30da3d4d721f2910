// The interoperability server on the TypeScript SDK, version 1, which speaks
// the earlier era only: sessions, and questions by requests of the server's own.
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"

import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js"

import { Events } from "../js/events.js"
import { flags } from "../js/flags.js"
import { State } from "../js/state.js"
import { makeServer } from "./features.js"

const { port } = flags()
const state = await State.open()

if (port === undefined) {
  await makeServer(state).connect(new StdioServerTransport())
  process.stdin.once("end", () => process.exit())
} else {
  /** @type {Map<string, StreamableHTTPServerTransport>} */
  const sessions = new Map()
  const server = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"]
    let transport = sessions.get(String(id))
    if (id !== undefined && !transport) return void response.writeHead(404).end()
    if (!transport) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        eventStore: new Events(),
        retryInterval: 50,
        onsessioninitialized: (id) => void sessions.set(id, /** @type {any} */ (transport)),
        onsessionclosed: (id) => void sessions.delete(id),
      })
      await makeServer(state).connect(transport)
    }
    await transport.handleRequest(request, response)
  })
  server.listen(port, "127.0.0.1", () => {
    const address = server.address()
    console.log(`listening on http://127.0.0.1:${typeof address === "object" && address?.port}/mcp`)
  })
  process.once("SIGTERM", () => process.exit())
}
