import assert from "node:assert/strict"
import { createServer } from "node:http"
import { once } from "node:events"
import test from "node:test"

import { load } from "../../../hosts/js/dist/node.js"
import { fetchTransport } from "../parley.js"
import { Sessions } from "../sessions.js"

/** @import { AddressInfo } from "node:net" */

test("what a server keeps by a cookie ends with the session of the account that signs out", async (t) => {
  /** @type {(string | undefined)[]} */
  const came = []
  const server = createServer(async (request, response) => {
    came.push(request.headers.cookie)
    let text = ""
    for await (const part of request) text += part
    response.setHeader("Set-Cookie", "node=a")
    response.writeHead(200, { "Content-Type": "application/json" }).end(`{"jsonrpc":"2.0","id":${JSON.parse(text).id},"result":{"resultType":"complete","content":[]}}`)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => (server.close(), server.closeAllConnections()))
  const address = `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}/mcp`
  const sessions = new Sessions(await load(), { clientInfo: { name: "kit", version: "1" }, askers: () => ({}), transport: () => fetchTransport(address), onWarning: () => {} })
  const call = () => sessions.use({ label: "Desk", address }, (session) => session.callTool({ name: "t" }))
  await call()
  await call()
  sessions.leave(address)
  await call()
  assert.deepEqual(came, [undefined, "node=a", undefined])
})
