// The key of this computer's VS Code, which seals what it keeps by itself.

import { Context, createBox } from "@parley-mcp/parley/codec"

import { bytes } from "./base64.js"

export class Vault {
  /** @param {WebAssembly.Module} module parley-codec.wasm @param {string} keys a key file */
  constructor(module, keys) {
    /** What it seals with. */
    this.box = createBox({ module, keys })
  }

  /** Opens what was kept before there was a store: base64 of a call's record and its snapshot. Throws if it was sealed with another key or for another call. @param {string} id @param {string} sealed */
  openEarlier(id, sealed) {
    return new TextDecoder().decode(this.box.open(bytes(sealed), Context.snapshot + id))
  }

  close() {
    this.box.close()
  }
}
