// A protected MCP server on the TypeScript SDK, with the SDK's own gate and challenges. ../README.md says what it
// offers. SIGNIN_SECRET is the secret of the client that looks tokens up.
import { createServer } from "node:http"
import { parseArgs } from "node:util"

import { toNodeHandler } from "@modelcontextprotocol/node"
import {
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  inputResponse,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  requireBearerAuth,
  requireScopes,
} from "@modelcontextprotocol/server"

/** @import { AuthInfo, ServerContext } from "@modelcontextprotocol/server" */

const { values: options } = parseArgs({ options: { issuer: { type: "string" }, introspection: { type: "string" }, id: { type: "string" } } })
const { issuer = "", introspection = "", id = "" } = options
const { SIGNIN_SECRET: secret = "" } = process.env

/** @type {{counts: Record<string, number>, users: string[], tokens: number}} */
const seen = { counts: {}, users: [], tokens: 0 }
const tokens = new Set()
const count = (/** @type {string} */ what) => (seen.counts[what] = (seen.counts[what] ?? 0) + 1)

const server = createServer((request, response) => void serve(request, response))
await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)))
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === "object" && address?.port}`
const resource = `${origin}/mcp`
const metadata = "/.well-known/oauth-protected-resource/mcp"

/** Looks a token up (RFC 7662). @param {string} token @returns {Promise<AuthInfo>} */
async function verifyAccessToken(token) {
  const response = await fetch(introspection, {
    method: "POST",
    headers: { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` },
    body: new URLSearchParams({ token }),
  })
  const said = await response.json()
  if (!said.active || !URL.canParse(said.aud)) {
    count("tokens not active")
    throw new OAuthError(OAuthErrorCode.InvalidToken, "the token is not active")
  }
  if (said.aud !== resource) count("tokens for another resource")
  else {
    tokens.add(token)
    seen.tokens = tokens.size
    if (!seen.users.includes(said.sub)) seen.users.push(said.sub)
  }
  return { token, clientId: said.client_id, scopes: said.scope?.split(" ") ?? [], expiresAt: said.exp, resource: new URL(said.aud), extra: { user: said.sub } }
}

const gate = requireBearerAuth({
  verifier: { verifyAccessToken },
  expectedResource: new URL(resource),
  requiredScopes: ["work"],
  resourceMetadataUrl: origin + metadata,
})

/** The second leg of deploy wants more than the first. @type {import("@modelcontextprotocol/server").ScopeChallengeHandler} */
const stepUp = (context) => {
  const { inputResponses } = /** @type {any} */ (context.request.params ?? {})
  return inputResponses && Object.keys(inputResponses).length > 0 ? requireScopes("work", "deploy")(context) : undefined
}

function makeServer() {
  const mcp = new McpServer({ name: "signin-ts", version: "1" }, { supportedProtocolVersions: ["2026-07-28"] })
  const inputSchema = fromJsonSchema({ type: "object" })
  mcp.registerTool("look", { inputSchema }, (_, context) => play("look", 0, context))
  mcp.registerTool("deploy", { inputSchema, scopeChallenge: stepUp }, (_, context) => play("deploy", 1, context))
  mcp.registerTool("move", { inputSchema }, (_, context) => play("move", 2, context))
  return mcp
}

/**
 * Plays one leg of a tool that asks where, and then perhaps why. What it was told so far is its requestState.
 *
 * @param {string} name @param {number} rounds @param {ServerContext} context
 */
function play(name, rounds, context) {
  const told = { Target: "", Reason: "", ...JSON.parse(context.mcpReq.requestState() ?? "{}") }
  for (const [key, member] of Object.entries({ target: "Target", reason: "Reason" })) {
    const answer = inputResponse(context.mcpReq.inputResponses, key)
    if (answer.kind === "elicit") told[member] = answer.content?.[key] ?? ""
  }
  const ask = (/** @type {string} */ key, /** @type {string} */ message) => {
    count(`${name} asked for ${key}`)
    const requestedSchema = { type: /** @type {const} */ ("object"), properties: { [key]: { type: /** @type {const} */ ("string") } }, required: [key] }
    return inputRequired({ inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema }) }, requestState: JSON.stringify(told) })
  }
  if (rounds > 0 && !told.Target) return ask("target", "Where to?")
  if (rounds > 1 && !told.Reason) return ask("reason", "Why?")
  count(`${name} ran`)
  const text = `${name} by ${context.http?.authInfo?.extra?.user}: ${told.Target} ${told.Reason}`
  return { content: [{ type: /** @type {const} */ ("text"), text }] }
}

const mcp = toNodeHandler(createMcpHandler(makeServer, { legacy: "reject", onerror: (error) => console.error(error.message) }))

/** @type {(request: import("node:http").IncomingMessage & {auth?: AuthInfo}, response: import("node:http").ServerResponse) => Promise<void>} */
async function serve(request, response) {
  response.setHeader("Access-Control-Allow-Origin", "*")
  if (request.url === "/counts") return void response.end(JSON.stringify(seen))
  if (request.url === metadata) {
    const document = { resource, authorization_servers: [issuer], scopes_supported: ["work", "deploy"], bearer_methods_supported: ["header"] }
    return void response.setHeader("Content-Type", "application/json").end(JSON.stringify(document))
  }
  if (request.url?.includes("?")) count("queries")
  if (request.url !== "/mcp") return void response.writeHead(404).end()
  response.setHeader("Access-Control-Expose-Headers", "WWW-Authenticate, Mcp-Session-Id")
  if (request.method === "OPTIONS") {
    // "*" would leave Authorization out. A preflight has no token.
    const headers = request.headers["access-control-request-headers"] ?? ""
    return void response.writeHead(204, { "Access-Control-Allow-Methods": "POST, GET, DELETE", "Access-Control-Allow-Headers": headers }).end()
  }
  response.once("finish", () => {
    if (response.statusCode === 401) count("401 unauthorized")
    if (response.statusCode === 403) count("403 forbidden")
  })
  const allowed = await gate(new Request(resource, { method: "POST", headers: { Authorization: request.headers.authorization ?? "" } }))
  if (allowed instanceof Response) {
    return void response.writeHead(allowed.status, Object.fromEntries(allowed.headers)).end(await allowed.text())
  }
  request.auth = allowed
  await mcp(request, response)
}

console.log(`listening on ${resource}`)
process.once("SIGTERM", () => process.exit())
