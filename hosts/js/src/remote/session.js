import { Code, ParleyError } from "../engine/errors.js"
import { text } from "../engine/call.js"
import { quoted } from "../texts/plain.js"
import { handle, opened, RemoteCall } from "./call.js"
import { abilities, checkSaid, fromHost, mostCalls, ofCall, ofSession, read, version } from "./messages.js"
import { checkRequest, checkResumption, noMember } from "../calls/request.js"
import { newId } from "../store/parking.js"
import { TypedCalls } from "../calls/typed.js"
import { observe } from "../calls/watchers.js"
import { inEnglish, say, sentenceOf, translate } from "../texts/sentence.js"

/** @import { Askers } from "../calls/askers.js" */
/** @import { Outcome } from "../calls/driver.js" */
/** @import { Socket } from "./messages.js" */
/** @import { HostSide, Request, Resumption } from "../calls/request.js" */
/** @import { SubscriptionFilter } from "../engine/session.js" */
/** @import { Sentence } from "../texts/sentence.js" */
/** @import { SessionWatchers } from "../calls/watchers.js" */

/**
 * @typedef {object} RemoteOptions
 * @property {Askers} [askers] answer the server's questions, as in a session of the page's own
 * @property {SessionWatchers} [watchers] are told about the session
 * @property {number[]} [retries] how long to wait before each try to connect anew while there are calls, in milliseconds; eight, half a minute in all, if absent
 * @property {number} [maxMessage] how long a message of the host's server may be, in characters; 16 Mi if absent
 */

const defaultRetries = [0, 250, 500, 1000, 2000, 4000, 8000, 15000]

/** How long the host's server may take until it says hello, in milliseconds. */
const patience = 15_000

/** What a WebSocket is closed with where trying again is no use: broken rules, data of the wrong kind or too much of it, or the host's word. */
const final = [1002, 1003, 1008, 1009]

/**
 * A session that the host's own server drives, for a page that may not run
 * WebAssembly: the same calls, askers and watchers, over one WebSocket.
 *
 * @param {string | URL | (() => Socket)} open the URL of that server, or what makes each connection
 * @param {RemoteOptions} [options]
 */
export function connectRemote(open, options = {}) {
  return new RemoteSession(open, options)
}

/** Calls to one server by way of the host's own; `connectRemote` makes one. */
export class RemoteSession extends TypedCalls {
  #open
  #askers
  #watchers
  #retries
  #most
  /** @type {Map<string, RemoteCall>} */
  #calls = new Map()
  /** @type {Set<Promise<unknown>>} */
  #running = new Set()
  /** @type {Socket | undefined} */
  #socket
  /** What the server said first on this connection. @type {{memory: string, most: number} | undefined} */
  #hello
  /** How often connecting has failed in a row. */
  #tries = 0
  /** Until the server says hello, or the next try. @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  /** What is watched, and whether the server was ever told. @type {{filter: SubscriptionFilter, told: boolean} | undefined} */
  #watched
  /** @type {Promise<void> | undefined} */
  #closed

  /** @param {string | URL | (() => Socket)} open @param {RemoteOptions} options */
  constructor(open, { askers = {}, watchers = {}, retries = defaultRetries, maxMessage = 16 << 20, ...stray }) {
    super()
    for (const [name, value] of Object.entries(stray)) if (value !== undefined) noMember("a remote session's options", name)
    this.#open = typeof open === "function" ? open : () => /** @type {Socket} */ (new WebSocket(open))
    this.#askers = askers
    this.#watchers = watchers
    this.#retries = retries
    this.#most = maxMessage
  }

  /**
   * As a session's own. The host's server keeps the call: `save` is called once,
   * before anything is sent, with what stands for the snapshot in the page.
   *
   * @override @param {Request} request @returns {Promise<Outcome>}
   */
  async call(request) {
    checkRequest(request)
    const { method, params = "{}", options = {}, ...side } = request
    return this.#run({ type: "call", call: newId(), method, params: text(params), options }, method, side)
  }

  /**
   * As a session's own. Where nobody knew what became of a call, the host's
   * server says so; it is sent again only with `resend`.
   *
   * @param {Resumption} resumption @returns {Promise<Outcome>}
   */
  async resume(resumption) {
    checkResumption(resumption)
    const { snapshot, expect, resend, again, moreRounds, ...side } = resumption
    const { call, method } = opened(snapshot)
    return this.#run({ type: "resume", call, how: { expect, resend, again, moreRounds } }, method, side)
  }

  /** As a session's own. @param {SubscriptionFilter} filter */
  subscribe(filter) {
    this.#check()
    this.#watched = { filter, told: this.#say({ type: "subscribe", filter }) }
    this.#dial()
  }

  /** Ends the session: calls that run are canceled, and the server is told where it can be. @returns {Promise<void>} */
  close() {
    return (this.#closed ??= this.#close())
  }

  async #close() {
    this.#watched = undefined
    for (const call of this.#calls.values()) call.stop(new Error("parley: the session was closed"))
    await Promise.allSettled(this.#running)
    this.#hangUp()
  }

  /** @override @protected @param {Sentence} sentence */
  warn(sentence) {
    this.#tell("onWarning", translate(sentence), sentence)
  }

  #check() {
    if (this.#closed) throw new ParleyError(Code.order, "the session is closed")
  }

  /** @param {import("./call.js").First} begin @param {string} method @param {HostSide} side */
  async #run(begin, method, side) {
    this.#check()
    const { askers = this.#askers, watchers = {}, save } = side
    try {
      await save?.(handle(begin.call, method))
    } catch (cause) {
      return /** @type {Outcome} */ ({ status: "failed", code: Code.save, ...inEnglish(say`the call could not be kept, and was not sent`), resumable: false, cause })
    }
    this.#check()
    if (this.#calls.has(begin.call)) throw new ParleyError(Code.order, "the call runs already")
    if (this.#calls.size >= mostCalls) throw new ParleyError(Code.order, `${mostCalls} calls run already`)
    const first = { ...begin, can: canOf(askers), tell: named(watchers, ofCall) }
    const call = new RemoteCall({ say: this.#say, fits: this.#fits }, first, method, { ...side, askers })
    this.#calls.set(begin.call, call)
    const outcome = call.run(() => (this.#hello ? call.go(this.#hello.memory) : this.#dial()))
    this.#running.add(outcome)
    try {
      return await outcome
    } finally {
      this.#calls.delete(begin.call)
      this.#running.delete(outcome)
    }
  }

  /** Connects, unless that is done or under way. */
  #dial() {
    if (this.#socket || this.#closed) return
    clearTimeout(this.#timer)
    /** @type {Socket} */
    let socket
    try {
      socket = this.#open()
    } catch (cause) {
      return this.#giveUp(cause)
    }
    const mine = (/** @type {(event: any) => void} */ take) => (/** @type {any} */ event) => this.#socket === socket && take(event)
    this.#socket = socket
    this.#timer = setTimeout(() => this.#lost(new Error("parley: the host's server does not say hello")), patience)
    socket.addEventListener("open", mine(() => socket.send(JSON.stringify({ type: "hello", version, can: canOf(this.#askers), tell: named(this.#watchers, ofSession) }))))
    socket.addEventListener("message", mine(({ data }) => this.#receive(data)))
    socket.addEventListener("close", mine(({ code, reason }) => this.#lost(new Error(`parley: the host's server closed the connection: ${code} ${quoted(String(reason))}`), final.includes(code))))
    socket.addEventListener("error", () => {}) // close follows
  }

  /** @param {unknown} data */
  #receive(data) {
    try {
      this.#take(read(data, fromHost, this.#most))
    } catch (cause) {
      this.#lost(new Error("parley: the host's server breaks the rules", { cause }), true)
    }
  }

  /** @param {any} message */
  #take(message) {
    if (message.type === "hello") return this.#greeted(message)
    if (!this.#hello) throw new Error("the server does not say hello first")
    this.#tries = 0
    const { call, what, said, detail } = message
    if (message.type === "error") return this.#tell("onWarning", detail, sentenceOf(detail))
    if (call !== undefined) return this.#calls.get(call)?.take(message) // it may have ended here meanwhile
    if (!Object.hasOwn(ofSession, what)) throw new Error("nobody is told such a thing of a session")
    this.#tell(what, ...checkSaid(said, ofSession[what] ?? []))
  }

  /** @param {{version: number, memory: string, most: number}} hello */
  #greeted({ version: its, memory, most }) {
    if (this.#hello || its !== version) throw new Error(`the server speaks version ${its}, and this page ${version}`)
    clearTimeout(this.#timer)
    this.#hello = { memory, most }
    if (this.#watched) {
      const { filter, told } = this.#watched
      this.#watched.told = this.#say({ type: "subscribe", filter })
      if (told) this.#tell("onChanged", { ...filter, missed: true })
    }
    for (const call of this.#calls.values()) call.go(memory)
  }

  /** The connection is gone. It is tried again while somebody waits, unless that is no use. @param {unknown} cause @param {boolean} [never] */
  #lost(cause, never) {
    this.#hangUp()
    if (this.#calls.size === 0 && !this.#watched) return
    const wait = never ? undefined : this.#retries[this.#tries++]
    if (wait === undefined) this.#giveUp(cause)
    else this.#timer = setTimeout(() => this.#dial(), wait)
  }

  /** @param {unknown} cause */
  #giveUp(cause) {
    this.#tries = 0
    for (const call of this.#calls.values()) call.lose(cause)
    if (this.#watched) this.#tell("onSubscribed", { reason: "the connection to the host's server is lost", over: true })
    this.#watched = undefined
  }

  #hangUp() {
    clearTimeout(this.#timer)
    const socket = this.#socket
    this.#socket = this.#hello = undefined
    socket?.close(1000)
  }

  /** Says something to the server; false if nobody listens. @param {object} message */
  #say = (message) => {
    if (this.#hello) this.#socket?.send(JSON.stringify(message))
    return this.#hello !== undefined
  }

  /** @param {object} message */
  #fits = (message) => JSON.stringify(message).length + 200 <= (this.#hello?.most ?? Infinity)

  /** @param {string} what @param {...unknown} said */
  #tell(what, ...said) {
    observe(() => /** @type {any} */ (this.#watchers)[what]?.(...said))
  }
}

/** @param {Askers} askers */
const canOf = (askers) => Object.fromEntries(abilities.flatMap((name) => (askers[name] ? [[name, true]] : [])))

/** Which of the watchers there are. @param {object} watchers @param {object} known */
const named = (watchers, known) => Object.keys(known).filter((name) => /** @type {any} */ (watchers)[name])
