import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** Starts tests/stories/go-server, which test.sh has built, on a free port. */
export async function startServer() {
  const server = spawn(fileURLToPath(new URL(".built/go-server", import.meta.url)), ["-addr", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "ignore"] })
  const ended = once(server, "exit")
  for await (const line of createInterface(server.stdout)) {
    const url = /^listening on (\S+)/.exec(line)?.[1]
    if (url) return { url, stop: () => (server.kill("SIGKILL"), ended) }
  }
  throw new Error("the server did not start")
}
