import { readFile } from "node:fs/promises"

import { compileCodec, createBox, newKey } from "@parley-mcp/parley/codec"

/** @import { SealingBox } from "@parley-mcp/parley/store" */

const module = await compileCodec()

/** The keys of each box that was made here. @type {WeakMap<object, string>} */
const keysOf = new WeakMap()

export function newBox() {
  const keys = new TextDecoder().decode(newKey())
  const box = createBox({ module, keys })
  keysOf.set(box, keys)
  return box
}

/** Has a box seal with another key. @param {SealingBox} box */
export function rotate(box) {
  /** @type {ReturnType<typeof newBox>} */ (box).rekey(`# rotated\n${new TextDecoder().decode(newKey())}${keysOf.get(box)}`)
}

/** @param {string} name of a key file */
export async function boxOf(name) {
  return createBox({ module, keys: await readFile(name) })
}
