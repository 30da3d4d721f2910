import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, request as send } from "node:http"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** @import { AddressInfo } from "node:net" */

/**
 * Starts tests/stories/go-server, which test.sh has built, on a free port, behind a
 * balancer that pins its clients by a cookie: `pinned` says how many requests have brought it.
 */
export async function startServer() {
  const server = spawn(fileURLToPath(new URL(".built/go-server", import.meta.url)), ["-addr", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "ignore"] })
  const ended = once(server, "exit")
  for await (const line of createInterface(server.stdout)) {
    const behind = /^listening on (\S+)/.exec(line)?.[1]
    if (!behind) continue
    const balancer = await balance(behind)
    return { ...balancer, stop: () => (balancer.stop(), server.kill("SIGKILL"), ended) }
  }
  throw new Error("the server did not start")
}

/** @param {string} behind */
async function balance(behind) {
  let pinned = 0
  const { host, pathname } = new URL(behind)
  const balancer = createServer((incoming, answer) => {
    if (incoming.headers.cookie === "node=a") pinned++
    else answer.setHeader("Set-Cookie", "node=a; Path=/; HttpOnly")
    const outgoing = send(behind, { method: incoming.method, headers: { ...incoming.headers, host } }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    outgoing.on("error", () => answer.destroy())
    answer.on("close", () => outgoing.destroy())
    incoming.pipe(outgoing)
  }).listen(0, "127.0.0.1")
  await once(balancer, "listening")
  const { port } = /** @type {AddressInfo} */ (balancer.address())
  return { url: `http://127.0.0.1:${port}${pathname}`, pinned: () => pinned, stop: () => (balancer.close(), balancer.closeAllConnections()) }
}
