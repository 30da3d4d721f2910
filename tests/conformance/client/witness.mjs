// Usage: node witness.mjs command... URL
//
// Runs a client against the suite's server of http-standard-headers and looks at
// every request on its way. The scenario itself looks at the first request of each
// method, and passes when it saw none at all.
//
// Source: MCP 2026-07-28, basic/transports/streamable-http, Standard MCP Request
// Headers.
import { spawn } from "node:child_process"
import { createServer, request as send } from "node:http"

/** @import { AddressInfo } from "node:net" */
/** @import { IncomingMessage, ServerResponse } from "node:http" */

const version = "2026-07-28"

/** Which member of params goes into Mcp-Name, by method. @type {Record<string, string>} */
const names = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" }

// What the server offers must all have been asked for.
const expected = [
  "prompts/get test_prompt",
  "prompts/list",
  "resources/list",
  "resources/read file:///path/to/file%20name.txt",
  "resources/read https://example.com/resource?id=123",
  "server/discover",
  "tools/call my-hyphenated-tool",
  "tools/call test_headers",
  "tools/list",
]

const command = process.argv.slice(2)
const target = new URL(command.pop() ?? "")
/** @type {string[]} */
const seen = []
/** @type {string[]} */
const faults = []

const server = createServer(async (request, response) => {
  let body = ""
  for await (const chunk of request.setEncoding("utf8")) body += chunk
  look(request, body)
  pass(request, body, response)
})
server.listen(0, "127.0.0.1", () => {
  const { port } = /** @type {AddressInfo} */ (server.address())
  const [file = "", ...args] = command
  const client = spawn(file, [...args, `http://127.0.0.1:${port}${target.pathname}`], { stdio: "inherit" })
  client.on("close", (code) => {
    server.close()
    server.closeAllConnections()
    if (seen.sort().join("\n") !== expected.join("\n")) faults.push(`the requests were:\n${seen.join("\n")}`)
    for (const fault of faults) console.error(`witness: ${fault}`)
    process.exitCode = code || (faults.length ? 1 : 0)
  })
})

/** Holds the header fields of a request against its body. @param {IncomingMessage} request @param {string} body */
function look({ method: verb, headers }, body) {
  if (verb !== "POST") {
    faults.push(`${verb}, which ${version} has not`)
    return
  }
  const { method, params } = JSON.parse(body)
  const name = names[method] && params[names[method]]
  seen.push(name === undefined ? method : `${method} ${name}`)
  for (const [field, want] of Object.entries({
    "mcp-method": method,
    "mcp-name": name,
    "mcp-protocol-version": params._meta["io.modelcontextprotocol/protocolVersion"],
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  })) {
    if (headers[field] !== want) faults.push(`${seen.at(-1)}: ${field} is ${headers[field]}, want ${want}`)
  }
  if (headers["mcp-protocol-version"] !== version) faults.push(`${seen.at(-1)}: not in version ${version}`)
}

/** Passes a request on, and its response back. @param {IncomingMessage} request @param {string} body @param {ServerResponse} response */
function pass({ method, headers }, body, response) {
  const onward = send(target, { method, headers: { ...headers, host: target.host } }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  onward.on("error", () => response.writeHead(502).end())
  onward.end(body)
}
