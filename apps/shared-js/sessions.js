// The sessions with servers: one with each, for all calls.

import { connect } from "./parley.js"
import { Queue } from "./queue.js"

/** @import { Asker, Askers, ConnectOptions, Engine, Sentence, Session, Transport } from "./parley.js" */
/** @import { AccountAt } from "./sign-in.js" */

/** A server of the person's list: `label` is what they call it, and `address` tells it from every other. @typedef {{label: string, address: string}} Server */

/**
 * What an app has for sessions.
 *
 * @template {Server} S
 * @typedef {object} Means
 * @property {ConnectOptions["clientInfo"]} clientInfo
 * @property {(ask: Asker) => Askers} askers what the person lets servers ask for, all for one asker to answer
 * @property {(server: S) => Transport} transport
 * @property {(server: S) => Asker} [roots] which folders a server may work on that asks before there is a call; if absent, it is told of none
 * @property {(server: S) => AccountAt | undefined} [account] who signs in there; if absent, nobody can
 * @property {(server: S, version: string) => void} [onReady] is told the protocol version that is spoken
 * @property {(server: S, text: string, sentence: Sentence) => void} onWarning is told that something of a server's was left out or ignored
 * @property {number} [mostWaiting] how many calls may wait at a server of an earlier era
 */

/**
 * A session, what its server may ask for, and how much uses it. `version` is the
 * protocol version that is spoken, once it is known.
 *
 * @typedef {{session: Session, may: string, users: number, version?: string}} Entry
 */

/** The first version whose servers keep no connection while the person thinks. */
const firstFree = "2026-07-28"

/**
 * How many calls may wait at a server of an earlier era. Each keeps a
 * connection, and a browser opens six to a host over HTTP/1.1: one is the
 * session's stream, and one is left for answers.
 */
const browsersMost = 4

/** @template {Server} S */
export class Sessions {
  #engine
  #means
  /** By the servers' addresses. @type {Map<string, Entry>} */
  #entries = new Map()
  /** The calls of each server. @type {Map<string, Queue>} */
  #queues = new Map()

  /** @param {Engine} engine @param {Means<S>} means */
  constructor(engine, means) {
    this.#engine = engine
    this.#means = means
  }

  /**
   * Does something with the session of a server, which is there until it is
   * done.
   *
   * @template T
   * @param {S} server @param {(session: Session) => Promise<T>} work
   */
  async use(server, work) {
    const entry = this.#current(server)
    entry.users++
    try {
      return await work(entry.session)
    } finally {
      entry.users--
      if (entry !== this.#entries.get(server.address)) end(entry)
    }
  }

  /**
   * Makes a call in the session of a server, when it is its turn.
   *
   * @template T
   * @param {S} server @param {(session: Session) => Promise<T>} call returns at once if the signal has aborted
   * @param {AbortSignal} signal @param {() => void} onWait is called if it is not its turn yet
   */
  call(server, call, signal, onWait) {
    const queue = this.#queues.get(server.address) ?? new Queue()
    this.#queues.set(server.address, queue)
    const { mostWaiting = browsersMost } = this.#means
    return this.use(server, async (session) => {
      const { version = firstFree } = this.#current(server)
      const leave = await queue.enter(version < firstFree ? mostWaiting : Infinity, signal, onWait)
      try {
        return await call(session)
      } finally {
        leave()
      }
    })
  }

  /**
   * Has the next call at a server make a session of its own, as its account is
   * signed out: what the server keeps by a session or a cookie is that account's.
   *
   * @param {string} address
   */
  leave(address) {
    const entry = this.#entries.get(address)
    this.#entries.delete(address)
    if (entry) end(entry)
  }

  /** What the person lets servers ask for now. @param {Asker} ask */
  askers(ask) {
    return this.#means.askers(ask)
  }

  /** Who is signed in at a server. @param {S} server */
  account(server) {
    return this.#means.account?.(server)
  }

  /** Who answers a server that wants somebody to sign in. @param {S} server @param {Asker} [ask] @returns {Askers} */
  signingIn(server, ask) {
    const account = this.account(server)
    return account ? { authorize: (question, context) => account.authorize(question, context, ask) } : {}
  }

  /**
   * The session for what the person lets servers ask for. Servers of earlier
   * eras are told once, so other settings make another session; what still runs
   * goes on in the one it began in.
   *
   * @param {S} server
   */
  #current(server) {
    const { clientInfo, transport, roots, onReady, onWarning } = this.#means
    const askers = this.askers((question, context) => {
      if (question.kind === "roots/list" && roots) return roots(server)(question, context)
      throw new Error(question.kind) // what calls are asked, their own askers answer
    })
    const may = Object.entries(askers).flatMap(([name, asker]) => (asker ? [name] : [])).join()
    const last = this.#entries.get(server.address)
    if (last?.may === may) return last
    const session = connect(this.#engine, transport(server), {
      clientInfo,
      askers: { ...askers, ...this.signingIn(server) },
      known: last?.version,
      watchers: {
        onReady({ version }) {
          entry.version = version
          onReady?.(server, version)
        },
        onWarning: (text, sentence) => onWarning(server, text, sentence),
      },
    })
    /** @type {Entry} */
    const entry = { session, may, users: 0 }
    this.#entries.set(server.address, entry)
    if (last) end(last)
    return entry
  }
}

/** Ends a session that another has replaced, when nothing uses it any more. @param {Entry} entry */
function end({ session, users }) {
  if (users === 0) void session.close()
}
