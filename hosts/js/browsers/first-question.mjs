// Prints how long it takes in Chromium from opening a page to its first question, nothing in the cache: the same minimal
// page with Parley and with the TypeScript SDK, at one server. Both come gzipped over a network where each answer takes
// 40 ms to begin. Usage: node first-question.mjs CHROMIUM SERVER, a built tests/stories/go-server.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

import { chromium } from "playwright-core"

/** @import { AddressInfo } from "node:net" */

const [executablePath = "", program = ""] = process.argv.slice(2)
const turns = 11
const latency = 40 // milliseconds
const js = new URL("..", import.meta.url)
const { build } = createRequire(new URL("package.json", js))("esbuild")

const asked = `document.body.textContent = message, globalThis.asked = performance.now(), new Promise(() => {})`

/** What each page runs, and what it names at its top. @type {Record<string, [script: string, head: string]>} */
const pages = {
  parley: [
    `import { connect, fetchTransport, load } from "@parley-mcp/parley"
    const session = connect(await load(), fetchTransport(SERVER), { clientInfo: { name: "c", version: "1" }, askers: { elicit: ({ message }) => (${asked}) } })
    await session.call({ method: "tools/call", params: { name: "get_weather", arguments: { location: "Oslo" } } })`,
    `<link rel="preload" href="parley.wasm" as="fetch" type="application/wasm" crossorigin>`,
  ],
  sdk: [
    `import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
    const client = new Client({ name: "c", version: "1" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } })
    client.setRequestHandler("elicitation/create", ({ params: { message } }) => (${asked}))
    await client.connect(new StreamableHTTPClientTransport(new URL(SERVER)))
    await client.callTool({ name: "get_weather", arguments: { location: "Oslo" } })`,
    "",
  ],
}

/** @type {Map<string, [type: string, body: Uint8Array]>} */
const files = new Map([["/parley.wasm", ["application/wasm", gzipSync(readFileSync(new URL("dist/parley.wasm", js)))]]])
const site = createServer((request, response) => {
  const [type, body] = files.get(request.url ?? "") ?? []
  if (!type) return response.writeHead(404).end()
  response.writeHead(200, { "Content-Type": type, "Content-Encoding": "gzip", "Cache-Control": "no-store" }).end(body)
}).listen(0, "127.0.0.1")
await once(site, "listening")
const origin = `http://127.0.0.1:${/** @type {AddressInfo} */ (site.address()).port}`

const server = spawn(program, ["-addr", "127.0.0.1:0", "-origin", origin], { stdio: ["ignore", "pipe", "ignore"] })
const [line] = await once(createInterface({ input: server.stdout }), "line")
const url = /https?:\S+/.exec(line)?.[0]

for (const [name, [contents, head]] of Object.entries(pages)) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(js) }, alias: { "@parley-mcp/parley": fileURLToPath(new URL("dist/browser.js", js)) },
    define: { SERVER: JSON.stringify(url) }, external: ["*/engine/embedded.js"], bundle: true, minify: true, format: "esm", target: "es2022", write: false, legalComments: "none",
  })
  files.set(`/${name}.js`, ["text/javascript", gzipSync(outputFiles[0].contents)])
  files.set(`/${name}`, ["text/html", gzipSync(`<!doctype html><link rel="icon" href="data:,">${head}<script type="module" src="${name}.js"></script><body></body>`)])
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] })
/** @type {Record<string, number[]>} */
const took = {}
/** @type {Record<string, number>} */
const requests = {}
for (let i = 0; i < turns; i++) {
  for (const name of Object.keys(pages)) {
    const context = await browser.newContext() // with a cache of its own
    const page = await context.newPage()
    const network = await context.newCDPSession(page)
    await network.send("Network.enable")
    await network.send("Network.emulateNetworkConditions", { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 })
    await page.goto(`${origin}/${name}`)
    const time = await (await page.waitForFunction("globalThis.asked")).jsonValue()
    ;(took[name] ??= []).push(Number(time))
    requests[name] = 1 + Number(await page.evaluate(`performance.getEntriesByType("resource").filter(({ name }) => name.startsWith(origin)).length`))
    await context.close()
  }
}
await browser.close()
server.kill()
site.close()

const median = (/** @type {number[]} */ values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN
const ratio = median((took.parley ?? []).map((time, i) => time / (took.sdk?.[i] ?? NaN)))
const row = (/** @type {string} */ name) => `${Math.round(median(took[name] ?? []))} ms in ${requests[name]} requests`
console.log(`a page's first question in Chromium, ${latency} ms from its server: Parley ${row("parley")}, TypeScript SDK ${row("sdk")}; ratio ${ratio.toFixed(2)}`)
