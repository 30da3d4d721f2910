import { once } from "node:events"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { extname, join, normalize } from "node:path"

/** @import { AddressInfo } from "node:net" */
/** @import { TestContext } from "node:test" */

/** As little as Parley needs. */
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'"

/** @type {Record<string, string>} */
const types = { ".js": "text/javascript; charset=utf-8", ".wasm": "application/wasm" }

/**
 * Serves a folder for the length of a test, as hosts of apps with pages of their
 * own do: whatever is not there is the page. Returns the URL.
 *
 * @param {TestContext} t @param {string} folder
 * @param {string} script of the page, in the folder @param {string} [type] module, or a classic script if absent
 */
export async function publish(t, folder, script, type = "text/javascript") {
  const page = `<!doctype html><meta charset="utf-8"><title>App</title><script defer type="${type}" src="/${script}"></script>`
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://site").pathname)
    const file = await readFile(join(folder, path)).catch(() => undefined)
    response.setHeader("Content-Security-Policy", policy)
    response.setHeader("Content-Type", file ? types[extname(path)] ?? "application/octet-stream" : "text/html; charset=utf-8")
    response.end(file ?? page)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}/`
}
