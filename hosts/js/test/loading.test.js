// What loading does where the module is not: what it says, and the copy in a script.
import { once } from "node:events"
import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test from "node:test"
import { fileURLToPath, pathToFileURL } from "node:url"

import { load as loadInPage } from "../dist/browser.js"
import { compile } from "../dist/engine/compile.js"
import { load } from "../dist/node.js"
import { contains, equal, thrown } from "./assert.js"

/** @import { AddressInfo } from "node:net" */
/** @import { TestContext } from "node:test" */

const dist = new URL("../dist/", import.meta.url)
const name = "parley.wasm"
const nameInNode = "parley-fast.wasm"

/** What servers answer a request for the module with, and what is said of it. @type {Record<string, [status: number, type: string, body: string, problem: string]>} */
const answers = {
  "a page, for whatever is asked": [200, "text/html", "<!doctype html><title>App</title>", "gave an HTML page in place of a WebAssembly module"],
  "a page after blank lines": [200, "text/html", "\ufeff\n  <html>", "gave an HTML page in place of a WebAssembly module"],
  "a page as if it were the module": [200, "application/wasm", "<!doctype html>", "gave an HTML page in place of a WebAssembly module"],
  "a page that says it is an error": [404, "text/html", "<!doctype html>", "answered with HTTP status 404"],
  JSON: [200, "application/json", '{"error":"not found"}', "gave JSON in place of a WebAssembly module"],
  nothing: [200, "application/wasm", "", "gave nothing in place of a WebAssembly module"],
  text: [200, "text/plain", "not found", "gave something else in place of a WebAssembly module"],
}

for (const [what, [status, type, body, problem]] of Object.entries(answers)) {
  test(`loading from a server that answers with ${what}`, async (t) => {
    const url = await serve(t, status, type, body)
    for (const way of [load, loadInPage, compile]) {
      // As for anything that may be in a query, none of it is said.
      const source = `${url}?key=hidden`
      const { message } = await thrown(() => (way === compile ? compile(source) : way({ source })), what)
      equal(message, `parley: ${url} ${problem}: ${advice}`)
    }
    contains((await thrown(async () => compile(await fetch(url)), "a response")).message, new RegExp(`^parley: the response ${problem}: `))
  })
}

const advice = "serve the package's .wasm file there, give it as `source`, or import the engine from \"@parley-mcp/parley/inline\", which needs no file"

test("loading from where nobody answers, and from no place at all", async (t) => {
  const url = await serve(t, 200, "", "", true)
  for (const source of [url, "/parley.wasm"]) { // Node has no page for it to be of
    const error = await thrown(() => load({ source }), source)
    equal(error.message, `parley: ${source} could not be fetched: ${advice}`)
    equal(error.cause instanceof Error, true, "what fetch said")
  }
})

test("a URL that holds the data itself is not printed whole", async () => {
  const { message } = await thrown(() => load({ source: `data:text/plain,${"x".repeat(10_000)}` }), "data")
  contains(message, /^parley: data:text\/plain,x{150,200} gave something else/)
})

test("a module is compiled while it arrives, if its server says what it is", async (t) => {
  const streaming = t.mock.method(WebAssembly, "compileStreaming")
  const bytes = await readFile(new URL(name, dist))
  for (const [type, streams] of /** @type {[string, number][]} */ ([["application/wasm", 1], ["application/octet-stream", 0]])) {
    streaming.mock.resetCalls()
    equal((await compile(await serve(t, 200, type, bytes))) instanceof WebAssembly.Module, true, type)
    equal(streaming.mock.callCount(), streams, type)
  }
})

test("bytes are looked at, too, and a view of some", async () => {
  const bytes = await readFile(new URL(name, dist))
  const page = new TextEncoder().encode("....<html>")
  contains((await thrown(() => compile(page.subarray(4)), "a view")).message, /^parley: the source gave an HTML page /)
  contains((await thrown(() => compile(new ArrayBuffer(0)), "nothing")).message, /^parley: the source gave nothing /)
  equal((await compile(bytes)) instanceof WebAssembly.Module, true, "a view of the file")
})

test("where the module was left behind, a script carries it, and nothing is printed", async (t) => {
  const folder = copied(t, [nameInNode])
  t.mock.method(console, "debug", () => {})
  const engine = await (await import(folder + "node.js")).load()
  equal(engine.form('{"type":"object","properties":{}}').fields, [])
  equal(/** @type {any} */ (console.debug).mock.callCount(), 0, "lines in what may be a program's output")
})

test("in a page it is the same, and those who look for it are told why", async (t) => {
  const folder = copied(t, [name])
  const debug = t.mock.method(console, "debug", () => {})
  equal((await (await import(folder + "browser.js")).load()).live, 0)
  const [said, error] = debug.mock.calls[0]?.arguments ?? []
  contains(said, /^parley: .*@parley-mcp\/parley\/inline/)
  contains(error.message, /^parley: file:.*parley\.wasm could not be fetched/) // Node fetches no files
})

test("where the script is missing, too, what is said is of the module", async (t) => {
  const { load } = await import(copied(t, [name, "engine/embedded.js"]) + "browser.js")
  contains((await thrown(load, "loading")).message, /parley\.wasm could not be fetched: serve the package's/)
})

/** dist/ but for some files; the URL of the folder. @param {TestContext} t @param {string[]} without */
function copied(t, without) {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  t.after(() => rmSync(folder, { recursive: true }))
  cpSync(dist, folder, { recursive: true, filter: (file) => !without.some((name) => file === fileURLToPath(new URL(name, dist))) })
  copyFileSync(new URL("../package.json", dist), join(folder, "package.json")) // which says that they are modules
  return pathToFileURL(`${folder}/`).href
}

/** A server that has one answer, and where it is. @param {TestContext} t @param {number} status @param {string} type @param {string | Buffer} body @param {boolean} [gone] has it ended? */
async function serve(t, status, type, body, gone) {
  const server = createServer((_, response) => response.writeHead(status, { "Content-Type": type }).end(body)).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = /** @type {AddressInfo} */ (server.address())
  const close = async () => {
    server.close()
    server.closeAllConnections()
  }
  if (gone) await close()
  else t.after(close)
  return `http://127.0.0.1:${port}/${name}`
}
