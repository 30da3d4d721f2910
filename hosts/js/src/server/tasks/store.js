/**
 * A task as it is kept; all of it survives JSON. Times are in Unix
 * milliseconds.
 *
 * @typedef {object} TaskRecord
 * @property {string} id cannot be guessed
 * @property {string} owner whose it is, "nobody" without a principal
 * @property {number} version of the record, for `wait`
 * @property {number} created
 * @property {number} updated
 * @property {number} expires when it is stopped, or forgotten if it is over
 * @property {number} left how long it may work on, while it waits for answers
 * @property {boolean} [page] made by a call in the form of SEP-2322's page
 * @property {"working" | "completed" | "failed" | "cancelled"} status
 * @property {string} message in words for a person
 * @property {boolean} cancel the client wants it to stop
 * @property {Record<string, {method: string, params?: object}>} asked open questions
 * @property {Record<string, any>} answers to those that were asked, until the work takes them
 * @property {object} [result] of a task that has completed
 * @property {object} [error] of one that has failed
 */

/**
 * Keeps tasks. One that instances share lets any of them answer a poll, or take
 * an answer or a cancellation, while the one that made the task does its work.
 *
 * @typedef {object} TaskStore
 * @property {(record: TaskRecord) => Promise<boolean>} create keeps a new task; false if there is no
 *   room. It may forget tasks that have expired by then.
 * @property {(id: string) => Promise<TaskRecord | null>} load
 * @property {(id: string, edit: (record: TaskRecord) => void) => Promise<void>} change has `edit` change
 *   a task as one atomic step, and adds 1 to its version; `edit` may be called several times. Rejects for an unknown id.
 * @property {(id: string, version: number, signal: AbortSignal) => Promise<TaskRecord>} wait is `load`,
 *   as soon as the version is greater; rejects with the signal's reason, and for an unknown id
 */

/** The owner of a task whose call has no principal. */
export const noOwner = "nobody"

/**
 * A store in the memory of the process: its tasks end with it. One principal has at most a quarter of its room, so
 * that no user takes the places of all others; where there are no principals, nothing is kept apart.
 *
 * @param {number} [most] how many tasks it has room for
 * @returns {TaskStore}
 */
export function taskMemory(most = 1000) {
  /** @type {Map<string, {record: TaskRecord, waiting: Set<() => void>}>} */
  const byId = new Map()
  const entry = (/** @type {string} */ id) => {
    const kept = byId.get(id)
    if (!kept) throw new Error("parley: no such task")
    return kept
  }
  const wakeAll = (/** @type {{waiting: Set<() => void>}} */ { waiting }) => { for (const wake of [...waiting]) wake() }
  return {
    async create(record) {
      let own = 0
      for (const [id, kept] of byId) {
        if (record.created > kept.record.expires) {
          byId.delete(id)
          wakeAll(kept)
        } else if (kept.record.owner === record.owner) own++
      }
      if (byId.size >= most || (record.owner !== noOwner && own >= Math.max(1, Math.floor(most / 4)))) return false
      byId.set(record.id, { record: structuredClone(record), waiting: new Set() })
      return true
    },
    async load(id) {
      const kept = byId.get(id)
      return kept ? structuredClone(kept.record) : null
    },
    async change(id, edit) {
      const kept = entry(id)
      const record = structuredClone(kept.record)
      edit(record)
      record.version++
      kept.record = structuredClone(record)
      wakeAll(kept)
    },
    async wait(id, version, signal) {
      for (;;) {
        signal.throwIfAborted()
        const kept = entry(id)
        if (kept.record.version > version) return structuredClone(kept.record)
        await new Promise((/** @type {(_?: unknown) => void} */ resolve) => {
          const wake = () => {
            signal.removeEventListener("abort", wake)
            kept.waiting.delete(wake)
            resolve()
          }
          kept.waiting.add(wake)
          signal.addEventListener("abort", wake)
        })
      }
    },
  }
}
