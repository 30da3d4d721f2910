import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

import { patiently } from "./patience.js"

const program = fileURLToPath(new URL("../../../tests/stories/js-server/main.js", import.meta.url))

/** The server on the TypeScript SDK, for pages of an origin. @param {string} origin @param {string} [port] which may be in use for a moment */
export function startJsServer(origin, port = "0") {
  return patiently(() => start(origin, port))
}

/** @param {string} origin @param {string} port */
async function start(origin, port) {
  const server = spawn(process.execPath, [program, "--port", port, "--origin", origin], { stdio: ["ignore", "pipe", "pipe"] })
  const ended = once(server, "exit")
  const kill = () => void server.kill()
  process.once("exit", kill)
  let log = ""
  server.stderr.setEncoding("utf8").on("data", (text) => (log += text))
  for await (const line of createInterface(server.stdout)) {
    const url = /^listening on (\S+)/.exec(line)?.[1]
    if (!url) continue
    const stop = async () => {
      process.off("exit", kill)
      kill()
      await ended
    }
    return { url, log: () => log, stop }
  }
  throw new Error(`the server on the TypeScript SDK does not start: ${log}`)
}
