import { carried } from "./carried.js"
import { compile } from "./compile.js"
import { Engine } from "./core.js"

export * from "./index.js"

/**
 * Makes the engine from the module that this entry carries in itself, for
 * bundlers that copy no .wasm and for hosts that fetch nothing.
 */
export async function load() {
  return new Engine(await compile(carried()))
}
