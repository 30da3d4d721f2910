// What is remembered of accounts between two loads of the page: whose calls are
// whose, and whether to stay signed in. No token is in it.

/** @import { Account } from "@parley-mcp/parley/oauth" */

const key = "parley-chat-accounts"

/** An account as it is remembered. @typedef {Pick<Account, "label" | "issuer" | "resource" | "subject" | "replaces">} Entry */

export class AccountBook {
  /** Whether accounts are kept in the browser, tokens and all. */
  keeps = false
  /** By the servers' addresses. @type {Map<string, Entry>} */
  #entries = new Map()

  constructor() {
    this.#load()
    addEventListener("storage", (event) => {
      if (event.key === key) this.#load()
    })
  }

  /** Whether somebody was signed in there, in this page or in one before it. @param {string} address */
  has(address) {
    return this.#entries.has(address)
  }

  /**
   * An account with the label that calls know. Accounts in memory are gone with the
   * page, but who signs in again in the same place can go on with the calls that
   * were parked; so can who agreed to sign in elsewhere.
   *
   * @param {string} address of the server @param {Account} account @returns {Entry}
   */
  entry(address, { label, issuer, resource, subject, replaces }) {
    const last = this.#entries.get(address)
    const same = last && last.issuer === issuer && last.resource === resource
    const other = last?.subject !== undefined && subject !== undefined && last.subject !== subject
    const kept = same && !other ? last : { label, replaces: replaces && last ? [...(last.replaces ?? []), last.label].slice(-16) : replaces }
    const entry = { label: kept.label, issuer, resource, subject: subject ?? (same ? last.subject : undefined), replaces: kept.replaces }
    if (JSON.stringify(entry) !== JSON.stringify(last)) {
      this.#entries.set(address, entry)
      this.#save()
    }
    return entry
  }

  /** Somebody has signed out: who signs in next may be another. @param {string} address */
  forget(address) {
    this.#entries.delete(address)
    this.#save()
  }

  /** @param {boolean} keeps */
  keep(keeps) {
    this.keeps = keeps
    this.#save()
  }

  #save() {
    try {
      localStorage.setItem(key, JSON.stringify({ keeps: this.keeps, accounts: Object.fromEntries(this.#entries) }))
    } catch {} // they hold for this tab then
  }

  #load() {
    try {
      const { keeps, accounts } = JSON.parse(localStorage.getItem(key) ?? "{}")
      this.keeps = keeps === true
      this.#entries = new Map(Object.entries(accounts ?? {}).filter(([, entry]) => typeof entry?.label === "string"))
    } catch {} // as if there were none
  }
}
