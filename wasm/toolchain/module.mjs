// A WebAssembly module as bytes, taken apart and put together.

/** @typedef {{ id: number, content: Uint8Array }} Section */
/** @typedef {{ name: string, kind: number, index: number }} Export kind is 0 for a function */

const preamble = 8 // the magic and the version

/** The sections in order, custom ones (0) included. @param {Uint8Array} bytes @returns {Section[]} */
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
}
