import { Reader, ids, sections } from "./module.mjs"

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
  for (const [from, to] of ranges(map, /\S+:\(\.(?:ro)?data\.reflect\/types\./)) {
    // What is zero anyway may lie in no segment.
    for (const { start, at, length } of segments) {
      bytes.fill(0, at + clamp(from - start, length), at + clamp(to - start, length))
    }
  }
  for (const [from, to] of ranges(map, /<internal>:\(\.rodata\)$/)) {
    const segment = segments.find(({ start, length }) => start <= from && to <= start + length)
    const merged = segment && bytes.subarray(segment.at + from - segment.start, segment.at + to - segment.start)
    if (merged && Buffer.from(merged).toString("latin1").split("\0").every((text) => isName.test(text))) merged.fill(0)
  }
}

/**
 * What the linker merges are texts that end in a zero: names of fields, behind
 * flags and an offset, and paths of packages. Text of ours has no zero at its end.
 */
const isName = /^(|\x04[\x01-\x7f]\w+|\x04[\x80-\xff]+[\x01-\x7f]\w+|[\w.-]+(\/[\w.-]+)*)$/

/** From where to where the map puts what it calls so. @param {string} map @param {RegExp} what */
function* ranges(map, what) {
  for (const [, address, size] of map.matchAll(new RegExp(`^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +${what.source}`, "gm"))) {
    const from = parseInt(address, 16)
    yield [from, from + parseInt(size, 16)]
  }
}

/** @param {number} n @param {number} most */
const clamp = (n, most) => Math.min(Math.max(n, 0), most)

/** The active segments of the data section: address, place in the file, length. @param {Uint8Array} bytes */
function dataSegments(bytes) {
  const data = sections(bytes).find(({ id }) => id === ids.data)
  if (!data) return []
  const r = new Reader(data.content, 0)
  const segments = []
  for (let count = r.unsigned(); count > 0; count--) {
    const [active, constant] = r.take(2)
    const start = r.unsigned() // below 2^31, so its signed form differs at most by a sign bit that is not set
    if (active !== 0 || constant !== 0x41 || r.byte() !== 0x0b) throw new Error("a data segment is not as TinyGo writes them")
    const length = r.unsigned()
    segments.push({ start, at: data.content.byteOffset - bytes.byteOffset + r.at, length })
    r.take(length)
  }
  return segments
}
