// What the page knows of a call, as plain data: it is kept in the browser and
// read by every tab. All texts of a server are as they came.

/** @import { Question } from "@parley-mcp/parley" */
/** @import { Call, Progress } from "../../shared-js/run.js" */
/** @import { Line } from "../../shared-js/words.js" */

/**
 * Where a call is. One that is "running" is somebody's: a tab drives it, or did
 * until it was closed.
 *
 * @typedef {"running" | "parked" | "failed" | "done" | "stopped"} Phase
 */

/**
 * A question that waits for the person. `draft` is what was filled in so far.
 *
 * @typedef {Question & {draft?: unknown}} OpenQuestion
 */

/**
 * Something that happened, in order. A question that was answered keeps what
 * the server said, so that the answer can be read later.
 *
 * @typedef {{type: "answered", kind: Question["kind"], said: string, did: string, lines?: Line[]}
 *   | {type: "note", text: string}} Turn
 */

/**
 * The request in flight, or the pause before the next one.
 *
 * @typedef {object} Leg
 * @property {number} since Unix time in milliseconds
 * @property {boolean} inFlight its answer is still to come
 * @property {boolean} lost no answer came, and it is asked again
 * @property {number} [waits] how often in a row the server asked to come back later
 */

/**
 * What a tool call has become that goes on at the server. `status` is one of the
 * tasks extension; `since` is Unix time in milliseconds.
 *
 * @typedef {{status: string, message?: string, since: number}} Task
 */

/**
 * What the page knows of a call beside what every host does.
 *
 * @typedef {object} Shown
 * @property {string} name of the tool or prompt, or the resource's address
 * @property {Line[]} lines the arguments in words
 * @property {Phase} phase
 * @property {Turn[]} turns
 * @property {OpenQuestion[]} open
 * @property {boolean} [queued] it waits for other calls of the same server
 * @property {Leg} [leg]
 * @property {Task} [task]
 * @property {Progress} [progress] of the leg, or of the task
 * @property {string} [result] JSON text
 * @property {boolean} [returns] this page left to sign in for it, and goes on with it when it comes back
 * @property {boolean} [filed] a parked call is in a file, too, with which another program may have gone on
 */

/** @typedef {Call & Shown} CallRecord */

/** The questions that wait for somebody. @param {CallRecord} record */
export function waiting({ phase, open }) {
  return phase === "running" || phase === "parked" ? open : []
}

/** Whether nothing more will come of a call. @param {CallRecord} record */
export function isOver({ phase, failure }) {
  return phase === "done" || phase === "stopped" || (phase === "failed" && !failure?.resumable)
}
