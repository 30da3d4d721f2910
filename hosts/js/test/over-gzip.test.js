// A small answer that unpacks to much: what a host gives the SDK's client so that
// it is bounded.
import { once } from "node:events"
import { createServer } from "node:http"
import test from "node:test"
import { gzipSync } from "node:zlib"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"

import { connect, load } from "../dist/node.js"
import { over } from "../dist/transport/sdk-client.js"
import { equal, ok } from "./assert.js"

/** @import { AddressInfo } from "node:net" */

/** As README.md has it. @type {typeof fetch} */
const unpacked = async (url, init) => {
  const headers = new Headers(init?.headers)
  headers.set("Accept-Encoding", "identity")
  const response = await fetch(url, { ...init, headers })
  if (!response.headers.has("Content-Encoding")) return response
  await response.body?.cancel()
  throw new Error("the server packs its answers")
}

test("a fetch that takes no packed answer leaves the call in doubt, and unpacks nothing", async (t) => {
  const packed = gzipSync(Buffer.alloc(256 << 20, " "))
  let asked = ""
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const part of request.setEncoding("utf8")) body += part
    if (request.method !== "POST") return void response.writeHead(405).end()
    const { id, method } = JSON.parse(body)
    response.setHeader("Content-Type", "application/json")
    if (method === "tools/call") {
      asked = String(request.headers["accept-encoding"])
      return void response.writeHead(200, { "Content-Encoding": "gzip" }).end(packed)
    }
    const about = { resultType: "complete", ttlMs: 0, cacheScope: "private", supportedVersions: ["2026-07-28"], capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result: about }))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => (server.close(), server.closeAllConnections()))
  const url = new URL(`http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}/mcp`)
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: unpacked }))
  t.after(() => client.close())
  const session = connect(await load(), over(client))
  t.after(() => session.close())
  const before = process.resourceUsage().maxRSS
  const outcome = await session.call({ method: "tools/call", params: { name: "pay" } })
  equal([outcome.status, outcome.status === "failed" && outcome.inDoubt, asked], ["failed", true, "identity"])
  ok(process.resourceUsage().maxRSS - before < 64 << 10, "the most memory in use grew by less than 64 MiB") // in KiB
})
