// The sessions of this window: one with each server, for all its calls.

import { connect, fetchTransport, PARK } from "@parley-mcp/parley/core"

import { allowed } from "./settings.js"

/** @import { Engine, Session, Transport } from "@parley-mcp/parley" */
/** @import { StdioOptions } from "../../../hosts/js/dist/stdio-node.js" */
/** @import { Server } from "./servers.js" */
/** @import { Tokens } from "./tokens.js" */
/** @import { Log } from "./log.js" */

/**
 * What the extension host can do beside what VS Code does for it.
 *
 * @typedef {object} Platform
 * @property {(options: StdioOptions) => Transport} [stdio] starts programs
 * @property {(path: string, data: Uint8Array) => Promise<boolean>} [writePrivately]
 *   writes a file that nobody but the person can read; false where others may
 */

/** A session, what its server may ask for, and how much uses it. @typedef {{session: Session, may: string, users: number, known?: string}} Entry */

export class Sessions {
  #engine
  #platform
  #tokens
  #log
  #version
  /** By the servers' addresses. @type {Map<string, Entry>} */
  #entries = new Map()

  /** @param {Engine} engine @param {Platform} platform @param {Tokens} tokens @param {Log} log @param {string} version of the extension */
  constructor(engine, platform, tokens, log, version) {
    this.#engine = engine
    this.#platform = platform
    this.#tokens = tokens
    this.#log = log
    this.#version = version
  }

  /**
   * Does something with the session of a server, which is there until it is
   * done.
   *
   * @template T
   * @param {Server} server @param {(session: Session) => Promise<T>} work
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
   * The session with what the settings let servers ask for. Servers of earlier
   * eras are told once, so other settings make another session; what still runs
   * goes on in the one it began in.
   *
   * @param {Server} server
   */
  #current(server) {
    const askers = allowed(() => PARK) // what a call is given answers
    const may = String(Object.values(askers).map(Boolean))
    const last = this.#entries.get(server.address)
    if (last?.may === may) return last
    const session = connect(this.#engine, this.#transport(server), {
      clientInfo: { name: "parley-vscode", title: "Parley for VS Code", version: this.#version },
      ...askers,
      known: last?.known,
      onReady: ({ version }) => {
        entry.known = version
        this.#log.info(server, `speaks MCP ${version}`)
      },
      onWarning: (text) => this.#log.warn(server, text),
    })
    /** @type {Entry} */
    const entry = { session, may, users: 0 }
    this.#entries.set(server.address, entry)
    if (last) end(last)
    return entry
  }

  /** @param {Server} server @returns {Transport} */
  #transport(server) {
    if (server.url !== undefined) {
      const { url } = server
      return fetchTransport(url, {
        fetch: async (to, init) => fetch(to, { ...init, headers: { ...init.headers, ...(await this.#tokens.headers(url)) } }),
      })
    }
    const { stdio } = this.#platform
    if (!stdio) throw new Error(`${server.label} is a program, and VS Code starts none where it runs in a browser: give it a url`)
    const { command, args, cwd, env } = server
    return stdio({ command, args, cwd, env })
  }
}

/** Ends a session that another has replaced, when nothing uses it any more. @param {Entry} entry */
function end({ session, users }) {
  if (users === 0) void session.close()
}
