/** parley.wasm, gzipped, as base64. The build makes it. */
declare const wasm: string
export default wasm
