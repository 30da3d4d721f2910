// Bounds what strangers can take of a server on node:http: connections, time, bytes and requests. It answers health
// checks, and stops without losing a request. Copy it.
import { createServer } from "node:http"

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { Socket } from "node:net" */

/**
 * @typedef {object} Bounds times are milliseconds
 * @property {number} [stall] that a request may take to arrive, a connection may wait for one, or a client may take nothing of an answer: a minute; a header has 10 s at most
 * @property {number} [grace] that requests in flight may take to end when the server stops: 10 s
 * @property {number} [bodyBytes] 4 MiB
 * @property {number} [connections] 1000; behind a proxy all are of one address, so an address has no share of them
 * @property {number} [requests] in flight, 500
 * @property {number} [each] in flight of one client: half of them
 */

/** What comes after: `body` is the request's, as JSON; undefined if there is none. @typedef {(request: IncomingMessage, response: ServerResponse, body: unknown) => unknown} Next */

export class Limits {
  #bounds
  #stopping = false
  /** Connections on which no request has arrived, the one that has waited longest first. @type {Set<Socket>} */
  #waiting = new Set()
  #connections = 0
  /** Requests in flight, by client. @type {Map<string, number>} */
  #clients = new Map()
  #requests = 0
  /** Called when none is in flight. */
  #empty = () => {}

  /** @param {Bounds} [bounds] */
  constructor({ stall = 60_000, grace = 10_000, bodyBytes = 4 << 20, connections = 1000, requests = 500, each = Math.ceil(requests / 2) } = {}) {
    this.#bounds = { stall, grace, bodyBytes, connections, requests, each }
    const headersTimeout = Math.min(stall, 10_000)
    /** The server, to listen with. */
    this.server = createServer({
      headersTimeout,
      requestTimeout: stall,
      keepAliveTimeout: stall,
      connectionsCheckingInterval: Math.ceil(headersTimeout / 2),
      maxHeaderSize: 64 << 10,
    })
    this.server.maxRequestsPerSocket = 10_000
    // An answer may pause; one that nobody takes may not.
    this.server.setTimeout(stall, (socket) => (socket.writableLength > 0 || this.#waiting.has(socket)) && socket.destroy())
    this.server.on("connection", (socket) => this.#connected(socket))
  }

  /** @param {Socket} socket */
  #connected(socket) {
    this.#connections++
    socket.once("close", () => {
      this.#connections--
      this.#waiting.delete(socket)
    })
    if (this.#connections > this.#bounds.connections) {
      const [oldest] = this.#waiting
      if (!oldest) return void socket.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 2\r\nContent-Length: 0\r\n\r\n")
      oldest.destroy()
    }
    this.#waiting.add(socket)
  }

  /** Serves requests: each once its body has arrived. @param {Next} next */
  serve(next) {
    this.server.on("request", async (request, response) => {
      if (request.url === "/healthz") return answer(response, this.#stopping ? 503 : 200, this.#stopping ? "stopping" : "ok")
      if (this.#stopping) return answer(response, 503, "the server is stopping: try again, and another one answers")
      const { socket } = request
      try {
        const body = await this.#read(request, response)
        this.#waiting.delete(socket)
        response.once("close", () => socket.destroyed || this.#waiting.add(socket))
        await next(request, response, body)
      } catch (error) {
        const { status, message } = error instanceof TooMuch ? error : { status: 500, message: "" }
        answer(response, status, message)
      }
    })
  }

  /** A length that is said to be too long is refused before anything is read. @param {IncomingMessage} request @param {ServerResponse} response @returns {Promise<unknown>} */
  async #read(request, response) {
    const { bodyBytes } = this.#bounds
    const long = () => new TooMuch(413, `the request's body is longer than ${bodyBytes} bytes, which is the most that this server takes`)
    if (Number(request.headers["content-length"] ?? 0) > bodyBytes) throw long()
    const chunks = []
    let size = 0
    // Left early, the loop would destroy the socket before the answer is out.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      if ((size += chunk.length) > bodyBytes) throw long()
      chunks.push(chunk)
    }
    if (size === 0) return undefined
    try {
      return JSON.parse(Buffer.concat(chunks).toString())
    } catch {
      throw new TooMuch(400, "the request's body is not JSON")
    }
  }

  /**
   * What comes next within the bounds of requests in flight: one too many of a client is answered 429, of all 503.
   *
   * @param {Next} next
   * @param {(request: IncomingMessage) => string} client whose request it is
   * @returns {Next}
   */
  share(next, client) {
    return async (request, response, body) => {
      const { requests, each } = this.#bounds
      const who = client(request)
      const mine = this.#clients.get(who) ?? 0
      if (mine >= each) return answer(response, 429, "you have as many requests as one client may have at a time: wait until one has ended")
      if (this.#requests >= requests) return answer(response, 503, "the server has as many requests as it may have at a time: try again later")
      this.#requests++
      this.#clients.set(who, mine + 1)
      response.once("close", () => {
        const left = (this.#clients.get(who) ?? 1) - 1
        if (left > 0) this.#clients.set(who, left)
        else this.#clients.delete(who)
        if (--this.#requests === 0) this.#empty()
      })
      await next(request, response, body)
    }
  }

  /** Takes no new requests, gives those in flight time to end, and closes the server. */
  async stop() {
    this.#stopping = true
    for (const socket of this.#waiting) socket.destroy()
    /** @type {NodeJS.Timeout | undefined} */
    let late
    if (this.#requests > 0) {
      await new Promise((resolve) => {
        this.#empty = () => resolve(undefined)
        late = setTimeout(resolve, this.#bounds.grace)
      })
    }
    clearTimeout(late)
    this.server.close()
    this.server.closeAllConnections()
  }
}

class TooMuch extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message)
    this.status = status
  }
}

/** @param {ServerResponse} response @param {number} status @param {string} text */
function answer(response, status, text) {
  if (response.headersSent) return void response.end()
  /** @type {Record<string, string>} */
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" }
  if (status === 429 || status === 503) headers["Retry-After"] = "2"
  if (status !== 200) headers.Connection = "close" // what is left of the request is not read
  response.writeHead(status, headers).end(`${text}\n`)
}
