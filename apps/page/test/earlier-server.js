import { createServer, request as ask } from "node:http"
import { fileURLToPath } from "node:url"

import { startServer } from "../serve.mjs"

/** @import { AddressInfo } from "node:net" */

/** On official SDKs of their day, which know nothing of pages. @type {Record<string, string[]>} */
const programs = {
  "2025-11-25": [local("../../../hosts/js/test/servers/earlier.js"), "--http"],
  "2025-06-18": [local("release-server.js"), "2025-06-18"],
  "2025-03-26": [local("release-server.js"), "2025-03-26"],
}

/** @param {string} path */
function local(path) {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** A message or the end of a session, as it came. @typedef {{method: string, params?: any, result?: any, error?: any}} Received */

/**
 * A server of an earlier era, behind a proxy that lets pages of one origin in:
 * they may send and read the header field of the session.
 *
 * @param {string} origin
 * @param {"2025-11-25" | "2025-06-18" | "2025-03-26"} [version]
 */
export async function startEarlier(origin, version = "2025-11-25") {
  const { url, stop } = await startServer(process.execPath, programs[version] ?? [])
  /** @type {Received[]} */
  const received = []
  let said = ""

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
    // A connection of its own: one that is used again may end meanwhile, and then the browser would send again.
    const onward = ask(url, { method: request.method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...open }).flushHeaders()
      answer.on("data", (chunk) => (said += chunk))
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
    /** Which version it has agreed to. */
    version: () => /"protocolVersion":"([^"]*)"/.exec(said)?.[1],
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
