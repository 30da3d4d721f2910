// Runs the suites in Node. Pages and workers run the same suites.
import { readdirSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import test from "node:test"

import { load } from "../dist/node.js"
import { suite } from "./suite.js"

const flows = new URL("../../../engine/testdata/flows/", import.meta.url)
const wasm = () => readFile(new URL("../dist/parley.wasm", import.meta.url))

suite({
  test: (name, run) => void test(name, async () => void (await run())),
  load,
  wasm,
  module: async () => new WebAssembly.Module(await wasm()),
  scripts: readdirSync(flows)
    .filter((name) => name.endsWith(".txt"))
    .map((name) => ({ name, text: readFileSync(new URL(name, flows), "utf8") })),
})
