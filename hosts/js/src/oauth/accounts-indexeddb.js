import { IndexedDBEntries } from "../store/indexeddb.js"

/** @import { AccountStore } from "./accounts.js" */

/**
 * Accounts in a database that all pages and workers of an origin share. Every
 * script of the origin can read its tokens.
 *
 * @param {{name?: string}} [options] name of the database; "parley-accounts" if absent
 * @returns {AccountStore}
 */
export function indexedDBAccounts({ name = "parley-accounts" } = {}) {
  const entries = new IndexedDBEntries(name)
  return {
    get: (id) => entries.change(id, (entry) => ({ entry, result: /** @type {string | undefined} */ (entry?.snapshot) })),
    set: (id, snapshot) => entries.change(id, () => ({ entry: { id, snapshot }, result: undefined })),
  }
}
