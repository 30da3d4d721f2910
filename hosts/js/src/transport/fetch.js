import { Body, BodyError, isStream } from "./body.js"
import { CookieJar } from "./cookies.js"
import { heard, lastWords } from "./last-messages.js"
import { urlFault, whyCut, whyLost, whyUnsent } from "./failure-reason.js"
import { say } from "../texts/sentence.js"
import { withoutPrefix } from "../texts/plain.js"
import { eventStream } from "./sse.js"
import { StatusError } from "./status-error.js"
import { chain, isParserError, unsent } from "./unsent.js"

/** @import { Cookies } from "./cookies.js" */
/** @import { Delete, EndedExchange, Listen, Post } from "../engine/session.js" */
/** @import { Carried, Carrier, Receive, Transport } from "./contract.js" */

/**
 * @typedef {object} FetchOptions
 * @property {(url: string, init: RequestInit & {headers: Record<string, string>}) => Promise<Response>} [fetch]
 *   in place of the platform's. A request that it sends again must be the same,
 *   byte for byte. It is given the session's cookies among the header fields. If it sends nothing, let it throw an error that has `unsent: true`: its message is shown to the person
 * @property {(signal: AbortSignal) => string | undefined | Promise<string | undefined>} [authorization]
 *   the value of the Authorization header field for the next request, such as `"Bearer …"`. If it throws, the request
 *   is not sent, and the error's message is shown to the person. What a server wants it says to the asker `authorize`
 * @property {number} [maxResponse] bounds a message of the server, in bytes; 65 MiB if absent, a little more than what the engine takes
 */

/**
 * Streamable HTTP by fetch: a POST for each message, answered with JSON or
 * server-sent events, and for servers of earlier eras a stream by GET and a
 * DELETE at the end. Redirects are not followed.
 *
 * Each session keeps its server's cookies, because balancers pin sessions by them:
 * in memory, for this URL and one account alone. In a page the browser does, and
 * sends none to another origin unless `fetch` asks it to, by `credentials`.
 *
 * @param {string | URL} url
 * @param {FetchOptions} [options]
 * @returns {Transport}
 */
export function fetchTransport(url, options = {}) {
  return { kind: "http", open: (receive) => new FetchCarrier(String(url), options, receive) }
}

/** @implements {Carrier} */
class FetchCarrier {
  #url
  #options
  #receive
  /** @type {Map<number, Exchange>} */
  #exchanges = new Map()
  /** The last value of Authorization. @type {{value?: string} | undefined} */
  #carried
  #changes = 0
  /** @type {CookieJar | undefined} */
  #jar
  /** How many accounts had signed in when the engine's instance was made, and have by now. */
  #accounts = { before: 0, now: 0 }
  /** What ends the server's session of an earlier era. @type {Delete | undefined} */
  #session

  /** @param {string} url @param {FetchOptions} options @param {Receive} receive */
  constructor(url, options, receive) {
    this.#url = url
    this.#options = options
    this.#receive = receive
  }

  /** @param {Carried} action */
  perform(action) {
    const { exchange } = action
    if (action.type !== "abort") return this.#begin({ ...action, jar: this.#account(action) }, this.#receive)
    const dropped = this.#exchanges.get(exchange)
    this.#exchanges.delete(exchange)
    if (dropped?.abort() === false) this.#receive({ type: "ended", exchange, unsent: true })
  }

  /** @param {Post | Listen | Delete} action @param {Receive} receive */
  #begin(action, receive) {
    const { exchange, type } = action
    this.#session = type === "delete" ? undefined : (ending(action) ?? this.#session)
    const begun = new Exchange(action, this.#url, this.#options, receive, this.#authorization, this.#cookies)
    const words = type === "delete" ? this.#words() : [] // which are of the session that it ends
    this.#exchanges.set(exchange, begun)
    begun.done = begun.run(words[0] && heard(words, lastWords / 2)).then(() => void this.#exchanges.delete(exchange))
  }

  /** How many accounts had signed in when a request was made. @param {Post | Listen | Delete} action */
  #account({ jar = 0 }) {
    const account = this.#accounts.before + jar
    this.#accounts.now = Math.max(this.#accounts.now, account)
    return account
  }

  /** @param {AbortSignal} signal */
  async authorized(signal) {
    return (await this.#authorization(signal))[1]
  }

  /**
   * The Authorization of the next request, and how often it has changed: another
   * one may be another account's.
   *
   * @param {AbortSignal} signal @returns {Promise<[value: string | undefined, changes: number]>}
   */
  #authorization = async (signal) => {
    const value = await this.#options.authorization?.(signal)
    if (this.#carried && this.#carried.value !== value) this.#changes++
    this.#carried = { value }
    return [value, this.#changes]
  }

  /** The cookies of an account. @param {string | undefined} base of the URL @param {number} account */
  #cookies = (base, account) => (this.#jar ??= new CookieJar(new URL(this.#url, base))).of(account)

  /** The next instance counts accounts from 0, and does not know whose the cookies are: it begins without. The server's session is no use to it. */
  reset() {
    this.#end()
    this.#accounts.before = ++this.#accounts.now
    if (this.#session) this.#begin(this.#session, () => {})
  }

  async close() {
    for (const exchange of this.#exchanges.values()) if (!exchange.isWord) exchange.abort()
    await heard(this.#words())
    this.#end()
  }

  #end() {
    for (const exchange of this.#exchanges.values()) exchange.abort()
    this.#exchanges.clear()
  }

  /** Ends of what the server is told by the session itself, such as cancellations. */
  #words() {
    return [...this.#exchanges.values()].filter(({ isWord }) => isWord).map(({ done }) => done)
  }
}

/** The DELETE that ends a server's session of an earlier era, if a request is of one. @param {Post | Listen} action @returns {Delete | undefined} */
function ending({ jar, headers = [] }) {
  const fields = headers.filter(([name]) => /^mcp-(session-id|protocol-version)$/i.test(name))
  if (fields.some(([name]) => name.toLowerCase() === "mcp-session-id")) return { type: "delete", exchange: -1, jar, headers: fields }
}

/** @typedef {{type: "ended"} & EndedExchange} Ended */

const methods = { post: "POST", listen: "GET", delete: "DELETE" }

/** One request and its response. */
class Exchange {
  #action
  #url
  #options
  #receive
  #authorize
  #cookies
  #controller = new AbortController()
  #begun = false
  /** @type {Body | undefined} */
  #body

  /** @type {Promise<void> | undefined} */
  done

  /** @param {Post | Listen | Delete} action @param {string} url @param {FetchOptions} options @param {Receive} receive @param {(signal: AbortSignal) => Promise<[string | undefined, number]>} authorize @param {(base: string | undefined, account: number) => Cookies} cookies */
  constructor(action, url, options, receive, authorize, cookies) {
    this.#action = action
    this.#url = url
    this.#options = options
    this.#receive = receive
    this.#authorize = authorize
    this.#cookies = cookies
    this.type = action.type
    this.isWord = action.type === "delete" || (action.type === "post" && action.call === undefined)
  }

  /** Ends it, and tells whether it was begun. */
  abort() {
    this.#controller.abort()
    this.#body?.close() // for a fetch that does not mind its signal
    return this.#begun
  }

  /** @param {Promise<void>} [before] what it has to wait for */
  async run(before) {
    if (before) await before
    const { exchange } = this.#action
    /** How it ended, as far as it got. @type {Ended} */
    const end = { type: "ended", exchange }
    let answered = false
    try {
      const response = await this.#fetch(end)
      answered = true
      this.#body = new Body(response, this.#options.maxResponse)
      if (!this.#controller.signal.aborted) await this.#read(response, this.#body, end)
    } catch (error) {
      withoutQuotes(error)
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

  /** @param {Ended} end */
  async #fetch(end) {
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
    const [authorization, changes] = await this.#authorization(signal)
    if (changes) end.authorization = changes
    if (authorization) init.headers.Authorization = authorization
    const given = this.#options.fetch // which may know what the URL is relative to
    const base = globalThis.location?.href ?? (given && "http://localhost/")
    const fault = urlFault(this.#url, base)
    if (fault) throw unsent(fault)
    signal.throwIfAborted() // then it was not begun
    const cookies = this.#cookies(base, action.jar ?? 0)
    const cookie = cookies.field(Date.now())
    if (cookie) init.headers.Cookie = cookie
    this.#begun = true
    const response = await (given ?? fetch)(this.#url, init)
    if (!response.redirected) cookies.take(response.headers.getSetCookie?.() ?? [], Date.now())
    return response
  }

  /** @param {AbortSignal} signal */
  async #authorization(signal) {
    try {
      return await this.#authorize(signal)
    } catch (error) {
      throw unsent(withoutPrefix(error instanceof Error ? error.message : String(error)), error)
    }
  }

  /** @param {Response} response @param {Body} body @param {Ended} end */
  async #read(response, body, end) {
    const { exchange, authorization } = end
    const { status } = response
    const sessionId = response.headers.get("Mcp-Session-Id") ?? undefined
    const challenge = response.headers.get("WWW-Authenticate") ?? undefined
    const location = movedTo(response, response.url || this.#url)
    if (status) Object.assign(end, { status, sessionId, challenge, location })
    else end.reason = say`the endpoint has moved, and redirects are not followed` // as far as a browser says
    if (status === 200 && isStream(response)) {
      if (this.type === "listen") this.#feed({ type: "opened", exchange })
      if (!(await body.isJSON())) return this.#stream(body, end)
    }
    // The body of an error MUST be read (basic/transports/streamable-http, Sending Messages).
    const bytes = await body.whole()
    const cause = response.ok ? undefined : new StatusError(status)
    this.#feed(bytes.length ? { type: "message", exchange, body: bytes, status, sessionId, challenge, location, authorization, last: true } : end, cause)
  }

  /** Every event's data is one message. @param {Body} body @param {Ended} end */
  async #stream(body, end) {
    const { exchange, sessionId, authorization } = end
    /** @type {Promise<void> | void} */
    let room = undefined
    const events = eventStream(
      (type, data, id) => {
        if (id !== undefined) end.eventId = id
        const { eventId, retry } = end
        if (data && type === "message") room = this.#feed({ type: "message", exchange, body: data, sessionId, eventId, retry, authorization })
        body.taken()
      },
      (ms) => (end.retry = ms),
    )
    for await (const text of body.parts()) {
      events.feed(text)
      await room
    }
    events.end()
    this.#feed(end)
  }

  /** Nothing more is fed once the exchange was aborted. @param {Parameters<Receive>[0]} event @param {unknown} [cause] */
  #feed(event, cause) {
    if (!this.#controller.signal.aborted) return this.#receive(event, cause)
  }
}

/** Where a redirect leads, undefined if the response is none. What follows the path may be a secret. @param {Response} response @param {string} url */
function movedTo(response, url) {
  const to = response.headers.get("Location")
  if (!to || response.status < 300 || response.status >= 400 || !URL.canParse(to, url)) return undefined
  const { protocol, origin, pathname } = new URL(to, url)
  return /^https?:$/.test(protocol) ? origin + pathname : undefined
}

/** Takes out of an error what Node quotes of the response, which may hold a cookie. @param {unknown} error */
function withoutQuotes(error) {
  for (const e of chain(error)) if ("data" in e && isParserError(e)) delete e.data
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
