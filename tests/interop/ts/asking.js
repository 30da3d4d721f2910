// A server whose tools ask in straight code: those of ../asking/main.go, on the TypeScript SDK.
import { createServer } from "node:http"
import { parseArgs } from "node:util"

import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler, fromJsonSchema, McpServer } from "@modelcontextprotocol/server"

import { compileCodec, createGuard, newKey, readKeyFile } from "../../../hosts/js/dist/codec-node.js"
import { asking, Cancelled, Declined, form, guardServer } from "../../../hosts/js/dist/server/index.js"

/** @import { Ask } from "../../../hosts/js/dist/server/index.js" */

const { values: options } = parseArgs({ options: { "key-file": { type: "string" } } })
const keys = options["key-file"] ? await readKeyFile(options["key-file"]) : newKey()
const guard = createGuard({ module: await compileCodec(), keys, audience: "interop-asking" })

/** @type {any} */
const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] }

/** @param {Promise<Record<string, any>>} asked */
async function said(asked) {
  try {
    return (await asked).a
  } catch (error) {
    if (error instanceof Declined) return "decline"
    if (error instanceof Cancelled) return "cancel"
    throw error
  }
}

/** @type {Record<string, (ask: Ask) => Promise<string>>} */
const tools = {
  names: async (ask) => `${await said(ask.form("Your name?", schema))} and ${await said(ask.form("Your friend's?", schema))}`,
  trip: async (ask) => {
    const [to, from] = await ask.all(form("Where to?", schema, { key: "to" }), form("From?", schema, { key: "from" }))
    const [root] = await ask.roots()
    return `${from.a} ${to.a} ${root?.uri} ${await ask.sampling("Name a river.")}`
  },
}

function make() {
  const server = guardServer(new McpServer({ name: "asking-js", version: "1" }), guard)
  for (const [name, tool] of Object.entries(tools)) {
    server.registerTool(name, { inputSchema: fromJsonSchema({ type: "object" }) }, asking(guard, async (/** @type {any} */ _, ask) => ({ content: [{ type: "text", text: await tool(ask) }] })))
  }
  return server
}

const onerror = (/** @type {Error} */ error) => console.error(error.message)
const server = createServer(toNodeHandler(createMcpHandler(make, { onerror }), { onerror }))
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  console.log(`listening on http://127.0.0.1:${typeof address === "object" && address?.port}/mcp`)
})
process.once("SIGTERM", () => process.exit())
