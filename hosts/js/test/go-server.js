import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const repository = fileURLToPath(new URL("../../..", import.meta.url))

/** @type {string | undefined} */
let binary

/** Builds tests/stories/go-server, once, and starts it on a free port. @param {string[]} [flags] */
export async function startGoServer(flags = []) {
  const server = spawn((binary ??= build()), ["-addr", "127.0.0.1:0", ...flags], { stdio: ["ignore", "pipe", "ignore"] })
  const ended = once(server, "exit")
  for await (const line of createInterface(server.stdout)) {
    const url = /^listening on (\S+)/.exec(line)?.[1]
    if (url) return { url, stop: () => (server.kill("SIGKILL"), ended) }
  }
  throw new Error("the server did not start")
}

function build() {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  process.once("exit", () => rmSync(folder, { recursive: true }))
  const path = join(folder, "go-server")
  execFileSync("go", ["build", "-o", path, "./tests/stories/go-server"], { cwd: repository, stdio: ["ignore", "ignore", "inherit"] })
  return path
}
