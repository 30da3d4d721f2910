import { checkField, readForm } from "../forms/check.js"
import { Instance } from "./instance.js"
import { QuestionForm } from "../forms/question.js"
import { SessionCore } from "./session.js"

/** @import { Ask, Info } from "./call.js" */
/** @import { Checked, FieldCheck, Form } from "../forms/check.js" */
/** @import { SessionOptions } from "./session.js" */

/** How many instances there may be: one for each session, which share them beyond that. */
const mostInstances = 64

/** How large an instance may have grown to be used again, in bytes: its memory never shrinks. */
const keptMemory = 4 << 20

/**
 * The engine: an instance of the module for each session and one for forms and
 * snapshots, and what replaces them after a trap. It touches nothing of the
 * platform but WebAssembly and text encoding.
 */
export class Engine {
  #module
  #instance
  /** How many sessions each holds. @type {Map<Instance, number>} */
  #sessions = new Map()

  /** @param {WebAssembly.Module} module wasm/parley.wasm, compiled; the loaders do that */
  constructor(module) {
    this.#module = module
    this.#instance = new Instance(module)
  }

  /** The instance for forms, snapshots and the first session: a new one if the last one trapped. */
  get instance() {
    if (this.#instance.trap) this.#instance = new Instance(this.#module)
    return this.#instance
  }

  /**
   * What a snapshot is of, for a list of parked calls. Fails with a
   * {@link ParleyError} of Code.snapshot.
   *
   * @param {string} snapshot
   * @returns {Info}
   */
  snapshotInfo(snapshot) {
    return this.instance.read("parley_snapshot_info", snapshot)
  }

  /**
   * A session, for a host that carries messages itself; `connect` makes one with
   * a transport. Fails with a {@link ParleyError} of Code.options.
   *
   * @param {SessionOptions} [options]
   */
  newSession(options = {}) {
    const instance = this.#free()
    this.#sessions.set(instance, (this.#sessions.get(instance) ?? 0) + 1)
    const release = () => this.#release(instance)
    try {
      return new SessionCore(instance, options, release)
    } catch (error) {
      release()
      throw error
    }
  }

  /** The instance for another session: one without any, a new one, or that with the fewest. */
  #free() {
    if (!this.#sessions.has(this.instance)) return this.instance
    const all = [...this.#sessions].filter(([{ trap }]) => !trap)
    if (all.length < mostInstances) return new Instance(this.#module)
    return all.reduce((best, one) => (one[1] < best[1] ? one : best))[0]
  }

  /** @param {Instance} instance */
  #release(instance) {
    const left = (this.#sessions.get(instance) ?? 0) - 1
    if (left > 0) return void this.#sessions.set(instance, left)
    this.#sessions.delete(instance)
    if (instance === this.#instance && !instance.live && instance.memory > keptMemory) this.#instance = new Instance(this.#module)
  }

  /** How many sessions, and calls of sessions, are held. A host's tests end at 0. */
  get live() {
    let live = this.#instance.live
    for (const instance of this.#sessions.keys()) if (instance !== this.#instance) live += instance.live
    return live
  }

  /** The form of a question, to be filled in. @param {Pick<Ask, "params" | "earlier">} question in form mode */
  questionForm(question) {
    return new QuestionForm(this, question)
  }

  /** The fields of a requestedSchema; see {@link Form}. @param {string} schema JSON text, as it came @returns {Form} */
  form(schema) {
    return readForm(this.instance, schema)
  }

  /** Checks one field of a form; see {@link Checked}. @param {FieldCheck} check @returns {Checked} */
  formCheck(check) {
    return checkField(this.instance, check)
  }
}
