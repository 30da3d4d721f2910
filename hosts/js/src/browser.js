import { compile } from "./compile.js"
import { Engine } from "./core.js"

export * from "./index.js"

/**
 * Makes the engine, in a page or in a module worker. By default the module is
 * fetched from beside this file; a bundler that does not know the pattern
 * `new URL("./parley-session.wasm", import.meta.url)` needs `source`, or the entry
 * `@parley-mcp/parley/inline`.
 *
 * @param {{source?: import("./compile.js").Source | Promise<import("./compile.js").Source>}} [options]
 */
export async function load({ source = new URL("./parley-session.wasm", import.meta.url) } = {}) {
  return new Engine(await compile(source))
}
