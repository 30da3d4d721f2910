import { CodecError, internal, Reason } from "./errors.js"
import { FieldReader } from "./fields.js"
import { abiVersion } from "../engine/instance.js"
import { permitted } from "../engine/content-security-policy.js"

/** @import { ErrorResponse } from "./errors.js" */

/**
 * The exports of wasm/CODEC.md.
 *
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} _initialize
 * @property {() => number} parley_abi_version
 * @property {(size: number) => number} parley_input
 * @property {() => number} parley_output
 * @property {() => number} parley_live
 * @property {(handle: number) => void} parley_free
 * @property {() => void} parley_wipe
 * @property {(size: number) => number} parley_codec_new
 * @property {(codec: number, contextSize: number, size: number) => number} parley_codec_seal
 * @property {(codec: number, contextSize: number, size: number) => number} parley_codec_open
 * @property {(size: number) => number} parley_box_new
 * @property {(box: number, contextSize: number, size: number) => number} parley_box_seal
 * @property {(box: number, contextSize: number, size: number) => number} parley_box_open
 * @property {(size: number) => number} parley_guard_new
 * @property {(guard: number, now: number, size: number) => number} parley_guard_inbound
 * @property {(guard: number, now: number, size: number) => number} parley_guard_outbound
 * @property {(size: number) => number} parley_guard_verdict
 * @property {(size: number) => number} parley_question
 * @property {(size: number) => number} parley_canonical
 */

/** @typedef {(exports: Exports, size: number) => number} Call an export with the size of its request */

const decoder = new TextDecoder()

/**
 * One instance of the codec's module: bytes in, bytes out. It is dead after its
 * first trap, because nothing in it can be trusted then. Whatever carried keys
 * or plaintext is zeroed before a call returns.
 */
export class CodecInstance {
  /** @type {Exports} */
  #exports

  /** The first trap, which killed the instance. @type {unknown} */
  trap

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    const exports = /** @type {Exports} */ (/** @type {unknown} */ (permitted(() => new WebAssembly.Instance(module, {})).exports))
    if (typeof exports.parley_abi_version !== "function" || typeof exports._initialize !== "function") {
      throw new TypeError("parley: the WebAssembly module is not Parley's: its ABI version is missing")
    }
    exports._initialize()
    const version = exports.parley_abi_version()
    if (version !== abiVersion) {
      throw new Error(`parley: the codec speaks ABI version ${version}, this package version ${abiVersion}: use the module of the same release`)
    }
    if (typeof exports.parley_codec_new !== "function") {
      throw new TypeError("parley: the WebAssembly module is not the codec: use parley-codec.wasm")
    }
    this.#exports = exports
  }

  /** How large its memory has grown, in bytes. */
  get memory() {
    return this.#exports.memory.buffer.byteLength
  }

  /** How many handles are held. */
  get live() {
    return this.trap ? 0 : this.#exports.parley_live()
  }

  /**
   * Calls an export that answers a number: a handle or a verdict.
   *
   * @param {Uint8Array[]} request
   * @param {Call} call
   * @param {ErrorResponse} response what a client gets if the instance traps
   */
  number(request, call, response = internal) {
    return this.#exchange(request, call, response, (n) => n)
  }

  /**
   * Calls an export that answers bytes, and copies them out.
   *
   * @param {Uint8Array[]} request
   * @param {Call} call
   * @param {ErrorResponse} [response] what a client gets if the instance traps
   */
  bytes(request, call, response = internal) {
    return this.#exchange(request, call, response, (n) => this.#output(n).slice())
  }

  /**
   * A view is made for each access, never kept: memory that grew in a call has
   * detached every older one.
   *
   * @template T
   * @param {Uint8Array[]} request
   * @param {Call} call
   * @param {ErrorResponse} response
   * @param {(answer: number) => T} take
   * @returns {T}
   */
  #exchange(request, call, response, take) {
    if (this.trap) throw new CodecError(Reason.instance, "the instance is gone", response, { cause: this.trap })
    let error
    try {
      const size = request.reduce((sum, part) => sum + part.length, 0)
      const start = this.#exports.parley_input(size) >>> 0
      const input = new Uint8Array(this.#exports.memory.buffer, start, size)
      let at = 0
      for (const part of request) {
        input.set(part, at)
        at += part.length
      }
      const answer = call(this.#exports, size)
      if (answer >= 0) {
        const taken = take(answer)
        this.#exports.parley_wipe()
        return taken
      }
      error = this.#error(-answer)
      this.#exports.parley_wipe()
    } catch (trap) {
      this.trap = trap
      throw new CodecError(Reason.instance, "the instance trapped", response, { cause: trap })
    }
    throw error
  }

  /** @param {number} [size] to the end of the memory if absent */
  #output(size) {
    const start = this.#exports.parley_output() >>> 0
    return new Uint8Array(this.#exports.memory.buffer, start, size)
  }

  /** @param {number} code */
  #error(code) {
    const answer = new FieldReader(this.#output())
    const text = decoder.decode(answer.field())
    return new CodecError(code, text.replace(/^codec: /, ""), JSON.parse(decoder.decode(answer.field())))
  }

  /** Zeroes all of the instance's memory, keys included, and ends it. */
  wipe() {
    this.trap ??= new Error("the instance was wiped")
    new Uint8Array(this.#exports.memory.buffer).fill(0)
  }
}
