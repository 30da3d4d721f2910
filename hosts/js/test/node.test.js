// What only Node has: its loader, and a look at the sources.
import { readdirSync, readFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import test from "node:test"
import { createContext, runInContext } from "node:vm"

import { compile } from "../dist/engine/compile.js"
import { load as loadInline } from "../dist/inline.js"
import { load } from "../dist/node.js"
import { contains, equal, ok, thrown } from "./assert.js"

const url = new URL("../dist/parley.wasm", import.meta.url)

test("the engine is loaded from the package, from a file, from itself", async () => {
  for (const engine of [await load(), await load({ source: url }), await load({ source: url.href }), await load({ source: readFile(url) }), await loadInline()]) {
    equal(engine.form('{"type":"object","properties":{}}').fields, [])
  }
})

test("where WebAssembly is forbidden, the error names the directive", async () => {
  const strict = createContext({}, { codeGeneration: { strings: true, wasm: false } })
  const own = WebAssembly.compile
  WebAssembly.compile = runInContext("WebAssembly.compile", strict)
  try {
    const error = await thrown(async () => compile(await readFile(url)), "compiling")
    contains(error.message, "'wasm-unsafe-eval' to its script-src")
    ok(error.cause, "what the platform said")
  } finally {
    WebAssembly.compile = own
  }
})

test("where there is no WebAssembly, the error says what to do", async () => {
  const own = globalThis.WebAssembly
  Reflect.deleteProperty(globalThis, "WebAssembly")
  try {
    const error = await thrown(async () => compile(await readFile(url)), "compiling")
    contains(error.message, "there is no WebAssembly here")
    contains(error.message, "@parley-mcp/parley/remote")
  } finally {
    globalThis.WebAssembly = own
  }
})

test("the core touches no platform, and only the Node entries import of Node", () => {
  const source = new URL("../src/", import.meta.url)
  const text = (/** @type {string} */ name) => readFileSync(new URL(name, source), "utf8")
  const platform = /\b(fetch|setTimeout|performance|Date|crypto|process|window|document|self|navigator|globalThis|indexedDB)\b(?!.*\*\/)/
  for (const name of ["engine/index.js", "engine/call.js", "engine/session.js", "engine/instance.js", "engine/errors.js", "calls/askers.js"]) {
    for (const line of text(name).split("\n")) ok(/^\s*(\*|\/[/*])/.test(line) || !platform.test(line), `${name}: ${line}`)
  }
  const scripts = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".js"))
  for (const name of scripts) ok(name.endsWith("node.js") || !/from "node:/.test(text(name)), name)
})
