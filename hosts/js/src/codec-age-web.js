import { compile } from "./compile.js"

/**
 * Compiles the codec's module with age tokens, for the option `module`, in a
 * page, a worker or a server that is not Node. By default it is fetched from
 * beside this file.
 *
 * @param {{source?: import("./compile.js").Source | Promise<import("./compile.js").Source>}} [options]
 */
export function compileAgeCodec({ source = new URL("./parley-codec-age.wasm", import.meta.url) } = {}) {
  return compile(source)
}
