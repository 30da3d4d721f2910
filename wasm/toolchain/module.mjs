// A WebAssembly module as bytes, taken apart and put together.

/** @typedef {{ id: number, content: Uint8Array }} Section */
/** @typedef {{ name: string, kind: number, index: number }} Export kind is 0 for a function */

/** What a section is of. */
export const ids = { custom: 0, types: 1, functions: 3, exports: 7, start: 8, code: 10, data: 11 }

const preamble = 8 // the magic and the version

/** The sections in order, custom ones included. @param {Uint8Array} bytes @returns {Section[]} */
export function sections(bytes) {
  const list = []
  for (const r = new Reader(bytes, preamble); r.at < bytes.length;) {
    list.push({ id: r.byte(), content: r.take(r.unsigned()) })
  }
  return list
}

/** The module of these sections. @param {Section[]} list */
export function join(list) {
  const header = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0)
  return Buffer.concat([header, ...list.flatMap(({ id, content }) => [Uint8Array.of(id), unsigned(content.length), content])])
}

/** What an export section says. @param {Uint8Array} content @returns {Export[]} */
export function readExports(content) {
  const r = new Reader(content, 0)
  return Array.from({ length: r.unsigned() }, () =>
    ({ name: Buffer.from(r.take(r.unsigned())).toString(), kind: r.byte(), index: r.unsigned() }))
}

/** An export section. @param {Export[]} list */
export function writeExports(list) {
  return Buffer.concat([unsigned(list.length), ...list.flatMap(({ name, kind, index }) =>
    [unsigned(name.length), Buffer.from(name), Uint8Array.of(kind), unsigned(index)])])
}

/** A number in LEB128. @param {number} n */
export function unsigned(n) {
  const bytes = []
  for (; n > 0x7f; n = Math.floor(n / 0x80)) bytes.push((n & 0x7f) | 0x80)
  return Uint8Array.of(...bytes, n)
}

/** Reads bytes from a place on. */
export class Reader {
  /** @param {Uint8Array} bytes @param {number} at */
  constructor(bytes, at) {
    this.bytes = bytes
    this.at = at
  }

  byte() {
    if (this.at >= this.bytes.length) throw new Error("the module is cut off")
    return this.bytes[this.at++]
  }

  /** A number in LEB128. */
  unsigned() {
    let n = 0
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte()
      n += (byte & 0x7f) * scale
      if (byte < 0x80) return n
    }
  }

  /** The next bytes. @param {number} length */
  take(length) {
    if (length > this.bytes.length - this.at) throw new Error("the module is cut off")
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  /** Skips an instruction and says which it is, and of which local: -1 of none. */
  instruction() {
    const op = this.byte()
    const kind = op === 0xfc ? extended[this.unsigned()] : kinds[op]
    if (kind === undefined) throw new Error(`no instruction ${op.toString(16)} was expected`)
    const local = kind === "local" ? this.unsigned() : -1
    if (kind === "list") for (let n = this.unsigned(); n >= 0; n--) this.unsigned()
    else if (kind === "double") this.take(8)
    else if (kind !== "local") for (let n = Number(kind); n > 0; n--) this.unsigned()
    return { op, local }
  }
}

/**
 * What follows an instruction: so many numbers, a local, a list of labels, or eight
 * bytes. Those that LLVM makes no use of here are left out.
 *
 * @type {(number | "local" | "list" | "double")[]}
 */
const kinds = []
/** @param {number} from @param {number} to @param {number | "local" | "list" | "double"} kind */
const fill = (from, to, kind) => { for (let op = from; op <= to; op++) kinds[op] = kind }
fill(0x00, 0x01, 0) // unreachable, nop
fill(0x02, 0x04, 1) // block, loop, if
fill(0x05, 0x05, 0) // else
fill(0x0b, 0x0b, 0) // end
fill(0x0c, 0x0d, 1) // br, br_if
fill(0x0e, 0x0e, "list") // br_table
fill(0x0f, 0x0f, 0) // return
fill(0x10, 0x10, 1) // call
fill(0x11, 0x11, 2) // call_indirect
fill(0x1a, 0x1b, 0) // drop, select
fill(0x20, 0x22, "local")
fill(0x23, 0x24, 1) // globals
fill(0x28, 0x3e, 2) // loads and stores
fill(0x3f, 0x42, 1) // memory.size, memory.grow, whole constants
fill(0x44, 0x44, "double") // f64.const
fill(0x45, 0xc4, 0) // arithmetic

/** After 0xfc: conversions of floats, then memory.copy and memory.fill. @type {(number | undefined)[]} */
const extended = [0, 0, 0, 0, 0, 0, 0, 0, undefined, undefined, 2, 1]
