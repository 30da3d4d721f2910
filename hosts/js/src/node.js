import { readFile } from "node:fs/promises"

import { compile } from "./engine/compile.js"
import { Engine } from "./engine/index.js"
import { orCarried } from "./engine/fallback.js"

export * from "./index.js"

/**
 * Makes the engine, in Node. Without `source`, the module that is built for speed
 * is read from beside this file; where a bundler left it behind there, a script that carries the
 * module is loaded in its place. URLs may be of files.
 *
 * @param {{source?: import("./engine/compile.js").Source | Promise<import("./engine/compile.js").Source>}} [options]
 */
export async function load({ source } = {}) {
  return new Engine(await (source === undefined ? orCarried(beside) : from(await source)))
}

async function beside() {
  return from(new URL("./parley-fast.wasm", import.meta.url))
}

/** @param {import("./engine/compile.js").Source} source */
async function from(source) {
  const file = (source instanceof URL || typeof source === "string") && String(source).startsWith("file:")
  return compile(file ? await readFile(new URL(source)) : source)
}
