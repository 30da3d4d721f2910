// The plug-in in Node, for tests that are written in another language: they ask
// for calls, one at a time, and answer the callbacks, a line of JSON each way.
//
//   ← {"export":"call","input":BASE64}
//   → {"callback":"post","text":BASE64}
//   ← {"answer":BASE64}
//   → {"output":BASE64} or {"error":TEXT}
//
// Usage: node plugin.js MODULE CONFIG    with the plug-in's config as JSON
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"

import createPlugin from "@extism/extism"

const [module, config] = process.argv.slice(2)
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()

async function heard() {
  const { done, value } = await lines.next()
  return done ? process.exit(0) : JSON.parse(value)
}

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)
const base64 = (bytes) => Buffer.from(bytes).toString("base64")

const callback = (name) => async (context, text) => {
  say({ callback: name, text: base64(context.read(text).bytes()) })
  return context.store(Buffer.from((await heard()).answer, "base64"))
}

const names = ["post", "receive", "elicit", "sample", "list_roots"]
const plugin = await createPlugin({ wasm: [{ data: readFileSync(module) }] }, {
  config: JSON.parse(config),
  functions: { "extism:host/user": Object.fromEntries(names.map((name) => [name, callback(name)])) },
  runInWorker: typeof WebAssembly.Suspending !== "function", // a Node that cannot wait in WebAssembly
})

for (;;) {
  const { export: name, input } = await heard()
  try {
    const output = await plugin.call(name, Buffer.from(input, "base64"))
    say({ output: base64(output?.bytes() ?? []) })
  } catch (error) {
    say({ error: error.message })
  }
}
