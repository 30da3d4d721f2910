import { createReadStream } from "node:fs"
import { readdir, readFile, stat } from "node:fs/promises"
import { createServer } from "node:http"
import { extname } from "node:path"
import { fileURLToPath } from "node:url"

/** @typedef {Awaited<ReturnType<typeof startSite>>} Site */

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { AddressInfo } from "node:net" */

/**
 * What a page or worker says to the runner: a test has ended, something has
 * happened, or everything is done.
 *
 * @typedef {{test: string, error?: string} | {event: string} | {done: true, replayed?: number}} Said
 */

const repository = new URL("../../../", import.meta.url)

/**
 * Serves folders to browsers, under a Content-Security-Policy with as little in
 * it as Parley needs: pages may run the site's own scripts and WebAssembly, and
 * call servers of this machine. With `?csp=none` in its URL a page or worker may
 * run no WebAssembly either.
 *
 * @param {Record<string, URL>} folders by the path they are served at
 */
export async function startSite(folders) {
  /** @type {Map<string, (said: Said) => void>} */
  const listeners = new Map()
  let lastReport = 0
  /** Requests that wait, by the query they came with. @type {Map<string, number>} */
  const hanging = new Map()

  /** @type {Record<string, (request: IncomingMessage, response: ServerResponse, url: URL) => unknown>} */
  const routes = {
    "/corpus.json": async (_, response) => response.end(JSON.stringify(await corpus())),
    "/report": async (request, response, url) => {
      let body = ""
      for await (const chunk of request.setEncoding("utf8")) body += chunk
      listeners.get(url.searchParams.get("id") ?? "")?.(JSON.parse(body))
      response.end()
    },
    // An endpoint that has moved, one that never answers, and how many wait there
    // with the same query: several places are tested at once.
    "/moved": (_, response) => response.writeHead(307, { Location: "/corpus.json" }).end(),
    "/hang": (_, response, url) => {
      const count = (/** @type {number} */ by) => hanging.set(url.search, (hanging.get(url.search) ?? 0) + by)
      count(1)
      response.on("close", () => count(-1))
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write(": open\n\n")
    },
    // An MCP server that pins its clients by a cookie, which has the name of the query, and says whether it came.
    "/pinned": async (request, response, url) => {
      response.setHeader("Access-Control-Allow-Origin", request.headers.origin ?? "*").setHeader("Access-Control-Allow-Credentials", "true")
      if (request.method === "OPTIONS") return response.writeHead(204, { "Access-Control-Allow-Headers": request.headers["access-control-request-headers"] ?? "" }).end()
      let body = ""
      for await (const chunk of request.setEncoding("utf8")) body += chunk
      const cookie = `${url.search.slice(1)}=a`
      const text = request.headers.cookie?.split("; ").includes(cookie) ? "pinned" : "new"
      response.writeHead(200, { "Content-Type": "application/json", "Set-Cookie": `${cookie}; Path=/pinned` })
      response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result: { resultType: "complete", content: [{ type: "text", text }] } }))
    },
    "/hanging": (_, response, url) => response.end(String(hanging.get(url.search) ?? 0)),
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost")
    response.setHeader("Content-Security-Policy", policy(url.searchParams.get("csp") !== "none"))
    response.setHeader("Cache-Control", "no-cache")
    try {
      const route = routes[url.pathname]
      if (route) await route(request, response, url)
      else await file(folders, url.pathname, response)
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)))
  const origin = `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}`

  return {
    origin,

    /**
     * A page's URL with what it needs to know, and a way to hear of it.
     *
     * @param {string} path @param {Record<string, string>} settings
     * @param {(said: Said) => void} listen
     */
    page(path, settings, listen) {
      const id = String(++lastReport)
      listeners.set(id, listen)
      return `${origin}${path}?${new URLSearchParams({ ...settings, report: id })}`
    },

    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** @param {boolean} wasm */
function policy(wasm) {
  return `default-src 'none'; script-src 'self'${wasm ? " 'wasm-unsafe-eval'" : ""}; worker-src 'self'; connect-src 'self' http://127.0.0.1:* ws://127.0.0.1:*`
}

/** @type {Record<string, string>} */
const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".json": "application/json", ".wasm": "application/wasm" }

/** @param {Record<string, URL>} folders @param {string} path @param {ServerResponse} response */
async function file(folders, path, response) {
  const [prefix = "", folder = repository] = Object.entries(folders).find(([prefix]) => path.startsWith(prefix)) ?? []
  const name = new URL(`./${path.slice(prefix.length)}`, folder)
  const found = prefix && name.href.startsWith(folder.href) && (await stat(name).catch(() => undefined))
  if (!found || !found.isFile()) return response.writeHead(404).end(`there is no ${path}`)
  response.writeHead(200, { "Content-Type": types[extname(path)] ?? "application/octet-stream", "Content-Length": found.size })
  createReadStream(fileURLToPath(name)).pipe(response)
}

/** The scripts of the engine and the vectors of the codec, which every host replays. */
export async function corpus() {
  const [scripts, sessions, frames, drivers, vectors] = await Promise.all([
    texts("engine/testdata/flows/"), texts("engine/testdata/sessions/"), texts("engine/testdata/frames/"), texts("hosts/testdata/drivers/"), texts("codec/testdata/vectors/"),
  ])
  return { scripts, sessions, frames, drivers, vectors }
}

/** @param {string} folder of the repository */
async function texts(folder) {
  const names = (await readdir(new URL(folder, repository))).filter((name) => name.endsWith(".txt"))
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(new URL(folder + name, repository), "utf8") })))
}
