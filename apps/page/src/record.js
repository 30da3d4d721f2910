// What the page knows of a call, as plain data: it is kept in the browser and
// read by every tab. All texts of a server are as they came.

/** @import { Question } from "@parley-mcp/parley" */
/** @import { Line } from "./words.js" */

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
 * Why a call ended without a result.
 *
 * @typedef {object} Failure
 * @property {number} code one of Code
 * @property {string} detail
 * @property {boolean} resumable
 * @property {string} [response] the server's JSON-RPC error, JSON text
 * @property {number} [status] of HTTP, where the server's answer was nothing else
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
 * How far the server is with what it does. `total` is there only where it makes
 * sense, and then both are.
 *
 * @typedef {{message?: string, done?: number, total?: number}} Progress
 */

/**
 * What a tool call has become that goes on at the server. `status` is one of the
 * tasks extension; `since` is Unix time in milliseconds.
 *
 * @typedef {{status: string, message?: string, since: number}} Task
 */

/**
 * @typedef {object} CallRecord
 * @property {string} id
 * @property {string} url of the server
 * @property {string} server the host's own name for it
 * @property {string} method
 * @property {string} params JSON text
 * @property {string} title what the server calls the tool, prompt or resource
 * @property {string} name its name or address
 * @property {Line[]} lines the arguments in words
 * @property {number} started Unix time in milliseconds
 * @property {Phase} phase
 * @property {Turn[]} turns
 * @property {OpenQuestion[]} open
 * @property {boolean} [queued] it waits for other calls of the same server
 * @property {Leg} [leg]
 * @property {Task} [task]
 * @property {Progress} [progress] of the leg, or of the task
 * @property {string} [result] JSON text
 * @property {Failure} [failure]
 * @property {boolean} [filed] a parked call is in a file, too, with which another program may have gone on
 * @property {boolean} [inDoubt] a tool may have run of whose call no answer came
 */

/** The questions that wait for somebody. @param {CallRecord} record */
export function waiting({ phase, open }) {
  return phase === "running" || phase === "parked" ? open : []
}

/** Whether nothing more will come of a call. @param {CallRecord} record */
export function isOver({ phase, failure }) {
  return phase === "done" || phase === "stopped" || (phase === "failed" && !failure?.resumable)
}
