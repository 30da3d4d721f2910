import assert from "node:assert/strict"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { launch } from "./browser.js"
import { call, result } from "./call.js"
import { carries } from "./carried.js"
import { run, serve } from "./program.js"

/** @import { Opened } from "./browser.js" */

const folder = fileURLToPath(new URL("next", import.meta.url))
const next = "node_modules/next/dist/bin/next"
const browser = await launch()
test.after(() => browser.close())

for (const bundler of ["turbopack", "webpack"]) {
  test(`Next.js, build by ${bundler}: page and server make a call, and the page asks for no script that carries the module`, async (t) => {
    await run(folder, [next, "build", `--${bundler}`])
    const url = await serve(t, folder, [next, "start", "--hostname", "127.0.0.1", "--port", "0"])
    await bothCall(await browser.open(url), url)
  })
}

test("Next.js, development server: page and server make a call", async (t) => {
  const url = await serve(t, folder, [next, "dev", "--hostname", "127.0.0.1", "--port", "0"])
  await bothCall(await browser.open(url), url)
})

/** @param {Opened} opened @param {string} url */
async function bothCall({ page, asked }, url) {
  const rendered = await (await fetch(url)).text()
  assert.match(rendered, /The engine is loading\./, "what the server rendered")
  await page.getByText("The engine holds 0 sessions.").waitFor()
  assert.equal(await page.evaluate(call), result)
  const modules = asked.filter(({ path }) => path.endsWith(".wasm")) // in development React does everything twice
  assert.deepEqual([...new Set(modules.map(({ type }) => type))], ["application/wasm"])
  for (const { path, type, text } of asked) if (type.includes("javascript")) assert.equal(carries(await text()), false, path)
  assert.deepEqual(await (await fetch(`${url}/api`)).json(), { type: "done", result: '{"content":[]}', live: 0 })
  await page.close()
}
