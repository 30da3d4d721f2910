import { compileCodec } from "./codec-node.js"

/**
 * Compiles the codec's module with age tokens, for the option `module`, in Node.
 * By default it is read from beside this file; URLs may be of files.
 *
 * @param {{source?: import("./compile.js").Source | Promise<import("./compile.js").Source>}} [options]
 */
export function compileAgeCodec({ source = new URL("./parley-codec-age.wasm", import.meta.url) } = {}) {
  return compileCodec({ source })
}
