// What is kept of a call holds a secret and the person's answers, so it is
// sealed under a key that VS Code keeps where the system keeps secrets.

import { Context, createBox } from "@parley-mcp/parley/codec"

export class Vault {
  #box

  /** @param {WebAssembly.Module} module parley-codec.wasm @param {string} keys a key file */
  constructor(module, keys) {
    this.#box = createBox({ module, keys })
  }

  /** Seals text for one call: under another's id it does not open. @param {string} id @param {string} text @returns {string} */
  seal(id, text) {
    return base64(this.#box.seal(new TextEncoder().encode(text), Context.snapshot + id))
  }

  /** Undoes {@link seal}. Throws if it was sealed with another key or for another call. @param {string} id @param {string} sealed */
  open(id, sealed) {
    return new TextDecoder().decode(this.#box.open(bytes(sealed), Context.snapshot + id))
  }

  close() {
    this.#box.close()
  }
}

/** @param {Uint8Array} data */
function base64(data) {
  return btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""))
}

/** @param {string} text */
function bytes(text) {
  return Uint8Array.from(atob(text), (c) => c.charCodeAt(0))
}
