import { answerText, requestFrame } from "./frames.js"

/** The module's exports with nothing of the package between: frames in, frames out, or both as scripts have them. */
export class Exports {
  #exports

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    this.#exports = /** @type {any} */ (new WebAssembly.Instance(module, {}).exports)
    this.#exports._initialize()
  }

  /** @param {string} name @param {string} request as it stands in a script @param {...number} before */
  give(name, request, ...before) {
    return answerText(this.send(name, requestFrame(request), ...before))
  }

  /** @param {string} name @param {...number} handles */
  ask(name, ...handles) {
    return answerText(this.#answer(this.#exports[name](...handles)))
  }

  /** @param {string} name @param {Uint8Array} frame @param {...number} before */
  send(name, frame, ...before) {
    const at = this.#exports.parley_input(frame.length) >>> 0
    new Uint8Array(this.#exports.memory.buffer, at, frame.length).set(frame)
    return this.#answer(this.#exports[name](...before, frame.length))
  }

  /** @param {string} name @param {...number} handles */
  free(name, ...handles) {
    this.#exports[name](...handles)
  }

  /** How many flows, sessions and calls are held. */
  get live() {
    return this.#exports.parley_live()
  }

  /** @param {number} size @returns {Uint8Array} */
  #answer(size) {
    return new Uint8Array(this.#exports.memory.buffer, this.#exports.parley_output() >>> 0, size >>> 0).slice()
  }
}
