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
 * A question that waits for the person. `before` is an earlier answer to the
 * same question, as JSON text; `draft` what was filled in so far; `held` that it
 * was to be parked, and cannot be: the server waits. `agreed` is of a page that
 * the person has just agreed to open: the call goes on when they are done there.
 *
 * @typedef {Question & {before?: string, draft?: unknown, held?: boolean, agreed?: boolean}} OpenQuestion
 */

/**
 * Something that happened, in order. A question that was answered keeps what
 * the server said, so that the answer can be read later.
 *
 * @typedef {{type: "answered", ask: number, key: string, round: number, kind: Question["kind"], said: string, did: string, lines?: Line[], content?: string}
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
 * @property {string} [cause] what the page's own part failed of
 */

/**
 * The request in flight, or the pause before the next one.
 *
 * @typedef {object} Leg
 * @property {number} leg
 * @property {number} since Unix time in milliseconds
 * @property {boolean} inFlight its answer is still to come
 * @property {number} waits how often in a row the server asked to come back later
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
 * @property {number} [round]
 * @property {string} [result] JSON text
 * @property {Failure} [failure]
 * @property {boolean} [filed] a parked call is in a file, too, with which another program may have gone on
 * @property {boolean} [begun] the server was at it when the person stopped the call
 * @property {Record<string, string>} [before] answers of an earlier call with the same request, by key
 */

/** The questions that wait for somebody. @param {CallRecord} record */
export function waiting({ phase, open }) {
  return phase === "running" || phase === "parked" ? open : []
}

/** Whether nothing more will come of a call. @param {CallRecord} record */
export function isOver({ phase, failure }) {
  return phase === "done" || phase === "stopped" || (phase === "failed" && !failure?.resumable)
}

/** Every answer that was given, by the server's name for the question. @param {CallRecord} record */
export function answersOf({ turns, before }) {
  /** @type {Record<string, string>} */
  const answers = { ...before }
  for (const turn of turns) {
    if (turn.type === "answered" && turn.content !== undefined) answers[turn.key] = turn.content
  }
  return answers
}
