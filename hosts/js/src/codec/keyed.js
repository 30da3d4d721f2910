import { CodecError, internal, Reason } from "./errors.js"
import { CodecInstance } from "./instance.js"
import { permitted } from "../engine/content-security-policy.js"

/** @import { Exports } from "./instance.js" */
/** @import { ErrorResponse } from "./errors.js" */

/**
 * What everything with keys is made of. The keys are a key file (wasm/CODEC.md):
 * lines of `parley-key/1 11 <secret>`, of which the first mints and all open.
 * They are copied; give bytes rather than text, and wipe yours.
 *
 * @typedef {object} KeyOptions
 * @property {WebAssembly.Module | BufferSource} module parley-codec.wasm; compile it once for many
 * @property {string | Uint8Array} keys
 */

/** Makes a handle of a key file. @typedef {(instance: CodecInstance, keys: Uint8Array) => number} Make */

/** @typedef {(exports: Exports, handle: number, size: number) => number} Call an export with a handle and the size of its request */

/**
 * What an instance may have grown to and be used again, in bytes: its memory
 * never shrinks, and the largest request decides how much it takes.
 */
const maxKeptMemory = 4 << 20

/**
 * An instance that holds keys under one handle, and what replaces it after it
 * trapped or grew large. The keys are kept for that; {@link Keyed.close} wipes
 * both.
 */
export class Keyed {
  #module
  #make
  /** @type {Uint8Array | undefined} */
  #keys
  /** @type {CodecInstance | undefined} */
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
    return this.#use(response, (instance) => instance.bytes(request, (exports, size) => call(exports, this.#handle, size), response))
  }

  /** Calls an export that answers a number. @param {Uint8Array[]} request @param {Call} call */
  number(request, call) {
    return this.#use(internal, (instance) => instance.number(request, (exports, size) => call(exports, this.#handle, size)))
  }

  /**
   * Makes a call in the instance there is, or in a new one, and drops the
   * instance if it cannot be used again.
   *
   * @template T
   * @param {ErrorResponse} response
   * @param {(instance: CodecInstance) => T} call
   */
  #use(response, call) {
    if (!this.#keys) throw new CodecError(Reason.instance, "it was closed", response)
    if (!this.#instance) {
      const instance = new CodecInstance(this.#module)
      this.#handle = this.#make(instance, this.#keys)
      this.#instance = instance
    }
    const instance = this.#instance
    try {
      return call(instance)
    } finally {
      if (instance.trap || instance.memory > maxKeptMemory) {
        this.#instance = undefined
        instance.wipe()
      }
    }
  }

  /**
   * Does something with each of the keys alone.
   *
   * @template T
   * @param {(keys: Uint8Array) => Uint8Array[]} split
   * @param {(one: Keyed) => T} work
   */
  each(split, work) {
    if (!this.#keys) throw new CodecError(Reason.instance, "it was closed", internal)
    return split(this.#keys).map((keys) => {
      const one = new Keyed({ module: this.#module, keys }, this.#make)
      keys.fill(0)
      try {
        return work(one)
      } finally {
        one.close()
      }
    })
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
    this.#instance?.wipe()
  }
}

/** @param {string | Uint8Array} keys */
function copyOf(keys) {
  return typeof keys === "string" ? new TextEncoder().encode(keys) : new Uint8Array(keys)
}
