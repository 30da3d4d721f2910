import assert from "node:assert/strict"
import { test } from "node:test"

import { createMcpHandler } from "@modelcontextprotocol/server"
import { compileCodec, createGuard, newKey } from "@parley-mcp/parley/codec"

import { makeServer } from "../server.js"

/** @import { AuthInfo } from "@modelcontextprotocol/server" */

const guard = createGuard({ module: await compileCodec(), keys: newKey(), processLocal: true })

/** Calls the weather as whoever the token is of. @param {Record<string, unknown>} extra @param {object} [more] */
async function call(extra, more) {
  /** @type {AuthInfo} */
  const authInfo = { token: "t", clientId: "", scopes: [], extra }
  /** @type {string[]} */
  const log = []
  const { fetch } = createMcpHandler(() => makeServer(guard, (line) => log.push(line)), { legacy: "reject" })
  const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } }
  const params = { _meta, name: "get_weather", arguments: { location: "Oslo" }, ...more }
  const request = new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/call",
      "Mcp-Name": "get_weather",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  })
  const { result, error } = /** @type {any} */ (await (await fetch(request, { authInfo })).json())
  return { result, error, log }
}

test("without a user's name nobody gets or finishes a round", async () => {
  const ann = await call({ user: "ann" })
  assert.equal(ann.result.resultType, "input_required")
  const retry = { requestState: ann.result.requestState, inputResponses: { units: { action: "decline" } } }
  for (const extra of [{}, { user: undefined }, { user: null }, { user: "" }, { user: 7 }]) {
    const first = await call(extra)
    assert.deepEqual(first.error, { code: -32603, message: "Internal error" })
    assert.match(first.log.join("\n"), /requestState of tools\/call: principal$/m)
    assert.equal((await call(extra, retry)).error.message, "Invalid or expired requestState")
  }
  assert.equal((await call({ user: "undefined" }, retry)).error.message, "Invalid or expired requestState")
  assert.equal((await call({ user: "ann" }, retry)).result.resultType, "complete")
})
