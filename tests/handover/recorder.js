// Stands between all hosts and the server, and keeps what went over the wire.

import { createServer } from "node:http"
import { once } from "node:events"

/**
 * @typedef {object} Exchange
 * @property {string} method of the JSON-RPC request
 * @property {any} params
 * @property {string} sent the request's body
 * @property {string} got the response's body
 */

/**
 * Passes requests on to an MCP server. Pages of any origin may use it: the
 * server itself is asked without one.
 *
 * @param {string} target the server's URL
 */
export async function record(target) {
  /** @type {Exchange[]} */
  const exchanges = []
  const server = createServer(async (request, response) => {
    const cors = { "Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*", "Access-Control-Expose-Headers": "*" }
    if (request.method === "OPTIONS") return response.writeHead(204, cors).end()
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const headers = Object.entries(request.headers).filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name))
    const answer = await fetch(target, { method: request.method, headers: /** @type {[string, string][]} */ (headers), body: body.length ? body : undefined })
    const got = Buffer.from(await answer.arrayBuffer())
    if (body.length) {
      const sent = body.toString()
      const { method, params } = JSON.parse(sent)
      exchanges.push({ method, params, sent, got: got.toString() })
    }
    response.writeHead(answer.status, { ...cors, "Content-Type": answer.headers.get("content-type") ?? "application/json" }).end(got)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${port}/mcp`, exchanges, stop: () => (server.closeAllConnections(), server.close()) }
}
