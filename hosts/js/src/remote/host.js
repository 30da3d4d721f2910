import { RemoteVisit } from "./visit.js"
import { newId } from "../store/parking.js"
import { NotFoundError, TakenError } from "../store/errors.js"
import { memoryStore } from "../store/memory.js"

/** @import { RemoteRun } from "./run.js" */
/** @import { Visitor } from "./visit.js" */
/** @import { Socket } from "./messages.js" */
/** @import { Holdings } from "../store/contract.js" */

/**
 * @typedef {object} Settings
 * @property {Holdings} store keeps calls, with snapshots that hold secrets; in memory if absent
 * @property {number} maxMessage how long a message of a page may be, in characters; 4 Mi if absent
 * @property {number} maxBacklog how much of what a page does not read may wait, in bytes; 32 MiB if absent
 * @property {number} linger how long a call that cannot be parked runs on without its page, in milliseconds; a minute if absent
 * @property {number} remember how long it is known without any page what became of its calls, in milliseconds; ten minutes if absent
 */

/** How many outcomes that no page has taken are remembered, for each owner. */
const mostEnded = 64

/** How often, and how long apart in milliseconds, a call is tried that somebody else has. */
const tries = 40
const pause = 250

/** How long calls may take to be parked when everything ends, in milliseconds. */
const patience = 2000

/**
 * What drives calls on the host's own server for pages that run no WebAssembly.
 * A call belongs to its owner, not to a connection: the page that is back, or
 * another one of the same owner, goes on with it.
 */
export class RemoteHost {
  #settings
  /** @type {Map<string, Owner>} */
  #owners = new Map()
  /** @type {Set<RemoteVisit>} */
  #visits = new Set()

  /** @param {Partial<Settings>} [settings] */
  constructor(settings = {}) {
    this.#settings = { store: memoryStore(), maxMessage: 4 << 20, maxBacklog: 32 << 20, linger: 60_000, remember: 600_000, ...settings }
  }

  /**
   * Serves a page over its connection until that closes. The host has
   * authenticated who is there, and has checked where the page is from.
   *
   * @param {Socket} socket which is open @param {Visitor} visitor
   */
  serve(socket, visitor) {
    const { owner: who, server } = visitor
    if (typeof who !== "string" || typeof server !== "string" || !visitor.session) throw new TypeError("parley: a visitor is { owner, server, session }")
    const name = JSON.stringify([who, server])
    const owner = this.#owners.get(name) ?? new Owner(name, this.#settings, () => this.#owners.delete(name))
    this.#owners.set(name, owner)
    const visit = new RemoteVisit(socket, visitor, owner, this.#settings)
    owner.enter(visit)
    this.#visits.add(visit)
    socket.addEventListener("close", () => void visit.ended.then(() => this.#visits.delete(visit)))
  }

  /** Closes all connections, and parks what runs. It resolves when nothing is left; a call that cannot be parked is canceled. */
  async close() {
    const visits = [...this.#visits]
    for (const visit of visits) visit.end(1001, "the server ends")
    const late = setTimeout(() => this.#end(), patience)
    await Promise.all(visits.map(({ ended }) => ended))
    clearTimeout(late)
    this.#end()
  }

  #end() {
    for (const owner of [...this.#owners.values()]) owner.end()
  }
}

/** One person's calls to one server. */
export class Owner {
  #name
  #settings
  #forget
  /** @type {Set<RemoteVisit>} */
  #visits = new Set()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer

  /** Changes when something is forgotten that no page was told. */
  memory = newId()

  /** What runs. @type {Map<string, RemoteRun>} */
  runs = new Map()

  /** What has ended, until its page has taken note. @type {Map<string, object>} */
  ended = new Map()

  /** @param {string} name @param {Settings} settings @param {() => void} forget */
  constructor(name, settings, forget) {
    this.#name = name
    this.#settings = settings
    this.#forget = forget
  }

  /** @param {RemoteVisit} visit */
  enter(visit) {
    clearTimeout(this.#timer)
    this.#visits.add(visit)
  }

  /** A page is gone, and what it had goes on without it. @param {RemoteVisit} visit */
  leave(visit) {
    this.#visits.delete(visit)
    for (const run of this.runs.values()) if (run.page === visit) run.leave()
    if (this.#visits.size === 0) this.#timer = setTimeout(this.#forget, this.#settings.remember)
  }

  /** Nothing is remembered any more, and what still runs is canceled. */
  end() {
    clearTimeout(this.#timer)
    this.#forget()
    for (const run of this.runs.values()) run.cancel("the host's server ends")
  }

  /** @param {string} id @param {object} end */
  remember(id, end) {
    this.ended.set(id, end)
    const [oldest] = this.ended.keys()
    if (this.ended.size <= mostEnded || oldest === undefined) return
    this.ended.delete(oldest)
    this.memory = newId()
  }

  /** What goes into the store: a snapshot, whose it is, and who has signed in. @param {string} snapshot @param {string} [principal] */
  seal(snapshot, principal) {
    return JSON.stringify({ of: this.#name, snapshot, principal })
  }

  /**
   * A call of the store, and nothing if this owner has none of this id. Somebody
   * who is about to let go of it is waited for.
   *
   * @param {string} id @param {RemoteRun} run
   */
  async take(id, run) {
    for (let left = tries; ; left--) {
      try {
        const { lease, snapshot } = await this.#settings.store.take(id)
        const kept = opened(snapshot)
        if (kept.of === this.#name) return { lease, snapshot: String(kept.snapshot), principal: kept.principal }
        await lease.release()
        return
      } catch (error) {
        if (error instanceof NotFoundError) return
        if (!(error instanceof TakenError) || left === 0 || !run.page) throw error
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }
}

/** @param {string} text @returns {{of?: string, snapshot?: string, principal?: string}} */
function opened(text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
