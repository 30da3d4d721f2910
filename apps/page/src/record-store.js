import { plainLine } from "./plain.js"

/** @import { CallRecord } from "./record.js" */

/** How many calls that are over are kept. */
export const mostOver = 50

/**
 * Keeps the records of calls, for all tabs and for after a reload. Where the
 * browser keeps nothing, it lasts as long as the page.
 */
export class RecordStore {
  #database

  /** What was filled in so far, where there is no database. @type {Map<string, unknown>} */
  #drafts = new Map()

  /** Why nothing is kept, if so. @type {string | undefined} */
  problem

  /** @param {IDBDatabase | undefined} database @param {string} [problem] */
  constructor(database, problem) {
    this.#database = database
    this.problem = problem
  }

  static async open() {
    try {
      const request = indexedDB.open("parley-chat", 1)
      request.onupgradeneeded = () => {
        request.result.createObjectStore("records", { keyPath: "id" })
        request.result.createObjectStore("drafts")
      }
      const database = await settled(request)
      database.onversionchange = () => database.close() // somebody deletes the database
      return new RecordStore(database)
    } catch (error) {
      return new RecordStore(undefined, plainLine(error instanceof Error ? error.message : String(error)))
    }
  }

  /** @returns {Promise<CallRecord[]>} */
  async all() {
    return this.#database ? settled(this.#store("records", "readonly").getAll()) : []
  }

  /** @param {string} id @returns {Promise<CallRecord | undefined>} */
  async get(id) {
    return this.#database && settled(this.#store("records", "readonly").get(id))
  }

  /** @param {CallRecord} record */
  async put(record) {
    if (this.#database) await written(this.#store("records", "readwrite").put(record))
  }

  /** Forgets a call, and what was filled in for it. @param {string} id */
  async delete(id) {
    if (!this.#database) return
    await written(this.#store("records", "readwrite").delete(id))
    await written(this.#store("drafts", "readwrite").delete(IDBKeyRange.bound([id], [id, []])))
  }

  /** What was filled in so far. @param {string} id of the call @param {number} ask @returns {Promise<unknown>} */
  async draft(id, ask) {
    return this.#database ? settled(this.#store("drafts", "readonly").get([id, ask])) : this.#drafts.get(`${id} ${ask}`)
  }

  /** Keeps what was filled in so far, or forgets it. @param {string} id @param {number} ask @param {unknown} [draft] */
  async putDraft(id, ask, draft) {
    if (!this.#database) {
      this.#drafts.set(`${id} ${ask}`, draft)
      return
    }
    const store = this.#store("drafts", "readwrite")
    if (draft === undefined) await written(store.delete([id, ask]))
    else await written(store.put(draft, [id, ask]))
  }

  /** @param {"records" | "drafts"} name @param {IDBTransactionMode} mode */
  #store(name, mode) {
    return /** @type {IDBDatabase} */ (this.#database).transaction(name, mode).objectStore(name)
  }
}

/**
 * Waits for the one write of a transaction. It is committed at once: otherwise
 * it would be lost with a page that goes before it hears of it.
 *
 * @template T @param {IDBRequest<T>} request @returns {Promise<T>}
 */
function written(request) {
  request.transaction?.commit()
  return settled(request)
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
