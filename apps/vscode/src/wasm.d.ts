/** The module's bytes: build.mjs puts them into the bundle. */
declare module "@parley-mcp/parley/parley-codec.wasm" {
  const bytes: Uint8Array<ArrayBuffer>
  export default bytes
}
