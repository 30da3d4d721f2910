import { request, Flow } from "./flow.js"
import { checkField, readForm } from "./form.js"
import { Instance } from "./instance.js"
import { QuestionForm } from "./question-form.js"
import { SessionCore } from "./session-core.js"

/** @import { Ask, Expect, Info, Json, Options } from "./flow.js" */
/** @import { Checked, FieldCheck, Form } from "./form.js" */
/** @import { SessionOptions } from "./session-core.js" */

/**
 * A message from a server, taken apart so far that a transport knows whose it
 * is. `id` and `params` are JSON text.
 *
 * @typedef {{id?: string, method?: string, params?: string, failed: boolean}} Message
 */

/** How many instances there may be: one for each session, which share them beyond that. */
const mostInstances = 64

/** How large an instance may have grown to be used again, in bytes: its memory never shrinks. */
const keptMemory = 4 << 20

/**
 * The engine: an instance of the module for each session and one for flows, and
 * what replaces them after a trap. It holds any number of both and touches
 * nothing of the platform but WebAssembly and text encoding.
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

  /** The instance of flows and of the first session: a new one if the last one trapped. */
  get instance() {
    if (this.#instance.trap) this.#instance = new Instance(this.#module)
    return this.#instance
  }

  /**
   * A flow for one request. `params` is kept as it is. Fails with a
   * {@link ParleyError} of Code.options.
   *
   * @param {string} method
   * @param {Json} [params]
   * @param {Options} [options]
   */
  newFlow(method, params = "{}", options = {}) {
    const instance = this.instance
    return new Flow(instance, instance.give("parley_flow_new", request(method, params, options)).flow)
  }

  /**
   * A flow from a snapshot. Fails with a {@link ParleyError} of Code.snapshot
   * or Code.peer.
   *
   * @param {string} snapshot
   * @param {Expect} [expect]
   */
  restoreFlow(snapshot, expect = {}) {
    const instance = this.instance
    return new Flow(instance, instance.give("parley_flow_restore", { ...expect, snapshot }).flow)
  }

  /**
   * What a snapshot is of, for a list of parked calls. It needs the module
   * parley-session.wasm. Fails with a {@link ParleyError} of Code.snapshot.
   *
   * @param {string} snapshot
   * @returns {Info}
   */
  snapshotInfo(snapshot) {
    const instance = this.instance
    if (!instance.hasSessions) throw new TypeError("parley: this module tells nothing of a snapshot: load parley-session.wasm")
    return instance.read("parley_snapshot_info", snapshot)
  }

  /**
   * A session, for a host that carries messages itself; `connect` makes one with
   * a transport. It needs the module parley-session.wasm. Fails with a
   * {@link ParleyError} of Code.options.
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

  /** How many flows, sessions and calls of sessions are held. A host's tests end at 0. */
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

  /**
   * A leg as a JSON-RPC request: `body` goes on the wire as it is, `headers`
   * into the HTTP request. All but `id` and `method` are JSON text or made so.
   *
   * @param {{id: number, method: string, params?: string, capabilities?: string, clientInfo?: string, protocolVersion?: string, progress?: boolean}} leg
   * @returns {{body: string, headers: [string, string][]}}
   */
  request(leg) {
    return this.instance.give("parley_request", leg)
  }

  /**
   * Takes a message from the server apart. Fails with a {@link ParleyError} of
   * Code.malformed on what is no JSON-RPC message.
   *
   * @param {string | Uint8Array} message JSON text
   * @returns {Message}
   */
  message(message) {
    return this.instance.read("parley_message", message)
  }
}
