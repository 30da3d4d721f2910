// Modules for tests: Parley's with little memory, and one that is not Parley's.

/**
 * The module with at most so many pages of memory, so that a large payload
 * traps it.
 *
 * @param {Uint8Array} wasm @param {number} pages
 */
export function limited(wasm, pages) {
  for (let at = 8; at < wasm.length; ) {
    const id = wasm[at]
    const [size, body] = leb(wasm, at + 1)
    if (id === 5) {
      const [count, flags, min] = wasm.subarray(body)
      if (count !== 1 || flags !== 0 || min === undefined || min >= 128) throw new Error("the memory section is not as expected")
      const section = [5, 5, 1, 1, min, (pages & 127) | 128, pages >> 7]
      const rest = wasm.subarray(body + size)
      const bytes = new Uint8Array(at + section.length + rest.length)
      bytes.set(wasm.subarray(0, at))
      bytes.set(section, at)
      bytes.set(rest, at + section.length)
      return new WebAssembly.Module(bytes)
    }
    at = body + size
  }
  throw new Error("the module has no memory section")
}

/** @param {Uint8Array} bytes @param {number} at @returns {[value: number, next: number]} */
function leb(bytes, at) {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0
    value |= (byte & 127) << shift
    if (byte < 128) return [value, at]
  }
}

/** A module that speaks another version of the ABI, or none. @param {number} [version] */
export function foreign(version) {
  /** @param {string} text */
  const name = (text) => [text.length, ...new TextEncoder().encode(text)]
  const exported = [...name("_initialize"), 0, 0, ...name(version === undefined ? "main" : "parley_abi_version"), 0, 1]
  return new WebAssembly.Module(
    Uint8Array.of(
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      ...[1, 8, 2, 0x60, 0, 0, 0x60, 0, 1, 0x7f], // types: () and () -> i32
      ...[3, 3, 2, 0, 1],
      ...[7, exported.length + 1, 2, ...exported],
      ...[10, 9, 2, 2, 0, 0x0b, 4, 0, 0x41, version ?? 0, 0x0b], // i32.const version
    ),
  )
}
