import { can } from "../calls/askers.js"
import { mayBeRounded, rounds } from "../texts/exact-number.js"
import { heard } from "./last-messages.js"
import { failed } from "./failure-reason.js"
import { neverConnected, unsent } from "./unsent.js"

/** @import { Askers } from "../calls/askers.js" */
/** @import { Engine } from "../engine/index.js" */
/** @import { Abort, Delete, Listen, Post } from "../engine/session.js" */
/** @import { Carrier, Receive, Transport } from "./contract.js" */

/**
 * The part of a `Client` that is used here, of @modelcontextprotocol/client or
 * of @modelcontextprotocol/sdk.
 *
 * @typedef {object} OverClient
 * @property {unknown} [transport]
 * @property {(request: {method: string, params: Record<string, unknown>}, resultSchema: any, options: any) => Promise<unknown>} request
 * @property {(...handler: [any, any, any]) => void} setRequestHandler
 * @property {(...handler: [any, any, any]) => void} setNotificationHandler
 * @property {(method: any) => void} removeRequestHandler
 * @property {() => object | undefined} getServerCapabilities
 * @property {() => object | undefined} getServerVersion
 * @property {() => string | undefined} getInstructions
 * @property {() => string | undefined} [getNegotiatedProtocolVersion]
 * @property {() => string | undefined} [getProtocolEra]
 * @property {() => object | undefined} [getDiscoverResult]
 */

/**
 * A transport over the connection that an SDK's client has made, in the era
 * that the client speaks: what it was told at its start is told to the
 * session, which drives every call. What the server asks by requests of its own
 * is the session's from its first call on, in place of the client's handlers,
 * which it removes when it closes. The connection, most header fields and signing
 * in stay the client's.
 *
 * Values are kept, their spellings are not: 1.0 becomes 1, and members whose
 * names are whole numbers come first. A whole number that JavaScript would round
 * (2^53+1) is not sent, and no question with one beyond 2^53-1 is put; in a result
 * it is rounded. Ids are the client's. An answer of the server that the client rejects
 * counts as lost.
 *
 * @param {OverClient} client connected by the time of the first call
 * @returns {Transport}
 */
export function over(client) {
  return { kind: "http", open: (receive) => new ClientCarrier(client, receive) }
}

/**
 * What a client has to declare so that servers of earlier eras ask what the
 * askers can answer: `new Client(info, { capabilities: capabilities(engine, askers) })`.
 *
 * @param {Engine} engine
 * @param {Askers} askers
 * @returns {Record<string, any>}
 */
export function capabilities(engine, askers) {
  const core = engine.newSession({ versions: ["2025-11-25"], can: can(askers) })
  try {
    const start = core.step(0, { type: "begin", call: core.call("ping") }).find(({ type }) => type === "post")
    return JSON.parse(/** @type {Post} */ (start).body).params.capabilities
  } finally {
    core.free()
  }
}

/** What servers of earlier eras ask by requests, and the capability that it takes. */
const questions = { "elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots" }

const changed = "the client may have rounded a whole number in the server's question"

/** Whose questions a client's are. @type {WeakMap<OverClient, ClientCarrier>} */
const owners = new WeakMap()

/** A request that the client has in hand. */
class Leg {
  abort = new AbortController()
  /** @type {Promise<void> | undefined} */
  done
  /** @param {unknown} id the session's @param {number} exchange @param {number} [call] whose it is, if it is not the session's own */
  constructor(id, exchange, call) {
    this.id = id
    this.exchange = exchange
    this.call = call
  }
}

/** @implements {Carrier} */
class ClientCarrier {
  #client
  #receive
  /** @type {Set<Leg>} */
  #legs = new Set()
  /** What the server asked, by the id that the session knows it by. @type {Map<string, {answer: (result: unknown) => void, refuse: (error: unknown) => void}>} */
  #asked = new Map()
  /** Cancellations that are on their way. @type {Set<Promise<unknown>>} */
  #words = new Set()
  #count = 0
  /** The exchange in which the session expects requests of the server. */
  #stream = 0

  /** @param {OverClient} client @param {Receive} receive */
  constructor(client, receive) {
    this.#client = client
    this.#receive = receive
  }

  /** @param {Post | Listen | Delete | Abort} action */
  perform(action) {
    const { exchange } = action
    if (action.type === "listen") {
      this.#stream = exchange
      this.#receive({ type: "opened", exchange })
    }
    if (action.type === "abort") this.#drop((leg) => leg.exchange === exchange)
    if (action.type !== "post") return
    const { id, method, params = {}, result, error } = JSON.parse(action.body)
    if (rounds(action.body)) return this.#unfit(action, id, method)
    if (method && id !== undefined) {
      const leg = new Leg(id, exchange, action.call)
      return void (leg.done = this.#request(leg, method, params, paramHeaders(action)))
    }
    if (error) this.#asked.get(id)?.refuse(Object.assign(new Error(error.message), { code: error.code, data: error.data }))
    else if (id !== undefined) this.#asked.get(id)?.answer(result)
    else if (method === "notifications/cancelled") this.#drop((leg) => leg.id === params.requestId)
    this.#receive({ type: "ended", exchange, status: 202 })
  }

  /** Does not send what the client would change. @param {Post} action @param {any} id @param {string | undefined} method */
  #unfit({ exchange }, id, method) {
    const why = "the client would round a whole number in this: send it by a transport of Parley's own"
    if (method) return this.#receive({ type: "ended", exchange, ...failed(unsent(why)) })
    this.#asked.get(id)?.refuse(refusal(-32603, why))
    this.#receive({ type: "ended", exchange, status: 202 })
  }

  /** @param {Leg} leg @param {string} method @param {Record<string, any>} params @param {Record<string, string>} headers */
  async #request(leg, method, params, headers) {
    this.#legs.add(leg)
    const { transport } = this.#client
    try {
      if (!transport) throw unsent("the client is not connected")
      const result = this.#known(method, params) ?? (await this.#client.request({ method, params }, anything, {
        allowInputRequired: true,
        timeout: never,
        signal: leg.abort.signal,
        onprogress: (/** @type {object} */ said) => this.#tell(leg, { method: "notifications/progress", params: { ...said, progressToken: params._meta?.progressToken } }),
        headers,
      }))
      if (!mayBeRounded(/** @type {any} */ (result)?.inputRequests)) this.#tell(leg, { id: leg.id, result }, true)
      else if (this.#legs.has(leg)) this.#receive({ type: "ended", exchange: leg.exchange, reason: changed })
    } catch (error) {
      if (isProtocolError(error) && transport === this.#client.transport) this.#tell(leg, { id: leg.id, error: errorOf(error) }, true)
      else if (this.#legs.has(leg)) this.#receive({ type: "ended", exchange: leg.exchange, ...fault(error, transport) }, error)
    } finally {
      this.#legs.delete(leg)
    }
  }

  /** What the client knows already, or has to do for itself. @param {string} method @param {Record<string, any>} params */
  #known(method, params) {
    const client = this.#client
    const modern = client.getProtocolEra?.() === "modern"
    const version = client.getNegotiatedProtocolVersion?.() ?? /** @type {any} */ (client.transport).protocolVersion ?? "2025-11-25" // the earlier SDK tells it at most to its transport
    const asks = params._meta?.["io.modelcontextprotocol/protocolVersion"]
    if (modern !== (asks !== undefined)) {
      if (!asks && method !== "initialize") throw unsent("the client was connected anew in another version: make a new session")
      throw refusal(-32022, "the client has connected in another version", { supported: [version], requested: asks ?? params.protocolVersion })
    }
    if (method === "subscriptions/listen" || method === "resources/subscribe") throw refusal(-32601, "subscriptions are the client's own")
    if (params._meta?.["io.modelcontextprotocol/clientCapabilities"]?.extensions?.["io.modelcontextprotocol/tasks"]) throw unsent("the client refuses the results of tasks: leave tasks out of the askers")
    if (method === "server/discover") return { ...client.getDiscoverResult?.(), supportedVersions: [version] }
    if (method !== "initialize") return undefined
    this.#own(params.capabilities)
    return { protocolVersion: version, capabilities: client.getServerCapabilities(), serverInfo: client.getServerVersion(), instructions: client.getInstructions() }
  }

  /** Has the session asked what the client is asked from now on. @param {Record<string, unknown>} declared */
  #own(declared) {
    for (const [method, capability] of Object.entries(questions)) {
      if (!declared[capability]) continue
      try {
        handle(this.#client, "Request", method, (params, signal) => this.#ask(method, params, signal))
      } catch (cause) {
        throw unsent(`the client has not declared ${capability}: make it with { capabilities: capabilities(engine, askers) }`, cause)
      }
    }
    const completed = "notifications/elicitation/complete"
    if (declared.elicitation) handle(this.#client, "Notification", completed, (params) => this.#stream && this.#say(this.#stream, { method: completed, params }))
    owners.set(this.#client, this)
  }

  /** @param {string} method @param {unknown} params @param {AbortSignal} signal @returns {Promise<unknown>} */
  #ask(method, params, signal) {
    if (mayBeRounded(params)) return Promise.reject(refusal(-32603, changed))
    const id = `over-${++this.#count}`
    const asked = new Promise((answer, refuse) => {
      this.#asked.set(id, { answer, refuse })
      signal.addEventListener("abort", () => {
        refuse(signal.reason)
        this.#say(this.#stream, { method: "notifications/cancelled", params: { requestId: id } })
      })
    })
    this.#say(this.#stream, { id, method, params })
    return asked.finally(() => this.#asked.delete(id))
  }

  /** Passes on what came for a leg that is still wanted. @param {Leg} leg @param {object} message @param {boolean} [last] */
  #tell(leg, message, last) {
    if (this.#legs.has(leg)) this.#say(leg.exchange, message, last)
  }

  /** @param {number} exchange @param {object} message @param {boolean} [last] */
  #say(exchange, message, last) {
    this.#receive({ type: "message", exchange, body: JSON.stringify({ jsonrpc: "2.0", ...message }), last })
  }

  /** @param {(leg: Leg) => boolean} which */
  #drop(which) {
    for (const leg of this.#legs) {
      if (!which(leg)) continue
      this.#legs.delete(leg)
      this.#sent(() => leg.abort.abort(new Error("parley: the answer is not wanted any more")))
    }
  }

  /** Notes what the client sends meanwhile, for whose end it does not wait itself. @param {() => void} work */
  #sent(work) {
    const transport = /** @type {any} */ (this.#client.transport)
    const own = transport && Object.getOwnPropertyDescriptor(transport, "send")
    const send = transport?.send
    if (typeof send !== "function") return work()
    transport.send = (/** @type {unknown[]} */ ...message) => {
      const word = Promise.resolve(send.apply(transport, message))
      this.#words.add(word)
      word.catch(() => {}).then(() => this.#words.delete(word))
      return word
    }
    try {
      work()
    } finally {
      if (own) Object.defineProperty(transport, "send", own)
      else delete transport.send
    }
  }

  reset() {
    this.#drop(() => true)
    for (const { refuse } of this.#asked.values()) refuse(new Error("the session has ended"))
  }

  async close() {
    this.#drop(({ call }) => call !== undefined)
    await heard([...this.#words, ...[...this.#legs].map(({ done }) => done)])
    this.reset()
    if (owners.get(this.#client) === this) for (const method of Object.keys(questions)) this.#client.removeRequestHandler(method)
  }
}

/**
 * Handles what the server sends by a method. Later clients are told its name and schemas for what comes with it, the
 * earlier ones a schema of the whole with the name in it.
 *
 * @param {OverClient} client @param {"Request" | "Notification"} kind @param {string} method
 * @param {(params: unknown, signal: AbortSignal) => unknown} take
 */
function handle(client, kind, method, take) {
  if (client.getProtocolEra) client[`set${kind}Handler`](method, { params: anything }, (/** @type {unknown} */ params, /** @type {any} */ context) => take(params, context?.mcpReq?.signal))
  else client[`set${kind}Handler`]({ ...anything, shape: { method: { value: method } } }, (/** @type {any} */ { params }, /** @type {any} */ context) => take(params, context?.signal), undefined)
}

/** What is the engine's to judge: a standard schema, and for the earlier SDK one like Zod's, that takes anything. */
const anything = {
  "~standard": { version: 1, vendor: "parley", validate: (/** @type {unknown} */ value) => ({ value }) },
  safeParse: (/** @type {unknown} */ data) => ({ success: true, data }),
}

/** The call's own clocks decide when a leg has taken too long. In milliseconds, the longest a timer can be set for. */
const never = 2 ** 31 - 1

/** The header fields that a tool wants of its parameters; the rest the client makes itself. @param {Post} post */
const paramHeaders = ({ headers = [] }) => Object.fromEntries(headers.filter(([name]) => /^mcp-param-/i.test(name)))

/** What a server would refuse with. @param {number} code @param {string} message @param {unknown} [data] */
const refusal = (code, message, data) => Object.assign(new Error(message), { name: "McpError", code, data })

/**
 * Whether an error is one the server sent. The later SDK brands its classes so, for whoever has another copy of them.
 *
 * @param {any} error
 * @returns {error is {code: number, message: string, data?: unknown}}
 */
function isProtocolError(error) {
  return error?.[Symbol.for("mcp.sdk.errorBrands")]?.has("mcp.ProtocolError") === true || error?.name === "McpError"
}

/** The error as the server sent it: the earlier SDK puts its code before the message. @param {{code: number, message: string, data?: unknown}} error */
const errorOf = ({ code, message, data }) => ({ code, message: String(message).replace(`MCP error ${code}: `, ""), data })

/** Errors of the later SDK from before anything is sent. */
const early = ["NOT_CONNECTED", "CAPABILITY_NOT_SUPPORTED", "METHOD_NOT_SUPPORTED_BY_PROTOCOL_VERSION"]

/**
 * How a request ended that the client has no response to. The SDKs follow
 * redirects to the server's own origin. A client that was told to follow all
 * does not say whether it was the server or where it led to that was not
 * reached: the server may have seen the request.
 *
 * @param {any} error @param {any} transport
 */
function fault(error, transport) {
  const status = error?.status ?? (error?.constructor?.name === "UnauthorizedError" ? 401 : error?.code)
  if (status >= 300 && status < 600) return { status }
  if (early.includes(error?.code)) return failed(unsent(error.message))
  const follows = transport?._redirectPolicy === "follow" || transport?._followRedirects === true
  return failed(!follows && neverConnected(error) ? unsent("there is no connection to the server", error) : error)
}
