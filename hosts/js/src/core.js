import { parse, restore, text, Flow } from "./flow.js"
import { Instance } from "./instance.js"

/** @import { Expect, Json, Options } from "./flow.js" */

/**
 * A field of a form. `default` is JSON text, `minimum` and `maximum` are
 * number text.
 *
 * @typedef {object} Field
 * @property {string} name
 * @property {"string" | "number" | "integer" | "boolean" | "choice" | "choices"} kind
 * @property {string} [title]
 * @property {string} [description]
 * @property {boolean} [required]
 * @property {"email" | "uri" | "date" | "date-time"} [format]
 * @property {number} [minLength]
 * @property {number} [maxLength]
 * @property {string} [minimum]
 * @property {string} [maximum]
 * @property {number} [minItems]
 * @property {number} [maxItems]
 * @property {{value: string, title: string}[]} [options]
 * @property {string} [default]
 */

/** @typedef {{property: string, message: string}} Problem for a person to read */

/**
 * A message from a server, taken apart so far that a transport knows whose it
 * is. `id` and `params` are JSON text.
 *
 * @typedef {{id?: string, method?: string, params?: string, failed: boolean}} Message
 */

/**
 * The engine: an instance of the module and what replaces it after a trap. It
 * holds any number of flows and touches nothing of the platform but
 * WebAssembly and text encoding.
 */
export class Engine {
  #module
  #instance

  /** @param {WebAssembly.Module} module wasm/parley.wasm, compiled; the loaders do that */
  constructor(module) {
    this.#module = module
    this.#instance = new Instance(module)
  }

  /** The instance in use: a new one if the last one trapped. */
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
    const { capabilities } = options
    const request = {
      method,
      params: text(params),
      options: capabilities === undefined ? options : { ...options, capabilities: text(capabilities) },
    }
    const instance = this.instance
    return new Flow(this, instance, parse(instance.give("parley_flow_new", JSON.stringify(request))).flow, options)
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
    return new Flow(this, instance, restore(instance, snapshot, expect), expect, snapshot)
  }

  /** How many flows are held. A host's tests end at 0. */
  get live() {
    return this.#instance.live
  }

  /**
   * The fields of a requestedSchema, to render a form with, and the object of
   * its defaults as JSON text; or what is wrong with the schema.
   *
   * @param {string} schema JSON text, as it came
   * @returns {{fields: Field[], defaults: string, problem?: undefined} | {fields?: undefined, problem: Problem}}
   */
  form(schema) {
    return parse(this.instance.give("parley_form", schema))
  }

  /**
   * Checks one field: what a person typed, or a value a host made itself as
   * JSON text. The answer is the JSON text to send, or what is wrong.
   *
   * @param {{schema: string, field: string, typed: string} | {schema: string, field: string, value: string}} check
   * @returns {{value: string, problem?: undefined} | {value?: undefined, problem: Problem}}
   */
  formCheck(check) {
    return parse(this.instance.give("parley_form_check", JSON.stringify(check)))
  }

  /**
   * A leg as a JSON-RPC request: `body` goes on the wire as it is, `headers`
   * into the HTTP request. All but `id` and `method` are JSON text or made so.
   *
   * @param {{id: number, method: string, params?: string, capabilities?: string, clientInfo?: string, protocolVersion?: string, progress?: boolean}} request
   * @returns {{body: string, headers: [string, string][]}}
   */
  request(request) {
    return parse(this.instance.give("parley_request", JSON.stringify(request)))
  }

  /**
   * Takes a message from the server apart. Fails with a {@link ParleyError} of
   * Code.malformed on what is no JSON-RPC message.
   *
   * @param {string} message JSON text
   * @returns {Message}
   */
  message(message) {
    return parse(this.instance.give("parley_message", message))
  }
}
