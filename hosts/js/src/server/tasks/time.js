import { maxTimer } from "../../calls/clock.js"

/** @import { TaskRecord, TaskStore } from "./store.js" */

/**
 * Opens questions of a task. The work's time stands still until none is open.
 *
 * @param {TaskRecord} record @param {TaskRecord["asked"]} questions @param {number} now @param {number} patience
 */
export function openQuestions(record, questions, now, patience) {
  if (Object.keys(record.asked).length === 0) record.left = Math.max(0, record.expires - now)
  Object.assign(record.asked, questions)
  record.expires = now + patience
}

/** Closes a question, if it is open. @param {TaskRecord} record @param {string} key @param {number} now */
export function closeQuestion(record, key, now) {
  if (!Object.hasOwn(record.asked, key)) return
  delete record.asked[key]
  if (Object.keys(record.asked).length === 0) record.expires = now + record.left
}

/** Why work is stopped, for a person. */
export const stops = { canceled: "It was canceled.", late: "It took longer than it may", unanswered: "It was not answered in time" }

/**
 * Resolves once work has to stop, to the reason: the client wants it to, or its time is over. Resolves to null once the
 * signal is aborted, and rejects if the store fails.
 *
 * @param {TaskStore} store @param {TaskRecord} record as it was made @param {() => number} now @param {AbortSignal} over
 * @returns {Promise<string | null>}
 */
export async function untilStopped(store, record, now, over) {
  for (let version = 0; ; version = record.version) {
    const left = record.expires - now()
    if (record.cancel) return stops.canceled
    if (left <= 0) return Object.keys(record.asked).length > 0 ? stops.unanswered : stops.late
    const waiting = new AbortController()
    const end = () => waiting.abort()
    over.addEventListener("abort", end)
    const timer = setTimeout(end, Math.min(left, maxTimer))
    if (typeof timer === "object") timer.unref() // a task does not keep a process from ending
    try {
      record = await store.wait(record.id, version, waiting.signal)
    } catch (error) {
      if (over.aborted) return null
      const found = waiting.signal.aborted ? await store.load(record.id) : null // an answer may have come just now
      if (!found) throw error
      record = found
    } finally {
      clearTimeout(timer)
      over.removeEventListener("abort", end)
    }
  }
}
