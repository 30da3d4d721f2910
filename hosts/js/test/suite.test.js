// Runs the suites in Node. Pages and workers run the same suites.
import { readdirSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import test from "node:test"

import { load } from "../dist/node.js"
import { suite } from "./suite.js"

const wasm = () => readFile(new URL("../dist/parley.wasm", import.meta.url))

suite({
  test: (name, run) => void test(name, async () => void (await run())),
  load,
  wasm,
  module: async () => new WebAssembly.Module(await wasm()),
  flowModule: async () => new WebAssembly.Module(await readFile(new URL("../../../wasm/testdata/flow.wasm", import.meta.url))),
  scripts: texts("engine/testdata/flows"),
  sessions: texts("engine/testdata/sessions"),
  frames: texts("engine/testdata/frames"),
  drivers: texts("hosts/testdata/drivers"),
})

/** @param {string} folder of the repository */
function texts(folder) {
  const url = new URL(`../../../${folder}/`, import.meta.url)
  const names = readdirSync(url).filter((name) => name.endsWith(".txt"))
  return names.map((name) => ({ name, text: readFileSync(new URL(name, url), "utf8") }))
}
