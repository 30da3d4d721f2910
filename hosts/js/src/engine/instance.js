import { InstanceError, ParleyError } from "./errors.js"
import { bytesOf, readFrame, writeFrame } from "./frame.js"
import { permitted } from "./content-security-policy.js"
import { say, unmark } from "../texts/sentence.js"

/** The ABI this package speaks; see wasm/ABI.md. */
export const abiVersion = 3

/**
 * The exports of wasm/ABI.md that take a frame.
 *
 * @typedef {"parley_session_new" | "parley_session_call" | "parley_session_restore" | "parley_session_step"
 *   | "parley_form_check"} Takes
 */

/** Those that take one text. @typedef {"parley_form" | "parley_snapshot_info"} Reads */

/** Those that take handles and answer. @typedef {"parley_session_snapshot" | "parley_session_info"} Tells */

/** Those that free a session or drop a call. @typedef {"parley_session_free" | "parley_session_drop"} Frees */

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} _initialize
 * @property {() => number} parley_abi_version
 * @property {(size: number) => number} parley_input
 * @property {() => number} parley_output
 * @property {() => number} parley_live
 * @property {(on: number) => void} parley_marks
 */

/**
 * One instance of the module: frames in, frames out. It is dead after its first
 * trap, because nothing in it can be trusted then. What its exports refuse is a
 * {@link ParleyError}. Sentences in answers are English, with themselves beside
 * it as `sentence`.
 */
export class Instance {
  /** @type {Exports & Record<Takes | Reads | Tells | Frees, (...args: number[]) => number>} */
  #exports

  /** The first trap, which killed the instance. @type {unknown} */
  trap

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    const exports = /** @type {any} */ (permitted(() => new WebAssembly.Instance(module, {})).exports)
    if (typeof exports.parley_abi_version !== "function" || typeof exports._initialize !== "function") {
      throw new TypeError("parley: the WebAssembly module is not Parley's: its ABI version is missing")
    }
    exports._initialize()
    const version = exports.parley_abi_version()
    if (version !== abiVersion) {
      throw new Error(`parley: the engine speaks ABI version ${version}, this package version ${abiVersion}: use the module of the same release`)
    }
    this.#exports = exports
    exports.parley_marks(1)
  }

  /** How many sessions, and calls of sessions, the instance holds. */
  get live() {
    return this.#plain(() => this.#exports.parley_live())
  }

  /** How much memory it has, in bytes. */
  get memory() {
    return this.#exports.memory.buffer.byteLength
  }

  /** @param {Frees} name @param {...number} handles */
  free(name, ...handles) {
    this.#plain(() => this.#exports[name](...handles))
  }

  /** Calls an export that refuses nothing: its trap shows at the next call. @template T @param {() => T} call */
  #plain(call) {
    if (this.trap) return 0
    try {
      return call()
    } catch (trap) {
      this.trap = trap
      return 0
    }
  }

  /**
   * Calls an export with a request: with what comes before its size, and that.
   *
   * @param {Takes} name @param {object} request @param {...number} before
   */
  give(name, request, ...before) {
    return this.#answer(() => this.#exports[name](...before, writeFrame(request, this.#input)))
  }

  /** Calls an export with a text, which may come as UTF-8. @param {Reads} name @param {string | Uint8Array} text */
  read(name, text) {
    return this.#answer(() => {
      const bytes = bytesOf(text)
      this.#input(bytes.length).set(bytes)
      return this.#exports[name](bytes.length)
    })
  }

  /** Calls an export without a request. @param {Tells} name @param {...number} handles */
  ask(name, ...handles) {
    return this.#answer(() => this.#exports[name](...handles))
  }

  /** @param {number} size */
  #input = (size) => {
    const at = this.#exports.parley_input(size) >>> 0
    return new Uint8Array(this.#exports.memory.buffer, at, size)
  }

  /**
   * Reads the answer. A view is made for each access, never kept: memory that
   * grew in a call has detached every older one.
   *
   * @param {() => number} call
   */
  #answer(call) {
    if (this.trap) throw new InstanceError(say`the engine's instance is gone`, this.trap)
    let answer
    try {
      const size = call() >>> 0
      answer = readFrame(new Uint8Array(this.#exports.memory.buffer, this.#exports.parley_output() >>> 0, size))
    } catch (trap) {
      if (trap instanceof ParleyError) throw trap // it was not called
      this.trap = trap
      throw new InstanceError(say`the engine's instance trapped`, trap)
    }
    unmark(answer)
    if (answer.error) throw new ParleyError(answer.error.code, answer.error.sentence)
    return answer
  }
}
