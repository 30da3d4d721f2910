import assert from "node:assert/strict"
import { rm } from "node:fs/promises"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { launch } from "./browser.js"
import { call, result } from "./call.js"
import { carriers, carries } from "./carried.js"
import { run } from "./program.js"
import { publish } from "./site.js"

const folder = fileURLToPath(new URL("esbuild", import.meta.url))
const browser = await launch()
test.after(() => browser.close())

/**
 * What is built: from which script, how, what is asked for in the module's
 * place and what comes, and whether the page's first script carries the module.
 *
 * @typedef {{entry: string, flags: string[], modules: string[], first: boolean}} Build
 */

/** @type {Record<string, Build>} */
const builds = {
  "a classic script": { entry: "main.js", flags: [], modules: [], first: true }, // which knows no URL of its own
  "a module": { entry: "main.js", flags: ["--format=esm"], modules: ["text/html; charset=utf-8"], first: true },
  "a module, split": { entry: "main.js", flags: ["--format=esm", "--splitting"], modules: ["text/html; charset=utf-8"], first: false },
  "the inline entry": { entry: "inline.js", flags: [], modules: [], first: true },
  "the core, with a module that it copies": { entry: "copied.js", flags: ["--loader:.wasm=file", "--public-path=/"], modules: ["application/wasm"], first: false },
}

for (const [name, { entry, flags, modules, first }] of Object.entries(builds)) {
  test(`esbuild, ${name}: the page makes a call`, async (t) => {
    const out = `${folder}/dist/${name.replaceAll(/\W+/g, "-")}`
    await rm(out, { recursive: true, force: true }) // it leaves there what it made before
    await build(entry, [...flags, `--outdir=${out}`])
    const { page, asked, printed } = await browser.open(await publish(t, out, entry, flags.includes("--format=esm") ? "module" : undefined))
    assert.equal(await page.evaluate(call), result)
    assert.deepEqual(asked.filter(({ path }) => path.endsWith(".wasm")).map(({ type }) => type), modules)
    const script = asked.find(({ path }) => path === `/${entry}`)
    assert.equal(carries((await script?.text()) ?? ""), first, "whether the first script carries the module")
    assert.equal(carriers(out).length, modules[0] === "application/wasm" ? 0 : 1, "scripts that carry the module")
    assert.deepEqual(printed.filter((line) => !line.startsWith("debug: parley: ")), [], "what page and policy complain of")
    await page.close()
  })
}

for (const [format, extension] of [["cjs", "cjs"], ["esm", "mjs"]]) {
  test(`esbuild, a program for Node as ${format}: it makes a call, and prints nothing else`, async () => {
    const program = `dist/server.${extension}`
    await build("server.js", ["--platform=node", `--format=${format}`, `--outfile=${program}`])
    assert.equal(await run(folder, [program]), result)
  })
}

/** @param {string} entry @param {string[]} flags */
function build(entry, flags) {
  return run(folder, ["node_modules/esbuild/bin/esbuild", entry, "--bundle", "--minify", "--log-level=warning", ...flags])
}
