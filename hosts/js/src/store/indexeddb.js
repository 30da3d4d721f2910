import { ParkingStore } from "./parking.js"

/** @import { Entries, Entry, StoreOptions } from "./parking.js" */

/** Entries in a database that all pages and workers of an origin share. @implements {Entries} */
export class IndexedDBEntries {
  #name
  /** @type {Promise<IDBDatabase> | undefined} */
  #database

  /** @param {string} name of the database */
  constructor(name) {
    this.#name = name
  }

  async all() {
    const { store } = await this.#transaction("readonly")
    return /** @type {Promise<Entry[]>} */ (settled(store.getAll()))
  }

  /** @template T @param {string} id @param {(entry: Entry | undefined) => {entry: Entry | undefined, result: T}} change */
  async change(id, change) {
    const { transaction, store } = await this.#transaction("readwrite")
    return /** @type {Promise<T>} */ (
      new Promise((resolve, reject) => {
        /** @type {T} */
        let result
        transaction.oncomplete = () => resolve(result)
        transaction.onabort = () => reject(transaction.error)
        const read = store.get(id)
        read.onsuccess = () => {
          try {
            const changed = change(read.result)
            result = changed.result
            if (changed.entry) store.put(changed.entry)
            else store.delete(id)
          } catch (error) {
            reject(error) // before the abort, which has less to say
            transaction.abort()
          }
        }
      })
    )
  }

  /** @param {IDBTransactionMode} mode */
  async #transaction(mode) {
    const database = await (this.#database ??= this.#open())
    // A leg is sent only after its snapshot is on disk.
    const transaction = database.transaction(calls, mode, { durability: "strict" })
    return { transaction, store: transaction.objectStore(calls) }
  }

  async #open() {
    const request = indexedDB.open(this.#name, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(calls, { keyPath: "id" })
    try {
      const database = await settled(request)
      const gone = () => {
        database.close()
        this.#database = undefined
      }
      database.onversionchange = gone // somebody deletes the database
      database.onclose = gone
      return database
    } catch (error) {
      this.#database = undefined
      throw error
    }
  }
}

const calls = "calls"

/**
 * A store for a browser, in pages and workers.
 *
 * @param {StoreOptions & {name?: string}} [options] name of the database; "parley" if absent
 */
export function indexedDBStore({ name = "parley", ...options } = {}) {
  return new ParkingStore(new IndexedDBEntries(name), { locks: globalThis.navigator?.locks, ...options })
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
