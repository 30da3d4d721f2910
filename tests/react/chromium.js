import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:http"

import { chromium } from "playwright-core"

/** @import { AddressInfo } from "node:net" */
/** @import { Page } from "playwright-core" */

/** How long a browser or a page may take, in milliseconds. Nobody waits for it on a good day. */
const patience = 180_000

/** Chromium, as Debian builds it. */
export async function launch() {
  const executablePath = execFileSync("sh", ["-c", "command -v chromium"], { encoding: "utf8" }).trim()
  return chromium.launch({ executablePath, args: ["--no-sandbox"], timeout: patience }) // for root in a container
}

/** Serves scripts by their paths, and a page that runs the one in its query. @param {Record<string, string>} scripts */
export async function serve(scripts) {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    const script = scripts[pathname]
    response.setHeader("Content-Type", script ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8")
    response.end(script ?? `<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><main><h1>Host</h1><div id="root"></div></main><script type="module" src="${searchParams.get("script")}"></script></html>`)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const { port } = /** @type {AddressInfo} */ (server.address())
  return { origin: `http://127.0.0.1:${port}`, close: () => (server.closeAllConnections(), server.close()) }
}

/** What a page says that is not well: errors that were thrown, and what React warns of. @param {Page} page */
export function complaints(page) {
  /** @type {string[]} */
  const said = []
  page.setDefaultTimeout(patience)
  page.on("pageerror", (error) => said.push(String(error)))
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) said.push(message.text())
  })
  return said
}
