// Prints what a minimal browser client weighs as esbuild bundles it, module included, in bytes.
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { brotliCompressSync, gzipSync } from "node:zlib"

import { build } from "esbuild"

const here = fileURLToPath(new URL(".", import.meta.url))

/** The same minimal browser client: connect, call a tool, answer its form. */
const clients = {
  session: `
    import { connect, fetchTransport, load } from "../dist/browser.js"
    export async function weather(url, elicit) {
      const session = connect(await load({ source: new URL("/parley.wasm", location.href) }), fetchTransport(url), { clientInfo: { name: "c", version: "1" }, askers: { elicit } })
      return session.call({ method: "tools/call", params: { name: "get_weather", arguments: {} } })
    }`,
  "session, inline": `
    import { connect, fetchTransport, load } from "../dist/inline.js"
    export async function weather(url, elicit) {
      const session = connect(await load(), fetchTransport(url), { clientInfo: { name: "c", version: "1" }, askers: { elicit } })
      return session.call({ method: "tools/call", params: { name: "get_weather", arguments: {} } })
    }`,
  sdk: `
    import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
    export async function weather(url, elicit) {
      const client = new Client({ name: "c", version: "1" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } })
      client.setRequestHandler("elicitation/create", elicit)
      await client.connect(new StreamableHTTPClientTransport(new URL(url)))
      return client.callTool({ name: "get_weather", arguments: {} })
    }`,
}

const compressed = {
  minified: (/** @type {Uint8Array} */ file) => file.length,
  gzip: (/** @type {Uint8Array} */ file) => gzipSync(file, { level: 9 }).length,
  brotli: (/** @type {Uint8Array} */ file) => brotliCompressSync(file).length,
}

const bundles = []
for (const [client, contents] of Object.entries(clients)) {
  const external = client === "session" ? ["*/engine/embedded.js"] : [] // a page that finds the module never loads it
  const { outputFiles } = await build({ external, stdin: { contents, resolveDir: here }, bundle: true, minify: true, format: "esm", platform: "browser", target: "es2022", write: false, legalComments: "none" })
  const files = outputFiles.map(({ contents }) => contents)
  if (client === "session") files.push(readFileSync(new URL("../dist/parley.wasm", import.meta.url))) // a file of its own
  const sizes = Object.entries(compressed).map(([how, size]) => [how, files.reduce((total, file) => total + size(file), 0)])
  bundles.push({ client, sizes: Object.fromEntries(sizes) })
}
console.log(JSON.stringify(bundles))
