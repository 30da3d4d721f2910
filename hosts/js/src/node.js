import { readFile } from "node:fs/promises"

import { compile } from "./compile.js"
import { Engine } from "./core.js"

export * from "./index.js"

/**
 * Makes the engine, in Node. By default the module is read from beside this
 * file; URLs may be of files.
 *
 * @param {{source?: import("./compile.js").Source | Promise<import("./compile.js").Source>}} [options]
 */
export async function load({ source = new URL("./parley-session.wasm", import.meta.url) } = {}) {
  const from = await source
  const file = (from instanceof URL || typeof from === "string") && String(from).startsWith("file:")
  return new Engine(await compile(file ? await readFile(new URL(from)) : from))
}
