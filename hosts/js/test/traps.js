// Instances that trap where a test says so, and count what is called of them.

const { Instance } = WebAssembly

/**
 * While it lasts, each call into an export of any instance that is made is
 * counted, and some of them trap.
 */
export class Traps {
  /** How many calls there were. */
  calls = 0

  /** Which of them trap. @type {number[]} */
  at = []

  /** The export of which the next call traps. @type {string | undefined} */
  next

  /** Those that have trapped. @type {string[]} */
  trapped = []

  /** What was called of an instance that was gone. @type {string[]} */
  late = []

  /** How much room was asked for, call by call, in bytes. @type {number[]} */
  rooms = []

  constructor() {
    const watched = (/** @type {WebAssembly.Exports} */ exports) => this.#watched(exports)
    // @ts-ignore: a class with what Instance needs
    WebAssembly.Instance = class {
      /** @param {WebAssembly.Module} module @param {WebAssembly.Imports} [imports] */
      constructor(module, imports) {
        this.exports = watched(new Instance(module, imports).exports)
      }
    }
  }

  /** Begins anew. */
  forget() {
    this.calls = 0
    this.at = []
    this.next = undefined
    this.trapped = []
    this.late = []
    this.rooms = []
  }

  end() {
    WebAssembly.Instance = Instance
  }

  /** @param {WebAssembly.Exports} exports */
  #watched(exports) {
    let gone = false
    const watch = (/** @type {string} */ name, /** @type {Function} */ call) => (/** @type {number[]} */ ...args) => {
      if (gone) this.late.push(name)
      this.calls++
      if (gone || this.at.includes(this.calls) || this.next === name) {
        if (!gone) this.trapped.push(name)
        gone = true
        this.next = undefined
        throw new WebAssembly.RuntimeError("unreachable")
      }
      if (name === "parley_input") this.rooms.push(args[0] ?? 0)
      return call(...args)
    }
    return Object.fromEntries(Object.entries(exports).map(([name, value]) => [name, typeof value === "function" ? watch(name, value) : value]))
  }
}
