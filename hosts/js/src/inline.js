import { compile } from "./compile.js"
import { Engine } from "./core.js"
import wasm from "./parley-inline.js"

export * from "./index.js"

/**
 * Makes the engine from the module that this entry carries in itself, for
 * bundlers that copy no .wasm and for hosts that fetch nothing.
 */
export async function load() {
  const bytes = Uint8Array.from(atob(wasm), (c) => c.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
  return new Engine(await compile(await new Response(stream).arrayBuffer()))
}
