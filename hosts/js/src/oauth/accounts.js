/** @import { Client } from "./client.js" */
/** @import { AuthorizationServer } from "./discovery.js" */

/**
 * An account, as it may be shown and logged.
 *
 * @typedef {object} Account
 * @property {string} label random, made at the first sign-in: whose calls are whose
 * @property {string} issuer the authorization server
 * @property {string} resource what its token is for
 * @property {string} clientId
 * @property {string[]} scopes that were granted
 * @property {string} [subject] who it is, if an id_token said so
 * @property {string[]} [replaces]
 *   labels of the accounts at earlier authorization servers of this MCP server, the last one last: their calls continue
 *   as this account, because the person agreed
 */

/**
 * Where accounts are kept: texts by keys. They hold tokens, and whoever can
 * read them can be that person: keep them where secrets are.
 *
 * @typedef {object} AccountStore
 * @property {(key: string) => string | undefined | Promise<string | undefined>} get
 * @property {(key: string, text: string) => unknown} set may return a promise
 * @property {<T>(key: string, run: () => Promise<T>) => Promise<T>} [lock]
 *   runs while nobody else does with this key: of two that refresh one token at once, one may lose it. If absent, Web
 *   Locks where there are any, or else whoever is in this program waits
 */

/**
 * What is kept for one MCP server.
 *
 * @typedef {object} Kept
 * @property {1} v
 * @property {Record<string, Client>} clients by issuer
 * @property {Session} [session]
 */

/**
 * An account with its tokens.
 *
 * @typedef {object} Session
 * @property {string} label
 * @property {AuthorizationServer} server
 * @property {string} resource
 * @property {Client} client
 * @property {string[]} scopes that were granted
 * @property {string[]} [asked] the scopes that were asked for, if others were granted
 * @property {string} [subject]
 * @property {string[]} [replaces] as in Account
 * @property {string} access the token
 * @property {string} [refresh] the refresh token
 * @property {number} [due] when to get a new token, Unix time in milliseconds
 * @property {number} [expires] when this one ends
 */

/** Accounts in memory, gone with it. @returns {AccountStore} */
export function memoryAccounts() {
  /** @type {Map<string, string>} */
  const texts = new Map()
  return { get: (key) => texts.get(key), set: (key, text) => texts.set(key, text) }
}

/** The accounts of one MCP server in a store. */
export class Shelf {
  #store
  #key

  /** @param {AccountStore} store @param {URL} server */
  constructor(store, { origin, pathname, search }) {
    this.#store = store
    this.#key = `parley-account ${origin}${pathname}${search}`
  }

  /** @returns {Promise<Kept>} */
  async read() {
    const text = await this.#store.get(this.#key)
    try {
      const kept = JSON.parse(text ?? "")
      if (kept.v === 1) return kept
    } catch {} // its error would repeat a piece of it
    return { v: 1, clients: {} }
  }

  /**
   * Changes what is kept, with nobody else in between.
   *
   * @template T @param {(kept: Kept) => T | Promise<T>} change what it is given, in place
   * @returns {Promise<T>}
   */
  change(change) {
    return this.#lock(async () => {
      const kept = await this.read()
      const before = JSON.stringify(kept)
      const result = await change(kept)
      const after = JSON.stringify(kept)
      if (after !== before) await this.#store.set(this.#key, after)
      return result
    })
  }

  /** @template T @param {() => Promise<T>} run @returns {Promise<T>} */
  async #lock(run) {
    if (this.#store.lock) return this.#store.lock(this.#key, run)
    const locks = globalThis.navigator?.locks
    if (locks) return /** @type {Promise<T>} */ (/** @type {unknown} */ (locks.request(this.#key, run)))
    const last = waiting.get(this.#key)
    const next = (async () => {
      await last?.catch(() => {})
      return run()
    })()
    waiting.set(this.#key, next)
    try {
      return await next
    } finally {
      if (waiting.get(this.#key) === next) waiting.delete(this.#key)
    }
  }
}

/** The last that uses a key, where there are no Web Locks. @type {Map<string, Promise<unknown>>} */
const waiting = new Map()
