import { compile } from "./engine/compile.js"
import { Engine } from "./engine/index.js"
import { orCarried } from "./engine/fallback.js"

export * from "./index.js"

/**
 * Makes the engine, in a page or in a worker. Without `source`, the module is
 * fetched from beside this file; where a bundler left it behind there, a script
 * that carries the module is loaded in its place.
 *
 * @param {{source?: import("./engine/compile.js").Source | Promise<import("./engine/compile.js").Source>}} [options]
 */
export async function load({ source } = {}) {
  return new Engine(await (source === undefined ? shipped() : compile(source)))
}

function shipped() {
  // A build by Vite never leaves the module behind, but stops at a worker that
  // could load another script.
  // @ts-expect-error: only bundlers have it
  if (import.meta.env?.PROD) return beside()
  return orCarried(beside, (error) => console.debug(hint, error))
}

async function beside() {
  return compile(new URL("./parley.wasm", import.meta.url))
}

// Nothing is broken, so only those who look for it are told.
const hint = "parley: the engine's module was not where it was looked for, so it came with a script. Import @parley-mcp/parley/inline to spare the look."
