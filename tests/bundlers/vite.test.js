import assert from "node:assert/strict"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { launch } from "./browser.js"
import { call, result } from "./call.js"
import { carriers } from "./carried.js"
import { run, serve } from "./program.js"

/** @import { Opened } from "./browser.js" */

const folder = fileURLToPath(new URL("vite", import.meta.url))
const browser = await launch()
test.after(() => browser.close())

/** Each version, and what its development server answers a request for the module with. @type {[name: string, version: number, answer: string][]} */
const versions = [["vite", 7, "200 text/html"], ["vite-8", 8, "200 application/wasm"]]

for (const [name, version, answer] of versions) {
  const vite = `node_modules/${name}/bin/vite.js`

  test(`Vite ${version}, development server: page and worker make a call`, async (t) => {
    const opened = await browser.open(await serve(t, folder, [vite, "--force", "--host", "127.0.0.1", "--port", "0"]))
    await bothCall(opened)
    const { asked, printed, page } = opened
    assert.deepEqual(modules(opened), [answer, answer])
    // Where it answers with a page, the script that carries the module was needed, and those who look for it are told.
    const needed = answer.endsWith("html")
    assert.equal(asked.some(({ path }) => path.includes("/embedded-")), needed)
    assert.equal(/^debug: parley: .*@parley-mcp\/parley\/inline/m.test(printed.join("\n")), needed)
    await page.close()
  })

  test(`Vite ${version}, development server: where a source is a page, that is said`, async (t) => {
    const url = await serve(t, folder, [vite, "--host", "127.0.0.1", "--port", "0"])
    const { page } = await browser.open(url)
    const message = await page.evaluate(() => /** @type {any} */ (globalThis).load({ source: "/parley.wasm" }).catch((/** @type {Error} */ error) => error.message))
    assert.match(message, new RegExp(`^parley: ${url}/parley\\.wasm gave an HTML page in place of a WebAssembly module: serve the package's .wasm file there, `))
    await page.close()
  })

  test(`Vite ${version}, build: page and worker make a call, and no script carries the module`, async (t) => {
    const out = `dist/${name}`
    await run(folder, [vite, "build", "--outDir", out, "--logLevel", "warn"])
    const opened = await browser.open(await serve(t, folder, [vite, "preview", "--outDir", out, "--host", "127.0.0.1", "--port", "0"]))
    await bothCall(opened)
    assert.deepEqual(modules(opened), ["200 application/wasm", "200 application/wasm"])
    assert.deepEqual(carriers(`${folder}/${out}`), [])
    await opened.page.close()
  })
}

/** @param {Opened} opened */
async function bothCall({ page }) {
  assert.equal(await page.evaluate(call), result)
  await page.evaluate(() => /** @type {any} */ (globalThis).worker)
  assert.equal(await page.workers()[0]?.evaluate(call), result, "in a worker")
}

/** What the requests for the module, of page and worker, were answered with. @param {Opened} opened */
function modules({ asked }) {
  return asked.filter(({ path }) => path.endsWith(".wasm")).map(({ status, type }) => `${status} ${type}`)
}
