// Serves the page, with the policy that it runs under. Node is needed, and hosts/js.

import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { extname } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

import { bundle, folder, parley } from "./bundle.mjs"

/** `clientId` is that of the page where people sign in to it, if it was registered there. @typedef {{label: string, url: string, clientId?: string}} Server */

const usage = `Usage: node serve.mjs [--port N] [--server LABEL=URL]... [--authorization-server URL]... [--client-id LABEL=ID]...
       [--example PROGRAM]

  --port N           where to listen on 127.0.0.1; 0 takes a free port (default 8700)
  --server LABEL=URL an MCP server that the page may call; may be repeated. It has to let
                     pages of this address in (go-server: -origin http://127.0.0.1:8700)
  --authorization-server URL
                     where people sign in to those servers: the page may send requests to its
                     origin. May be repeated; it has to let pages of this address in, too
  --client-id LABEL=ID
                     what the page was registered as where people sign in to that server, with the
                     redirect URIs http://127.0.0.1:8700/ and http://127.0.0.1:8700/signed-in.html;
                     else it registers itself, which not every authorization server lets pages do
  --example PROGRAM  start a built tests/stories/go-server and let the page call it`

const here = new URL(".", import.meta.url)

/** The files that are served as they are, by their paths. @type {Record<string, URL>} */
const files = {
  "/": new URL("index.html", here),
  "/signed-in.html": new URL("signed-in.html", here),
  "/logo.svg": new URL("logo.svg", here),
  [`${folder}parley.wasm`]: new URL("parley.wasm", parley),
}

/** @type {Record<string, string>} */
const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
}

/**
 * Serves the page on 127.0.0.1. The list of servers may grow while it runs.
 *
 * So may that of the authorization servers, which are URLs.
 *
 * @param {{port?: number, servers?: Server[], authorizationServers?: string[]}} [options]
 * @returns {Promise<{origin: string, close: () => void}>}
 */
export async function serve({ port = 0, servers = [], authorizationServers = [] } = {}) {
  if (!existsSync(parley)) throw new Error(`hosts/js is not built: run  '${fileURLToPath(new URL("../../hosts/js/setup.sh", import.meta.url))}'`)
  const built = await bundle()
  let origin = ""
  const server = createServer(async (request, response) => {
    // A name that leads here for a moment (DNS rebinding) is not this server's.
    if (request.headers.host !== new URL(origin).host) return answer(421, "text/plain", "Misdirected Request")
    if (!URL.canParse(request.url ?? "/", origin)) return answer(400, "text/plain", "Bad Request")
    const { pathname } = new URL(request.url ?? "/", origin)
    if (pathname === "/servers.json") return answer(200, types[".json"], JSON.stringify(servers))
    const file = Object.hasOwn(files, pathname) ? files[pathname] : undefined
    const body = file ? await readFile(file) : built.get(pathname)
    if (!body) return answer(404, "text/plain", "Not Found")
    answer(200, types[extname(file?.pathname ?? pathname)], body)

    /** @param {number} status @param {string | undefined} type @param {string | Uint8Array} body */
    function answer(status, type, body) {
      response.writeHead(status, {
        "Content-Type": type,
        "Content-Security-Policy": policy([...servers.map(({ url }) => url), ...authorizationServers]),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-cache",
      })
      response.end(body)
    }
  })
  await new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", () => resolve(undefined))
  })
  const address = /** @type {import("node:net").AddressInfo} */ (server.address())
  origin = `http://127.0.0.1:${address.port}`
  return {
    origin,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * What the page may do: run its own modules and WebAssembly, talk to the
 * servers it was told of and to where people sign in to them, and nothing else.
 * Trusted Types with no policy at all: no text can become HTML, whoever wrote it.
 *
 * @param {string[]} urls
 */
function policy(urls) {
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${[...new Set(urls.map((url) => new URL(url).origin))].join(" ")}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ")
}

/**
 * Starts a program that prints where it listens, as tests/stories/go-server does.
 *
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<{url: string, stop: () => void}>}
 */
export async function startServer(program, args) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] })
  const stop = () => {
    process.off("exit", stop)
    child.kill()
  }
  process.once("exit", stop)
  const failed = new Promise((_, reject) => {
    child.once("error", reject)
    child.once("exit", () => reject(new Error(`${program} ended before it listened`)))
  })
  const lines = createInterface({ input: child.stdout })
  const [line] = /** @type {[string]} */ (await Promise.race([new Promise((resolve) => lines.once("line", (line) => resolve([line]))), failed]))
  failed.catch(() => {}) // later it may end as it likes
  const url = /https?:\S+/.exec(line)?.[0]
  if (!url) throw new Error(`${program} does not say where it listens, but: ${line}`)
  return { url, stop }
}

/** The page's port is another program's. */
class TakenError extends Error {
  /** @param {string} port */
  constructor(port) {
    super(`port ${port} of 127.0.0.1 is taken by another program: choose one with --port N, or have a free one chosen with --port 0`)
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "8700" },
      server: { type: "string", multiple: true, default: [] },
      "authorization-server": { type: "string", multiple: true, default: [] },
      "client-id": { type: "string", multiple: true, default: [] },
      example: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  })
  if (values.help) return console.log(usage)
  /** @type {Server[]} */
  const servers = values.server.map((one) => {
    const [, label, url] = /^([^=]*)=(https?:.*)$/.exec(one) ?? []
    if (!label || !url || !URL.canParse(url)) throw new Error(`--server ${one}: it has to be LABEL=URL, such as "Work items=http://127.0.0.1:8080/mcp"`)
    return { label, url }
  })
  for (const one of values["client-id"]) {
    const [, label, clientId] = /^([^=]*)=(.+)$/.exec(one) ?? []
    const server = servers.find((server) => server.label === label)
    if (!server) throw new Error(`--client-id ${one}: it has to be LABEL=ID, with the label of a --server`)
    server.clientId = clientId
  }
  const authorizationServers = values["authorization-server"]
  for (const one of authorizationServers) {
    if (!URL.canParse(one) || !/^https?:$/.test(new URL(one).protocol)) throw new Error(`--authorization-server ${one}: it has to be a URL, such as https://login.example.com`)
  }
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65535) throw new Error(`--port ${values.port}: it has to be a number up to 65535, and 0 takes a free port`)
  const page = await serve({ port: Number(values.port), servers, authorizationServers }).catch((error) => {
    throw error.code === "EADDRINUSE" ? new TakenError(values.port) : error
  })
  if (values.example !== undefined) {
    const { url, stop } = await startServer(fileURLToPath(new URL(values.example, `file://${process.cwd()}/`)), [
      "-addr",
      "127.0.0.1:0",
      "-origin",
      page.origin,
    ])
    servers.push({ label: "Work items", url })
    for (const signal of ["SIGINT", "SIGTERM"]) {
      process.once(signal, () => {
        stop()
        process.exit()
      })
    }
  }
  for (const { label, url } of servers) console.log(`${label} is at ${url}`)
  console.log(`open ${page.origin}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(`serve.mjs: ${error.message}${error instanceof TakenError ? "" : `\n\n${usage}`}`)
    process.exitCode = error instanceof TakenError ? 1 : 2
  })
}
