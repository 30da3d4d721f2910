// The key of a store that is shared, from a file, where there are files.

import { createBox, readKeyFile } from "@parley-mcp/parley/codec"

/** @import { SealingBox } from "@parley-mcp/parley/store" */

/** How long what was read of the file is used, in milliseconds: keys are rotated while programs run. */
const lasts = 1000

/** Seals with what the file says. @implements {SealingBox} */
export class KeyFileBox {
  #module
  #name
  /** @type {ReturnType<typeof createBox> | undefined} */
  #box
  #read = -Infinity

  /** @param {WebAssembly.Module} module parley-codec.wasm @param {string} name */
  constructor(module, name) {
    this.#module = module
    this.#name = name
  }

  /** Reads the file, and rejects if it will not do. */
  async ready() {
    if (performance.now() - this.#read < lasts && this.#box) return this.#box
    const keys = await readKeyFile(this.#name).catch((error) => {
      throw error.code === "ENOENT" ? new Error(`there is no key file ${this.#name}: parley token new-key makes one, and all programs at a store have the same`) : error
    })
    try {
      if (this.#box) this.#box.rekey(keys)
      else this.#box = createBox({ module: this.#module, keys })
    } finally {
      keys.fill(0)
    }
    this.#read = performance.now()
    return this.#box
  }

  /** @param {Uint8Array} plaintext @param {string} context */
  async seal(plaintext, context) {
    return (await this.ready()).seal(plaintext, context)
  }

  /** @param {Uint8Array} sealed @param {string} context */
  async open(sealed, context) {
    return (await this.ready()).open(sealed, context)
  }

  /** @param {Uint8Array} plaintext @param {string} context */
  async tags(plaintext, context) {
    return (await this.ready()).tags(plaintext, context)
  }

  close() {
    this.#box?.close()
    this.#box = undefined
    this.#read = -Infinity
  }
}
