// The sessions of this tab: one with each server, for all its calls.

import { capabilitiesOf, connect, fetchTransport, PARK } from "@parley-mcp/parley"

import { Queue } from "./queue.js"

/** @import { Engine, Session } from "@parley-mcp/parley" */
/** @import { Settings } from "./settings.js" */

/** What a "warning" event tells of: something of a server's was left out or ignored. @typedef {{url: string, text: string}} Warning */

/**
 * A session, what it declares, and how much uses it. `version` is the protocol
 * version that is spoken, once it is known.
 *
 * @typedef {{session: Session, declared: string, users: number, version?: string}} Entry
 */

/** The first version whose servers keep no connection while the person thinks. */
const firstFree = "2026-07-28"

/**
 * How many calls may wait at a server of an earlier era. Each keeps a
 * connection, and a browser opens six to a host over HTTP/1.1: one is the
 * session's stream, and one is left for answers.
 */
const mostWaiting = 4

const clientInfo = { name: "parley-browser-chat", title: "Parley in the browser", version: "0.1.0" }

/** It emits "warning", a CustomEvent of a {@link Warning}. */
export class Sessions extends EventTarget {
  #engine
  #settings
  /** By the servers' addresses. @type {Map<string, Entry>} */
  #entries = new Map()
  /** The calls of each server. @type {Map<string, Queue>} */
  #queues = new Map()

  /** @param {Engine} engine @param {Settings} settings */
  constructor(engine, settings) {
    super()
    this.#engine = engine
    this.#settings = settings
  }

  /**
   * Does something with the session of a server, which is there until it is
   * done.
   *
   * @template T
   * @param {string} url @param {(session: Session) => Promise<T>} work
   */
  async use(url, work) {
    const entry = this.#current(url)
    entry.users++
    try {
      return await work(entry.session)
    } finally {
      entry.users--
      if (entry !== this.#entries.get(url)) end(entry)
    }
  }

  /**
   * Makes a call in the session of a server, when it is its turn.
   *
   * @template T
   * @param {string} url @param {(session: Session) => Promise<T>} call returns at once if the signal has aborted
   * @param {AbortSignal} signal @param {() => void} onWait is called if it is not its turn yet
   */
  call(url, call, signal, onWait) {
    const queue = this.#queues.get(url) ?? new Queue()
    this.#queues.set(url, queue)
    const { version = firstFree } = this.#current(url)
    return this.use(url, async (session) => {
      const leave = await queue.enter(version < firstFree ? mostWaiting : Infinity, signal, onWait)
      try {
        return await call(session)
      } finally {
        leave()
      }
    })
  }

  /**
   * The session that declares what the settings let servers ask for. Servers of
   * earlier eras are told once, so other settings make another session; what
   * still runs goes on in the one it began in.
   *
   * @param {string} url
   */
  #current(url) {
    const declared = declares(this.#settings)
    const last = this.#entries.get(url)
    if (last?.declared === declared) return last
    const entry = this.#make(url, declared, last?.version)
    this.#entries.set(url, entry)
    if (last) end(last)
    return entry
  }

  /** @param {string} url @param {string} declared @param {string} [known] @returns {Entry} */
  #make(url, declared, known) {
    const session = connect(this.#engine, fetchTransport(url), {
      clientInfo,
      capabilities: declared,
      known,
      onReady: ({ version }) => void (entry.version = version),
      onWarning: (text) => this.#warn({ url, text }),
    })
    /** @type {Entry} */
    const entry = { session, declared, users: 0 }
    return entry
  }

  /** @param {Warning} warning */
  #warn(warning) {
    console.info(`${warning.url}: ${warning.text}`)
    this.dispatchEvent(new CustomEvent("warning", { detail: warning }))
  }
}

/** Ends a session that another has replaced, when nothing uses it any more. @param {Entry} entry */
function end({ session, users }) {
  if (users === 0) void session.close()
}

/** What the page lets servers ask for, as clientCapabilities. @param {Settings} settings */
function declares({ samples, shareRoots }) {
  const asks = () => PARK // what a call is given answers
  return capabilitiesOf({
    elicit: asks,
    elicitUrl: asks,
    sample: samples === "nobody" ? undefined : asks,
    listRoots: shareRoots ? asks : undefined,
    tasks: true,
  })
}
