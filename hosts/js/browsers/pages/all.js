// Everything Node's tests cover but what is Node's own, and then what only a
// browser has: its loaders and a real fetch.
import { load } from "../../dist/browser.js"
import { codecSuite } from "../../test/codec-suite.js"
import { suite } from "../../test/suite.js"
import { equal } from "../../test/assert.js"
import inDialogs from "./dialogs.js"
import live from "./live.js"
import loaders from "./loaders.js"
import { runTests, test } from "./tests.js"

/** @import { Engine } from "../../dist/index.js" */

const { scripts, sessions, frames, drivers, vectors } = await (await fetch("/corpus.json")).json()

/** @type {Engine[]} */
const engines = []
const env = {
  test,
  scripts,
  sessions,
  frames,
  drivers,
  load: async () => {
    const engine = await load()
    engines.push(engine)
    return engine
  },
  wasm: () => wasm("parley.wasm"),
  module: async () => WebAssembly.compile(await wasm("parley.wasm")),
  flowModule: async () => WebAssembly.compile(await wasm("testdata/flow.wasm")),
}

suite(env)
codecSuite({ test, vectors, engineWasm: () => wasm("parley.wasm"), codecWasm: () => wasm("parley-codec.wasm") })
loaders(env)
live(env)
if ("document" in globalThis) inDialogs(env)
test("no session is left in any engine", () => {
  for (const { live } of engines) equal(live, 0, "live")
})
await runTests(scripts.length)

/** @param {string} name @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function wasm(name) {
  return new Uint8Array(await (await fetch(`/wasm/${name}`)).arrayBuffer())
}
