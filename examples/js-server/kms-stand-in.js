// NOT a key service: a stand-in for tests, which keeps its key in the memory of this process. A real one keeps it in
// hardware, asks who wants it, and notes that in a log.
const { subtle } = globalThis.crypto

/** @import { KeyService } from "./kms.js" */

/** @implements {KeyService} */
export class StandInKeyService {
  /** How often it unwrapped a key. */
  unwrapped = 0
  #key = subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])

  /** A new data key, wrapped. A real service gives the key as well. */
  async newDataKey() {
    const iv = globalThis.crypto.getRandomValues(new Uint8Array(12))
    const secret = globalThis.crypto.getRandomValues(new Uint8Array(32))
    return new Uint8Array(Buffer.concat([iv, new Uint8Array(await subtle.encrypt({ name: "AES-GCM", iv }, await this.#key, secret))]))
  }

  /** @param {Uint8Array} wrapped */
  async unwrap(wrapped) {
    this.unwrapped++
    const bytes = new Uint8Array(wrapped)
    return new Uint8Array(await subtle.decrypt({ name: "AES-GCM", iv: bytes.subarray(0, 12) }, await this.#key, bytes.subarray(12)))
  }
}
