// What an authorization server has given out and been asked: every secret of a run, and what was done how often.

/** @import { Adapter, AdapterPayload } from "oidc-provider" */

/** What a client asked the token endpoint for, without a secret. @typedef {{grant: string, resource: string, scope: string, ended: string}} TokenRequest */

/** Kinds of entries whose id is what a client presents. */
const presented = new Set(["AccessToken", "RefreshToken", "AuthorizationCode", "ClientCredentials", "RegistrationAccessToken", "InitialAccessToken"])

export class Ledger {
  /** @type {Map<string, AdapterPayload>} */
  #entries = new Map()
  /** @type {Set<string>} */
  #secrets = new Set()
  /** @type {Record<string, number>} */
  counts = {}
  /** @type {TokenRequest[]} */
  tokenRequests = []

  /** @param {string} what */
  count(what) {
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }

  /** Remembers what nobody else may see. @param {unknown} secret */
  keep(secret) {
    if (typeof secret === "string" && secret.length >= 16) this.#secrets.add(secret) // shorter ones occur by chance
  }

  /** Every token, code, verifier and client secret there has been. */
  secrets() {
    return [...this.#secrets]
  }

  /** Lets entries of these kinds be gone, as if their time were over. @param {string[]} kinds */
  forget(...kinds) {
    for (const key of [...this.#entries.keys()]) if (kinds.includes(key.slice(0, key.indexOf(":")))) this.#entries.delete(key)
  }

  /** How many entries of a kind there are. @param {string} kind */
  alive(kind) {
    return [...this.#entries.keys()].filter((key) => key.startsWith(`${kind}:`)).length
  }

  /** The storage of one kind, as oidc-provider wants it. @param {string} kind @returns {Adapter} */
  adapter(kind) {
    const entries = this.#entries
    const at = (/** @type {string} */ id) => `${kind}:${id}`
    const find = (/** @type {(payload: AdapterPayload) => boolean} */ wanted) =>
      [...entries].find(([key, payload]) => key.startsWith(`${kind}:`) && wanted(payload))?.[1]
    return {
      upsert: async (id, payload) => {
        if (presented.has(kind)) this.keep(id)
        this.keep(payload.client_secret)
        entries.set(at(id), payload)
      },
      find: async (id) => entries.get(at(id)),
      findByUserCode: async (code) => find((payload) => payload.userCode === code),
      findByUid: async (uid) => find((payload) => payload.uid === uid),
      destroy: async (id) => void entries.delete(at(id)),
      consume: async (id) => {
        const payload = entries.get(at(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      revokeByGrantId: async (grant) => {
        for (const [key, payload] of [...entries]) if (payload.grantId === grant) entries.delete(key)
      },
    }
  }
}
