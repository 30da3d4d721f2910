import { compile } from "./engine/compile.js"

export * from "./codec/index.js"

/**
 * Compiles the codec's module, in a page, a worker or a server that is not
 * Node. By default it is fetched from beside this file.
 *
 * @param {{source?: import("./engine/compile.js").Source | Promise<import("./engine/compile.js").Source>}} [options]
 */
export function compileCodec({ source = new URL("./parley-codec.wasm", import.meta.url) } = {}) {
  return compile(source)
}
