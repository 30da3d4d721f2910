import { createServer, request as ask } from "node:http"
import { fileURLToPath } from "node:url"

import { startServer } from "../serve.mjs"

/** @import { AddressInfo } from "node:net" */

/** On the official SDK of the era before, which knows nothing of pages. */
const program = fileURLToPath(new URL("../../../hosts/js/test/servers/earlier.js", import.meta.url))

/** A message or the end of a session, as it came. @typedef {{method: string, params?: any, result?: any, error?: any}} Received */

/**
 * A server of MCP 2025-11-25, behind a proxy that lets pages of one origin in:
 * they may send and read the header field of the session.
 *
 * @param {string} origin
 */
export async function startEarlier(origin) {
  const { url, stop } = await startServer(process.execPath, [program, "--http"])
  /** @type {Received[]} */
  const received = []

  const proxy = createServer(async (request, response) => {
    const open = {
      "Access-Control-Allow-Origin": origin,
      "Access-Control-Allow-Methods": "GET, POST, DELETE",
      "Access-Control-Allow-Headers": "*",
      "Access-Control-Expose-Headers": "Mcp-Session-Id",
    }
    if (request.method === "OPTIONS") return response.writeHead(204, open).end()
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    received.push(body ? JSON.parse(body) : { method: request.method ?? "" })
    const { host, origin: _, ...headers } = request.headers
    const onward = ask(url, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...open }).flushHeaders()
      answer.on("error", () => response.destroy()).pipe(response)
    })
    onward.on("error", () => response.destroy())
    response.on("close", () => onward.destroy())
    onward.end(body)
  })
  await new Promise((listening) => proxy.listen(0, "127.0.0.1", () => listening(undefined)))
  const { port } = /** @type {AddressInfo} */ (proxy.address())
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    received,
    /** The messages of a method. @param {string} method */
    of: (method) => received.filter((message) => message.method === method),
    /** What was answered to questions. */
    answers: () => received.flatMap(({ method, result }) => (method === undefined && result !== undefined ? [result] : [])),
    stop() {
      stop()
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}
