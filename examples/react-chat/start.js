// Starts js-server, and serves the chat, which reaches it at /mcp. Usage: node start.js [PORT]
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

import { createServer } from "vite"

const mcp = spawn(process.execPath, [fileURLToPath(new URL("../js-server/server.js", import.meta.url)), "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] })
process.once("exit", () => mcp.kill())
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit())

const root = fileURLToPath(new URL(".", import.meta.url))
for await (const line of createInterface(mcp.stdout)) {
  const target = /^listening on (\S+)\/mcp$/.exec(line)?.[1]
  if (!target) continue
  const site = await createServer({
    root,
    configFile: false,
    resolve: { dedupe: ["react"] }, // the package is linked here, and has none of its own
    server: { port: Number(process.argv[2] ?? 5173), proxy: { "/mcp": target }, fs: { allow: ["../.."] } },
    logLevel: "warn",
  })
  await site.listen()
  console.log(`the chat is at ${site.resolvedUrls?.local[0]}`)
}
