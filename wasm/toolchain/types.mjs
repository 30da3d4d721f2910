/**
 * Blanks what TinyGo describes types by (their names, their fields and those
 * fields' names), in place. It is for reflection. A type switch only compares
 * the addresses of these descriptions, and so does everything in our modules.
 * Where a linked function does read them, nothing is blanked.
 *
 * @param {Uint8Array} bytes the module as TinyGo built it
 * @param {string} map what wasm-ld says of where it put things
 */
export function blankTypes(bytes, map) {
  if (/\(\S*(reflect|runtime\.(interfaceEqual|hashmapInterface))[^)]*\)$/m.test(map.replace(/^.*\(\.(ro)?data\..*$/gm, ""))) return
  const segments = dataSegments(bytes)
  for (const [, address, size] of map.matchAll(/^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +\S+:\(\.(?:ro)?data\.reflect\/types\./gm)) {
    const from = parseInt(address, 16)
    const to = from + parseInt(size, 16)
    // What is zero anyway may lie in no segment.
    for (const { start, at, length } of segments) {
      bytes.fill(0, at + clamp(from - start, length), at + clamp(to - start, length))
    }
  }
}

/** @param {number} n @param {number} most */
const clamp = (n, most) => Math.min(Math.max(n, 0), most)

/** The active segments of the data section: address, place in the file, length. @param {Uint8Array} bytes */
function dataSegments(bytes) {
  let p = 8 // after the magic and the version
  const unsigned = () => {
    let n = 0
    for (let shift = 0; ; shift += 7) {
      n += (bytes[p] & 0x7f) * 2 ** shift
      if (bytes[p++] < 0x80) return n
    }
  }
  const byte = (/** @type {number} */ want) => {
    if (bytes[p++] !== want) throw new Error("a data segment is not as TinyGo writes them")
  }
  const segments = []
  while (p < bytes.length) {
    const id = bytes[p++]
    const end = unsigned() + p
    if (id === 11) {
      for (let count = unsigned(); count > 0; count--) {
        byte(0) // active, memory 0
        byte(0x41) // i32.const
        const start = unsigned() // below 2^31, so its signed form differs at most by a sign bit that is not set
        byte(0x0b) // end
        const length = unsigned()
        segments.push({ start, at: p, length })
        p += length
      }
    }
    p = end
  }
  return segments
}
