import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

import { fetchTransport } from "../../dist/node.js"
import { stdioTransport } from "../../dist/transport/stdio-node.js"

/**
 * A way to one of the servers of this folder, and when that ended, over HTTP.
 *
 * @param {"modern" | "earlier"} era @param {"http" | "stdio"} kind
 */
export async function reach(era, kind) {
  const path = fileURLToPath(new URL(`${era}.js`, import.meta.url))
  if (kind === "stdio") {
    const transport = () => stdioTransport({ command: process.execPath, args: [path], stderr: "inherit" })
    return { transport, stop: () => {}, ended: Promise.resolve() }
  }
  const server = spawn(process.execPath, [path, "--http"], { stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise((resolve) => server.once("exit", () => resolve(undefined)))
  for await (const line of createInterface(server.stdout)) {
    const url = /^listening on (\S+)/.exec(line)?.[1]
    if (url) return { transport: () => fetchTransport(url), stop: () => void server.kill("SIGKILL"), ended }
  }
  throw new Error("the server did not start")
}
