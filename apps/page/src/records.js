// What every tab knows of the calls: their records, kept for after a reload, and
// told of when they change.

import { plainLine } from "../../shared-js/plain.js"

/** @import { CallRecord } from "./record.js" */

/**
 * What the records need to know of this tab's calls.
 *
 * @typedef {object} Tab
 * @property {(id: string) => boolean} drives
 * @property {(id: string) => void} elsewhere another tab has changed a call that this one does not drive
 * @property {() => void} changed any record has changed
 */

/** Where the browser keeps nothing, they last as long as the page. */
export class Records {
  #database
  #channel = new BroadcastChannel("parley-chat")
  /** @type {Map<string, CallRecord>} */
  #known = new Map()
  /** Writes, one after the other. @type {Promise<unknown>} */
  #written = Promise.resolve()
  /** @type {Tab | undefined} */
  #tab

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
      return new Records(database)
    } catch (error) {
      return new Records(undefined, plainLine(error instanceof Error ? error.message : String(error)))
    }
  }

  /** Reads what was kept, and listens to other tabs from now on. @param {Tab} tab */
  async read(tab) {
    this.#tab = tab
    this.#channel.onmessage = ({ data: id }) => {
      if (tab.drives(id)) return
      tab.elsewhere(id)
      void this.refresh(id)
    }
    const kept = this.#database ? await settled(this.#store("records", "readonly").getAllKeys()) : []
    for (const id of kept) {
      const record = await this.latest(String(id))
      if (record) this.#known.set(record.id, record)
    }
    tab.changed()
  }

  /** The calls, the oldest first. @returns {CallRecord[]} */
  list() {
    return [...this.#known.values()].sort((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1))
  }

  /** @param {string} id */
  get(id) {
    return this.#known.get(id)
  }

  /** From now on this is what is known of a call. @param {CallRecord} record */
  set(record) {
    this.#known.set(record.id, record)
  }

  /** A call's record as it was last written, by whichever tab. @param {string} id @returns {Promise<CallRecord | undefined>} */
  async latest(id) {
    if (!this.#database) return this.#known.get(id)
    const record = await settled(this.#store("records", "readonly").get(id))
    for (const question of record?.open ?? []) question.draft = await settled(this.#store("drafts", "readonly").get([id, question.ask]))
    return record
  }

  /** Reads a record that another tab has written. @param {string} id */
  async refresh(id) {
    const record = await this.latest(id)
    if (this.#tab?.drives(id)) return
    if (record) this.#known.set(id, record)
    else this.#known.delete(id)
    this.#tab?.changed()
  }

  /** Shows a record, writes it down and tells the other tabs. @param {CallRecord} record */
  async write(record) {
    await this.keep(record)
    this.tell(record.id)
  }

  /** Shows a record and writes it down. @param {CallRecord} record */
  keep(record) {
    this.#tab?.changed()
    const copy = structuredClone(record)
    this.#written = this.#written
      .then(() => this.#database && written(this.#store("records", "readwrite").put(copy)))
      .catch(() => {}) // it shows here, all the same
    return this.#written
  }

  /** Tells the other tabs that a call has changed. @param {string} id */
  tell(id) {
    this.#channel.postMessage(id)
  }

  /** Forgets a call, and what was filled in for it. @param {string} id */
  async delete(id) {
    this.#known.delete(id)
    if (this.#database) {
      await written(this.#store("records", "readwrite").delete(id))
      await written(this.#store("drafts", "readwrite").delete(IDBKeyRange.bound([id], [id, []])))
    }
    this.tell(id)
    this.#tab?.changed()
  }

  /** Keeps what was filled in so far, or forgets it. @param {string} id @param {number} ask @param {unknown} [draft] */
  async keepDraft(id, ask, draft) {
    const question = this.#known.get(id)?.open.find((one) => one.ask === ask)
    if (question) question.draft = draft
    if (!this.#database) return
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
