import assert from "node:assert/strict"
import { once } from "node:events"
import { createServer } from "node:http"
import test from "node:test"

import { load } from "../../../hosts/js/dist/node.js"
import { offers } from "../offers.js"
import { fetchTransport } from "../parley.js"
import { Sessions } from "../sessions.js"

/** @import { AddressInfo } from "node:net" */
/** @import { Asker, Transport } from "../parley.js" */
/** @import { Server } from "../sessions.js" */

const engine = await load()
const files = { label: "Files", address: "x" }

/**
 * A server of an earlier era that asks for folders once it is initialized, and has one tool.
 *
 * @param {string[]} heard methods, and what it was told
 * @returns {Transport}
 */
function asking(heard) {
  return {
    kind: "stdio",
    open: (receive) => ({
      perform(action) {
        if (action.type !== "post") return
        const { id, method, result, error } = JSON.parse(action.body)
        heard.push(method ?? JSON.stringify(result ?? error.message))
        /** @param {object} message */
        const say = (message) => queueMicrotask(() => void receive({ type: "message", exchange: 0, body: JSON.stringify({ jsonrpc: "2.0", ...message }) }))
        if (method === "server/discover") say({ id, error: { code: -32601, message: "Method not found" } })
        if (method === "initialize") say({ id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "files", version: "1" } } })
        if (method === "notifications/initialized") say({ id: "r", method: "roots/list" })
        if (method === "tools/list") say({ id, result: { tools: [{ name: "read", inputSchema: { type: "object" } }] } })
        else if (method?.endsWith("/list")) say({ id, error: { code: -32601, message: "Method not found" } })
      },
      reset() {},
      close: async () => {},
    }),
  }
}

/** What it offers. @param {string[]} heard @param {(server: Server) => Asker} [roots] */
async function offered(heard, roots) {
  const sessions = new Sessions(engine, { clientInfo: undefined, askers: (ask) => ({ elicit: ask, listRoots: ask }), roots, transport: () => asking(heard), onWarning: (_, text) => assert.fail(text) })
  return sessions.use(files, async (session) => {
    const found = await offers(session, new AbortController().signal)
    await session.close()
    return found.map(({ name }) => name)
  })
}

test("a server that asks for folders before there is a call is told them before its lists are asked for", async () => {
  /** @type {string[]} */
  const heard = []
  const shared = '{"roots":[{"uri":"file:///work"}]}'
  /** @type {string[]} */
  const asked = []
  const roots = (/** @type {Server} */ { label }) => () => (asked.push(label), shared)
  assert.deepEqual(await offered(heard, roots), ["read"])
  assert.deepEqual(heard.slice(0, 5), ["server/discover", "initialize", "notifications/initialized", shared, "tools/list"])
  assert.deepEqual(asked, ["Files"])
})

test("where nobody can say which folders, there are none, and the lists come", async () => {
  /** @type {string[]} */
  const heard = []
  assert.deepEqual(await offered(heard), ["read"])
  assert.deepEqual(heard[3], '"Roots are not available"')
})

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
  const sessions = new Sessions(engine, { clientInfo: { name: "kit", version: "1" }, askers: () => ({}), transport: () => fetchTransport(address), onWarning: () => {} })
  const call = () => sessions.use({ label: "Desk", address }, (session) => session.callTool({ name: "t" }))
  await call()
  await call()
  sessions.leave(address)
  await call()
  assert.deepEqual(came, [undefined, "node=a", undefined])
})
