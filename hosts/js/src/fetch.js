import { Body, BodyError, isStream } from "./body.js"
import { urlFault, whyCut, whyLost, whyUnsent } from "./reason.js"
import { eventStream } from "./sse.js"
import { StatusError } from "./status.js"
import { unsent } from "./unsent.js"

/** @import { Delete, EndedExchange, Listen, Post } from "./session-core.js" */
/** @import { Carried, Carrier, Receive, Transport } from "./transport.js" */

/**
 * @typedef {object} FetchOptions
 * @property {(url: string, init: RequestInit & {headers: Record<string, string>}) => Promise<Response>} [fetch]
 *   in place of the platform's; authorization belongs here. A request that it
 *   sends again must be the same, byte for byte. If nobody signs in, let it throw an error that has `unsent:
 *   true`: its message is shown to the person
 * @property {number} [maxResponse] bounds a message of the server, in bytes; 65 MiB if absent, a little more than what the engine takes
 */

/**
 * Streamable HTTP by fetch: a POST for each message, answered with JSON or
 * server-sent events, and for servers of earlier eras a stream by GET and a
 * DELETE at the end. Redirects are not followed.
 *
 * @param {string | URL} url
 * @param {FetchOptions} [options]
 * @returns {Transport}
 */
export function fetchTransport(url, options = {}) {
  return { kind: "http", open: (receive) => new FetchCarrier(String(url), options, receive) }
}

/** How long a DELETE may take when the session is closed, in milliseconds. */
const patience = 2000

/** @implements {Carrier} */
class FetchCarrier {
  #url
  #options
  #receive
  /** @type {Map<number, Exchange>} */
  #exchanges = new Map()

  /** @param {string} url @param {FetchOptions} options @param {Receive} receive */
  constructor(url, options, receive) {
    this.#url = url
    this.#options = options
    this.#receive = receive
  }

  /** @param {Carried} action */
  perform(action) {
    const { exchange } = action
    if (action.type === "abort") {
      this.#exchanges.get(exchange)?.abort()
      this.#exchanges.delete(exchange)
    } else {
      const begun = new Exchange(action, this.#url, this.#options, this.#receive)
      this.#exchanges.set(exchange, begun)
      begun.done = begun.run().then(() => void this.#exchanges.delete(exchange))
    }
  }

  reset() {
    for (const exchange of this.#exchanges.values()) exchange.abort()
    this.#exchanges.clear()
  }

  async close() {
    const last = [...this.#exchanges.values()].filter(({ type }) => type === "delete")
    for (const exchange of this.#exchanges.values()) if (exchange.type !== "delete") exchange.abort()
    const over = new AbortController()
    await Promise.race([Promise.all(last.map(({ done }) => done)), pause(patience, over.signal).catch(() => {})])
    over.abort()
    this.reset()
  }
}

/** @typedef {{type: "ended"} & EndedExchange} Ended */

const methods = { post: "POST", listen: "GET", delete: "DELETE" }

/** One request and its response. */
class Exchange {
  #action
  #url
  #options
  #receive
  #controller = new AbortController()
  /** @type {Body | undefined} */
  #body

  /** @type {Promise<void> | undefined} */
  done

  /** @param {Post | Listen | Delete} action @param {string} url @param {FetchOptions} options @param {Receive} receive */
  constructor(action, url, options, receive) {
    this.#action = action
    this.#url = url
    this.#options = options
    this.#receive = receive
    this.type = action.type
  }

  abort() {
    this.#controller.abort()
    this.#body?.close() // for a fetch that does not mind its signal
  }

  async run() {
    const { exchange } = this.#action
    /** How it ended, as far as it got. @type {Ended} */
    const end = { type: "ended", exchange }
    let answered = false
    try {
      const response = await this.#fetch()
      answered = true
      this.#body = new Body(response, this.#options.maxResponse)
      if (!this.#controller.signal.aborted) await this.#read(response, this.#body, end)
    } catch (error) {
      if (answered) {
        end.reason = error instanceof BodyError ? error.reason : whyCut(error)
      } else {
        const reason = whyUnsent(error)
        if (reason) end.unsent = true
        end.reason = reason ?? whyLost(error, this.#url)
      }
      this.#feed(end, error)
    } finally {
      this.#body?.close()
    }
  }

  async #fetch() {
    const action = this.#action
    const { signal } = this.#controller
    if (action.type === "listen" && action.at) await pause(action.at - Date.now(), signal)
    /** @type {RequestInit & {headers: Record<string, string>}} */
    const init = {
      method: methods[action.type],
      headers: Object.fromEntries(action.headers ?? []),
      redirect: "manual", // a redirect would hand answers and requestState to whoever it names
      signal,
    }
    if (action.type === "post") init.body = action.body
    const given = this.#options.fetch // which may know what the URL is relative to
    const fault = urlFault(this.#url, globalThis.location?.href ?? (given && "http://localhost/"))
    if (fault) throw unsent(fault)
    return (given ?? fetch)(this.#url, init)
  }

  /** @param {Response} response @param {Body} body @param {Ended} end */
  async #read(response, body, end) {
    const { exchange } = end
    const { status } = response
    const sessionId = response.headers.get("Mcp-Session-Id") ?? undefined
    if (status) Object.assign(end, { status, sessionId })
    else end.reason = "the endpoint has moved, and redirects are not followed" // as far as a browser says
    if (status === 200 && isStream(response)) return this.#stream(body, end)
    // The body of an error MUST be read (basic/transports/streamable-http, Sending Messages).
    const text = await body.whole()
    const cause = response.ok ? undefined : new StatusError(status)
    this.#feed(text ? { type: "message", exchange, body: text, status, sessionId, last: true } : end, cause)
  }

  /** Every event's data is one message. @param {Body} body @param {Ended} end */
  async #stream(body, end) {
    const { exchange, sessionId } = end
    const events = eventStream(
      (type, data, id) => {
        if (id !== undefined) end.eventId = id
        const { eventId, retry } = end
        if (data && type === "message") this.#feed({ type: "message", exchange, body: data, sessionId, eventId, retry })
        body.taken()
      },
      (ms) => (end.retry = ms),
    )
    for await (const text of body.parts()) events.feed(text)
    events.end()
    this.#feed(end)
  }

  /** Nothing more is fed once the exchange was aborted. @param {Parameters<Receive>[0]} event @param {unknown} [cause] */
  #feed(event, cause) {
    if (!this.#controller.signal.aborted) this.#receive(event, cause, "call" in this.#action ? this.#action.call : undefined)
  }
}

/** @param {number} ms @param {AbortSignal} [signal] @returns {Promise<void>} */
async function pause(ms, signal) {
  await new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal?.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve(undefined)
    })
  })
  signal?.throwIfAborted()
}
