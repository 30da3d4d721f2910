import { CodecError, internal, Reason } from "./codec-errors.js"
import { CodecInstance } from "./codec-instance.js"
import { permitted } from "./policy.js"

/** @import { Exports } from "./codec-instance.js" */
/** @import { ErrorResponse } from "./codec-errors.js" */

/**
 * What everything with keys is made of. The keys are a key file (wasm/ABI.md):
 * lines of `parley-key/1 11 <secret>`, of which the first mints and all open.
 * They are copied; give bytes rather than text, and wipe yours.
 *
 * @typedef {object} KeyOptions
 * @property {WebAssembly.Module | BufferSource} module parley-codec.wasm, or parley-codec-age.wasm for age tokens; compile it once for many
 * @property {string | Uint8Array} keys
 */

/** Makes a handle of a key file. @typedef {(instance: CodecInstance, keys: Uint8Array) => number} Make */

/** @typedef {(exports: Exports, handle: number, size: number) => number} Call an export with a handle and the size of its request */

/**
 * An instance that holds keys under one handle, and what replaces it after a
 * trap. The keys are kept for that; {@link Keyed.close} wipes both.
 */
export class Keyed {
  #module
  #make
  /** @type {Uint8Array | undefined} */
  #keys
  #instance
  #handle

  /** @param {KeyOptions} options @param {Make} make */
  constructor({ module, keys }, make) {
    this.#module = module instanceof WebAssembly.Module ? module : permitted(() => new WebAssembly.Module(module))
    this.#make = make
    const copy = copyOf(keys)
    this.#instance = new CodecInstance(this.#module)
    this.#handle = make(this.#instance, copy)
    this.#keys = copy
  }

  /**
   * Calls an export that answers bytes.
   *
   * @param {Uint8Array[]} request
   * @param {Call} call
   * @param {ErrorResponse} [response] what a client gets if the instance traps
   */
  bytes(request, call, response = internal) {
    const instance = this.instance(response)
    return instance.bytes(request, (exports, size) => call(exports, this.#handle, size), response)
  }

  /**
   * The instance in use: a new one if the last one trapped.
   *
   * @param {ErrorResponse} [response]
   */
  instance(response = internal) {
    if (!this.#keys) throw new CodecError(Reason.instance, "it was closed", response)
    if (this.#instance.trap) {
      this.#instance.wipe()
      const instance = new CodecInstance(this.#module)
      this.#handle = this.#make(instance, this.#keys)
      this.#instance = instance
    }
    return this.#instance
  }

  /** @param {string | Uint8Array} keys */
  rekey(keys) {
    const copy = copyOf(keys)
    const instance = new CodecInstance(this.#module)
    const handle = this.#make(instance, copy)
    this.close()
    this.#keys = copy
    this.#instance = instance
    this.#handle = handle
  }

  close() {
    this.#keys?.fill(0)
    this.#keys = undefined
    this.#instance.wipe()
  }
}

/** @param {string | Uint8Array} keys */
function copyOf(keys) {
  return typeof keys === "string" ? new TextEncoder().encode(keys) : new Uint8Array(keys)
}
