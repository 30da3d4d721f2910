// A server with one tool, "ask", without arguments, that asks; each call is made on an instance of its own.
import { readFileSync } from "node:fs"

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server"

import { createGuard } from "../dist/codec/index.js"
import { asking, guardServer } from "../dist/server/index.js"

/** @import { ServerContext, StandardSchemaWithJSON } from "@modelcontextprotocol/server" */
/** @import { Ask, AskingOptions } from "../dist/server/index.js" */

const module = new WebAssembly.Module(readFileSync(new URL("../../../wasm/parley-codec.wasm", import.meta.url)))
const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
const everything = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} }

/** A schema that takes everything. @type {StandardSchemaWithJSON<any, any>} */
export const anything = {
  "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }), jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) } },
}

/** @typedef {(args: any, ask: Ask, context: ServerContext) => string | Promise<string>} Handler */

/** A Guard whose time stands still and whose random bytes are all 7. */
export const guardOf = () => createGuard({ module, keys, audience: "asking", now: () => 1_800_000_000_000, random: (bytes) => void bytes.fill(7) })

/** A guarded server with the tool. @param {Handler} handler @param {AskingOptions & {other?: boolean}} [options] */
export function serverOf(handler, { other, ...options } = {}) {
  const guard = guardOf()
  const server = guardServer(new McpServer({ name: "test", version: "1" }), guard)
  const callback = asking(other ? guardOf() : guard, async (args, ask, context) => ({ content: [{ type: /** @type {const} */ ("text"), text: await handler(args, ask, context) }] }), options)
  server.registerTool("ask", { inputSchema: anything }, callback)
  server.registerTool("plain", {}, callback)
  server.registerPrompt("prompt", {}, asking(guard, async (_, ask) => {
    const { a } = await ask.form("A?", { type: "object", properties: { a: { type: "string" } }, required: ["a"] })
    return { messages: [{ role: /** @type {const} */ ("user"), content: { type: /** @type {const} */ ("text"), text: a } }] }
  }))
  return server
}

/** A way to call the tool as a client does, without any socket. @param {Handler} handler @param {AskingOptions & {other?: boolean}} [options] */
export function serve(handler, options) {
  let id = 0
  /** @param {object} [params] @param {{method?: string, name?: string, capabilities?: object}} [how] @returns {Promise<any>} */
  return async (params, { method = "tools/call", name = "ask", capabilities = everything } = {}) => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": capabilities }
    const { fetch } = createMcpHandler(() => serverOf(handler, options))
    const response = await fetch(new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json", Accept: "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method, "Mcp-Name": name,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params: { _meta, name, ...params } }),
    }))
    return response.json()
  }
}
