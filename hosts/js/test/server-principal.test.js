// Whose state it is: on the SDK's server behind its own check of bearer tokens, and by codec/testdata/principals.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"

import { createMcpHandler, inputRequired, McpServer, OAuthError, OAuthErrorCode, requireBearerAuth } from "@modelcontextprotocol/server"

import { CodecError, createGuard, Reason } from "../dist/codec/index.js"
import { guardServer, tokenPrincipal } from "../dist/server/index.js"

/** @import { AuthInfo, ServerContext } from "@modelcontextprotocol/server" */

/** What a verifier says of a token. @typedef {{client?: string, issuer?: unknown, subject?: string}} Said */

const module = new WebAssembly.Module(readFileSync(new URL("../../../wasm/parley-codec.wasm", import.meta.url)))
const keys = "parley-key/1 11 AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\n"
const vectors = new URL("../../../codec/testdata/principals/tokens.txt", import.meta.url)

/** @param {Said} said @returns {AuthInfo} */
const info = ({ client = "", issuer, subject }, token = "t") => ({ token, clientId: client, scopes: [], expiresAt: Date.now() / 1000 + 3600, extra: { iss: issuer, sub: subject } })
/** @param {Said} said */
const whose = (said) => tokenPrincipal(/** @type {ServerContext} */ ({ http: { authInfo: info(said) } }))

test("tokens are read as in Go and Python, and no state opens for another's", async (t) => {
  const warn = t.mock.method(console, "warn", () => {})
  const guard = createGuard({ module, keys, audience: "principals", now: () => 1_800_000_000_000, random: (bytes) => void bytes.fill(7) })
  const lines = readFileSync(vectors, "utf8").split("\n").filter((line) => line && !line.startsWith("#"))
  /** @type {{principal: string, state: string}[]} */
  const found = []
  for (let i = 0; i < lines.length; i += 3) {
    const said = JSON.parse(lines[i]?.replace(/^token /, "") ?? "")
    const want = JSON.parse(lines[i + 2] ?? "")
    if (want.refused) {
      assert.throws(() => whose(said), /the token's verifier sets/, lines[i])
      continue
    }
    const principal = whose(said)
    assert.equal(principal, want.principal)
    assert.equal(want.warns, said.subject ? undefined : true)
    const { exchange } = await guard.inbound({ method: "tools/call", params: '{"name":"ask"}', principal })
    assert.equal(JSON.parse(await guard.outbound(exchange, '{"resultType":"input_required","requestState":"asked"}')).requestState, want.state)
    found.push(want)
  }
  assert.ok(found.length >= 15)
  assert.equal(warn.mock.callCount(), 1, "once in a process")
  assert.match(String(warn.mock.calls[0]?.arguments[0]), /^parley: the token's verifier sets no extra\.sub, so users/)
  for (const { state, principal: mine } of found) {
    for (const { principal } of found) {
      const opened = guard.inbound({ method: "tools/call", params: JSON.stringify({ name: "ask", requestState: state }), principal })
      if (principal === mine) await opened
      else await assert.rejects(opened, (error) => error instanceof CodecError && error.code === Reason.principal)
    }
  }
})

test("a state is of no use to another client or issuer, and the answer is the same for each", async () => {
  /** @type {Record<string, Said>} */
  const tokens = {}
  for (const client of ["app", "other"]) for (const at of ["a", "b"]) tokens[`${client}-${at}`] = { client, issuer: `https://${at}.example`, subject: "ann" }
  const check = requireBearerAuth({
    verifier: {
      async verifyAccessToken(token) {
        const said = tokens[token.replace(".refreshed", "")]
        if (!said) throw new OAuthError(OAuthErrorCode.InvalidToken, "unknown")
        return info(said, token)
      },
    },
  })
  const guard = createGuard({ module, keys, audience: "principals" })
  const handler = createMcpHandler(() => {
    const server = guardServer(new McpServer({ name: "test", version: "1" }), guard)
    server.registerTool("ask", {}, ({ mcpReq }) => {
      const state = mcpReq.requestState()
      return state ? { content: [{ type: "text", text: String(state) }] } : inputRequired({ requestState: "asked" })
    })
    return server
  })
  /** @param {string} token @param {string} [requestState] */
  const call = async (token, requestState) => {
    const _meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} }
    const request = new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "Content-Type": "application/json", Accept: "application/json, text/event-stream", Authorization: `Bearer ${token}`,
        "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "ask",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { _meta, name: "ask", arguments: {}, requestState } }),
    })
    const authInfo = await check(request)
    const response = authInfo instanceof Response ? authInfo : await handler.fetch(request, { authInfo })
    return `${response.status} ${await response.text()}`
  }
  const frozen = await call("app-a", "made up")
  assert.match(frozen, /"code":-32602,"message":"Invalid or expired requestState","data":\{"reason":"invalid_request_state"\}/)
  for (const mine of Object.keys(tokens)) {
    const { requestState } = JSON.parse((await call(mine)).replace(/^200 /, "")).result
    assert.match(requestState, /^E/)
    for (const other of Object.keys(tokens)) if (other !== mine) assert.equal(await call(other, requestState), frozen, `${other} with the state of ${mine}`)
    assert.match(await call(`${mine}.refreshed`, requestState), /"text":"asked"/)
  }
})
