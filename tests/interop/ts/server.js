// The interoperability server on the TypeScript SDK, version 2. Its features are
// written once: to a client of an earlier era the SDK puts their questions by
// requests of the server's own.
import { randomBytes, randomUUID } from "node:crypto"
import { createServer } from "node:http"

import { NodeStreamableHTTPServerTransport, toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler, createRequestStateCodec } from "@modelcontextprotocol/server"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"

import { Events } from "../js/events.js"
import { flags } from "../js/flags.js"
import { State } from "../js/state.js"
import { makeServer } from "./features.js"

const { port, legacy } = flags()
const state = await State.open()
const codec = createRequestStateCodec({ key: randomBytes(32) })
const make = () => makeServer(state, codec, legacy)
const onerror = (/** @type {Error} */ error) => console.error(error.message)

if (port === undefined && legacy) {
  await make().connect(new StdioServerTransport()) // serveStdio always serves the modern era too
} else if (port === undefined) {
  serveStdio(make, { legacy: "reject", onerror })
} else {
  const answer = legacy ? sessions() : toNodeHandler(createMcpHandler(make, { legacy: "reject", onerror }), { onerror })
  const server = createServer(answer)
  server.listen(port, "127.0.0.1", () => {
    const address = server.address()
    console.log(`listening on http://127.0.0.1:${typeof address === "object" && address?.port}/mcp`)
  })
  process.once("SIGTERM", () => process.exit())
}

/** Serves sessions, each with a server of its own. @returns {import("node:http").RequestListener} */
function sessions() {
  /** @type {Map<string, NodeStreamableHTTPServerTransport>} */
  const open = new Map()
  return async (request, response) => {
    const id = request.headers["mcp-session-id"]
    let transport = open.get(String(id))
    if (id !== undefined && !transport) return void response.writeHead(404).end()
    if (!transport) {
      transport = new NodeStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        eventStore: new Events(),
        retryInterval: 50,
        onsessioninitialized: (id) => void open.set(id, /** @type {any} */ (transport)),
        onsessionclosed: (id) => void open.delete(id),
      })
      await make().connect(transport)
    }
    await transport.handleRequest(request, response)
  }
}
