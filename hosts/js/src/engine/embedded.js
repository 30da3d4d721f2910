import wasm from "./parley-inline.js"

/** The engine's module that this script carries in itself. @returns {Promise<ArrayBuffer>} */
export function carried() {
  const bytes = Uint8Array.from(atob(wasm), (c) => c.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
  return new Response(stream).arrayBuffer()
}
