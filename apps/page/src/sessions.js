// The sessions of this tab: one with each server, for all its calls.

import { connect, fetchTransport, PARK } from "@parley-mcp/parley"

import { Queue } from "./queue.js"

/** @import { Asker, Askers, Engine, Session } from "@parley-mcp/parley" */
/** @import { Settings } from "./settings.js" */

/** What a "warning" event tells of: something of a server's was left out or ignored. @typedef {{url: string, text: string}} Warning */

/**
 * A session, the kinds of questions it was made for, and how much uses it.
 * `version` is the protocol version that is spoken, once it is known.
 *
 * @typedef {{session: Session, asked: string, users: number, version?: string}} Entry
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

  /** What the person lets servers ask for, all for the same asker to answer. @param {Asker} ask @returns {Askers} */
  askers(ask) {
    const { samples, shareRoots } = this.#settings
    return { elicit: ask, elicitUrl: ask, ...(samples !== "nobody" && { sample: ask }), ...(shareRoots && { listRoots: ask }), tasks: true }
  }

  /**
   * The session for what the settings let servers ask for. Servers of earlier
   * eras are told once, so other settings make another session; what still runs
   * goes on in the one it began in.
   *
   * @param {string} url
   */
  #current(url) {
    const askers = this.askers(() => PARK) // a call has its own
    const asked = Object.keys(askers).join()
    const last = this.#entries.get(url)
    if (last?.asked === asked) return last
    const entry = this.#make(url, askers, asked, last?.version)
    this.#entries.set(url, entry)
    if (last) end(last)
    return entry
  }

  /** @param {string} url @param {Askers} askers @param {string} asked @param {string} [known] @returns {Entry} */
  #make(url, askers, asked, known) {
    const session = connect(this.#engine, fetchTransport(url), {
      clientInfo,
      ...askers,
      known,
      onReady: ({ version }) => void (entry.version = version),
      onWarning: (text) => this.#warn({ url, text }),
    })
    /** @type {Entry} */
    const entry = { session, asked, users: 0 }
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
