import { carried } from "./engine/embedded.js"
import { compile } from "./engine/compile.js"
import { Engine } from "./engine/index.js"

export * from "./index.js"

/**
 * Makes the engine from the module that this entry carries in itself, for
 * bundlers that copy no .wasm and for hosts that fetch nothing.
 */
export async function load() {
  return new Engine(await compile(carried()))
}
