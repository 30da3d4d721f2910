import { Body, isStream } from "./body.js"
import { eventStream } from "./sse.js"
import { StatusError } from "./status.js"
import { neverConnected, unsent } from "./unsent.js"

/** @import { Engine } from "./core.js" */
/** @import { Callbacks, SendContext } from "./callbacks.js" */

/**
 * @typedef {object} HttpOptions
 * @property {{name: string, version: string, title?: string}} [clientInfo] names the client to the server
 * @property {(url: string, init: RequestInit & {headers: Record<string, string>}) => Promise<Response>} [fetch]
 *   in place of the platform's; authorization belongs here
 * @property {(method: string, params: string | undefined) => void} [onNotification]
 *   gets the notifications that come before a response, but for progress of
 *   the leg itself, which goes to `onProgress`
 * @property {number} [maxResponse] bounds a response, in bytes; 65 MiB if absent, a little more than what the engine takes
 */

/**
 * A `send` callback that speaks the Streamable HTTP transport of MCP
 * 2026-07-28: one POST for each leg, answered with JSON or server-sent events.
 *
 * @param {Engine} engine
 * @param {string | URL} url
 * @param {HttpOptions} [options]
 * @returns {Callbacks["send"]}
 */
export function http(engine, url, options = {}) {
  const clientInfo = options.clientInfo && JSON.stringify(options.clientInfo)
  let lastId = 0
  return async ({ method, params, capabilities }, context) => {
    const id = ++lastId
    const { body, headers } = engine.request({ id, method, params, capabilities, clientInfo, progress: true })
    /** @type {Response} */
    let response
    try {
      response = await (options.fetch ?? fetch)(String(url), {
        method: "POST",
        body,
        headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...Object.fromEntries(headers) },
        redirect: "manual", // a redirect would hand answers and requestState to whoever it names
        signal: context.signal,
      })
    } catch (error) {
      throw neverConnected(error) ? unsent("there is no connection to the server", error) : error
    }
    const reader = new Reader(engine, response, id, options)
    context.signal.addEventListener("abort", () => reader.close()) // for a fetch that does not mind it
    try {
      return response.ok && isStream(response) ? await reader.stream(context) : await reader.whole()
    } finally {
      reader.close()
    }
  }
}

/** Reads the answer to one request. */
class Reader {
  #engine
  #response
  #id
  #onNotification
  #body

  /** @param {Engine} engine @param {Response} response @param {number} id @param {HttpOptions} options */
  constructor(engine, response, id, { onNotification, maxResponse }) {
    this.#engine = engine
    this.#response = response
    this.#id = id
    this.#onNotification = onNotification
    this.#body = new Body(response, maxResponse)
  }

  /**
   * A response on its own. Errors come with HTTP error codes too, and their
   * body MUST be read (basic/transports/streamable-http, Sending Messages).
   */
  async whole() {
    const { status } = this.#response
    const body = await this.#body.whole()
    let message
    try {
      message = this.#engine.message(body)
    } catch (cause) {
      if (!this.#response.ok) throw new StatusError(status)
      throw new Error("parley: the server's answer is no JSON-RPC response", { cause })
    }
    // A server that could not read the request may answer with an error that has
    // no id or a null one; here nothing else can be meant.
    if (this.#answers(message) || (message.failed && (message.id ?? "null") === "null")) return body
    throw this.#response.ok ? new Error("parley: the server answered with a message that is not the response to this request") : new StatusError(status)
  }

  /**
   * Events until the response comes. Every event's data is one JSON-RPC
   * message; servers of this protocol version send no requests.
   *
   * @param {SendContext} context
   */
  async stream(context) {
    /** @type {string | undefined} */
    let found
    const events = eventStream((type, data) => {
      if (found === undefined && type === "message" && data && this.#event(data, context)) found = data
    })
    for await (const text of this.#body.parts()) {
      events.feed(text)
      if (found !== undefined) return found
    }
    events.end()
    if (found !== undefined) return found
    throw new Error("parley: the event stream ended before the response")
  }

  /** Whether an event is the response. @param {string} data @param {SendContext} context */
  #event(data, context) {
    let message
    try {
      message = this.#engine.message(data)
    } catch (cause) {
      throw new Error("parley: an event of the server is no JSON-RPC message", { cause })
    }
    const { id, method, params } = message
    if (method === undefined) return this.#answers(message)
    if (id !== undefined) return false
    if (method === "notifications/progress" && params !== undefined && JSON.parse(params).progressToken === this.#id) {
      context.progress(params)
    } else {
      this.#onNotification?.(method, params)
    }
    return false
  }

  /** @param {import("./core.js").Message} message */
  #answers({ id, method }) {
    return method === undefined && id === String(this.#id)
  }

  close() {
    this.#body.close()
  }
}
