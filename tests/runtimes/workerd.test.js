// A call in workerd, Cloudflare's runtime, with the module precompiled.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, writeFileSync } from "node:fs"
import { createInterface } from "node:readline"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { build } from "esbuild"

import { contains, equal, ok } from "../../hosts/js/test/assert.js"
import { startServer } from "./server.js"

const project = fileURLToPath(new URL(".built/project/", import.meta.url))
const workerd = fileURLToPath(new URL("node_modules/@cloudflare/workerd-linux-64/bin/workerd", import.meta.url))

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "parley.wasm", wasm = embed "parley.wasm")],
      compatibilityDate = "2026-11-01",
    )),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`

const skip = !existsSync(workerd) && !process.env.CI && "it is installed on Linux x64 alone"

test("workerd", { skip }, async (t) => {
  const server = await startServer()
  t.after(server.stop)
  copyFileSync(new URL("worker.js", import.meta.url), `${project}entry.js`)
  await build({ absWorkingDir: project, entryPoints: ["entry.js"], outfile: "worker.js", bundle: true, format: "esm", conditions: ["workerd", "worker", "browser"], external: ["parley.wasm"], logLevel: "warning" })
  copyFileSync(`${project}node_modules/@parley-mcp/parley/dist/parley.wasm`, `${project}parley.wasm`)
  writeFileSync(`${project}config.capnp`, config)
  const running = spawn(workerd, ["serve", "config.capnp", "--control-fd=3"], { cwd: project, stdio: ["ignore", "inherit", "inherit", "pipe"] })
  const ended = once(running, "exit")
  t.after(() => (running.kill("SIGKILL"), ended))
  const port = await listening(/** @type {import("node:stream").Readable} */ (running.stdio[3]))
  for (const [units, want] of [["metric", "18 °C"], ["imperial", "°F"]]) {
    const answer = await fetch(`http://127.0.0.1:${port}/?${new URLSearchParams({ server: server.url, units: units ?? "" })}`)
    const text = await answer.text()
    equal(answer.status, 200, text)
    contains(text, want ?? "")
  }
  ok(server.pinned() > 0, "no cookie came back")
})

/** The port that workerd listens on. @param {import("node:stream").Readable} control */
async function listening(control) {
  for await (const line of createInterface(control)) {
    const { event, port } = JSON.parse(line)
    if (event === "listen") return /** @type {number} */ (port)
  }
  throw new Error("workerd did not listen")
}
