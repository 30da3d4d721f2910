import assert from "node:assert/strict"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { launch } from "./browser.js"
import { call, result } from "./call.js"
import { carries } from "./carried.js"
import { run } from "./program.js"
import { publish } from "./site.js"

const folder = fileURLToPath(new URL("webpack", import.meta.url))
const browser = await launch()
test.after(() => browser.close())

for (const mode of ["production", "development"]) {
  test(`webpack, ${mode}: page and worker make a call, and ask for no script that carries the module`, async (t) => {
    const out = `${folder}/dist/${mode}`
    // Without a word about source maps, what it makes for development calls eval, which the page's policy forbids.
    await run(folder, ["node_modules/webpack-cli/bin/cli.js", "--mode", mode, "--output-path", out, "--devtool", "source-map"])
    const { page, asked, printed } = await browser.open(await publish(t, out, "main.js"))
    assert.equal(await page.evaluate(call), result)
    await page.evaluate(() => /** @type {any} */ (globalThis).worker)
    assert.equal(await page.workers()[0]?.evaluate(call), result, "in a worker")
    assert.deepEqual(asked.filter(({ path }) => path.endsWith(".wasm")).map(({ type }) => type), ["application/wasm", "application/wasm"])
    for (const { path, type, text } of asked) if (type.startsWith("text/javascript")) assert.equal(carries(await text()), false, path)
    assert.deepEqual(printed, [], "what page and policy complain of")
    await page.close()
  })
}
