// Why a call ended without a result, and what can be done next, in words.

import { Code, Failure as CallFailure, StatusError } from "./parley.js"
import { member, string } from "./raw-json.js"
import { sentence } from "./words.js"

/** @import { Begin, Failed } from "./parley.js" */

/**
 * Why a call ended without a result, as plain data.
 *
 * @typedef {object} Failure
 * @property {number} code one of Code
 * @property {string} detail
 * @property {boolean} resumable
 * @property {boolean} [inDoubt] no answer to a tool call came and the tool may have run
 * @property {string} [response] the server's JSON-RPC error, JSON text
 * @property {number} [status] of HTTP, where the server's answer was nothing else
 */

/** How to go on with a call, as a person decides. @typedef {Pick<Begin, "resend" | "again" | "moreRounds">} GoOn */

/** What can be done next: go on, or without `how` call anew with the same arguments. @typedef {{label: string, how?: GoOn}} Next */

/** @typedef {{title: string, text: string, said?: string, next: Next[]}} Explained `said` is the server's text; `next` begins with what helps most */

/**
 * How an app speaks of itself: its name, and what goes on after "its new address
 * has to" and after "wants to know who you are".
 *
 * @typedef {{name: string, address: string, access: string}} App
 */

/** How many more rounds a server may ask in when somebody goes on with its call. */
const moreRounds = 10

/** @param {Failure} failure @param {string} server what the person calls it @param {App} app @param {boolean} [answered] something was @returns {Explained} */
export function explain(failure, server, app, answered = false) {
  const { code, resumable, response, status, inDoubt } = failure
  const kept = answered && resumable && code !== Code.state ? "Your answers are kept." : ""
  const bare = response === undefined && status !== undefined && `${server} answered with HTTP status ${status}`
  const doubt = inDoubt && "Find out if you can. Sent again, it may be done twice."
  return {
    title: inDoubt ? "It is not known whether this was done" : bare || (titles[code] ?? "The call failed"),
    text: [reason(failure, server, app), doubt || texts[code], kept].filter(Boolean).join(" "),
    said: response && serverSays(response),
    next: resumable ? goingOn(code, inDoubt) : [anew],
  }
}

/** A failure as plain data. @param {Failed} failed @returns {Failure} */
export function failureOf({ code, detail, resumable, inDoubt, response, cause }) {
  return { code, detail, resumable, inDoubt, response, status: statusOf(cause) }
}

/** The HTTP status that a server answered with, where that was all. @param {unknown} cause */
function statusOf(cause) {
  return cause instanceof StatusError ? cause.status : undefined
}

/** The failure of a call that did not begin: what was kept cannot be used here, or there is no way to the server. @param {unknown} error @param {string} [snapshot] @returns {Failed} */
export function notBegun(error, snapshot) {
  const { code = Code.snapshot, message } = /** @type {{code?: number, message: string}} */ (error instanceof Error ? error : { message: String(error) })
  return { status: "failed", code, detail: message.replace(/^parley: /, ""), resumable: snapshot !== undefined, snapshot, cause: error }
}

/** Why a server does not say what it offers. @param {unknown} error @param {App} app */
export function whyNoOffer(error, app) {
  if (!(error instanceof CallFailure)) return error instanceof Error ? error.message : String(error)
  if (error.status === "parked") return "It asked something first."
  const { code, detail, response, cause } = error
  return response === undefined ? reason({ code, detail, status: statusOf(cause) }, "It", app) : `It answered with an error: ${serverSays(response)}`
}

/** What the engine and the transport say of a failure, and what to do about an HTTP status. @param {Partial<Failure>} failure @param {string} server @param {App} app */
function reason({ code, detail = "", response, status }, server, { name, address, access }) {
  if (response !== undefined || code === Code.canceled) return ""
  const words = detail.replace(/limits\.\w+ allows/, `${name} takes`).replace(/(\d+)000 ms \(\w+\)/, "$1 seconds") // options have their defaults
  const does = status === undefined ? "" : (statuses[status] ?? statuses[Math.floor(status / 100)] ?? "does not take the request")
  return [sentence(words), does && `${server} ${does.replace("<address>", address).replace("<access>", access)}.`].filter(Boolean).join(" ")
}

/** The error of a server in its own words. @param {string} response JSON text */
function serverSays(response) {
  const message = string(member(response, "message")) ?? response
  const data = member(response, "data")
  return `${message} (error ${member(response, "code") ?? "without a code"}${data && data !== "null" ? `, ${data}` : ""})`
}

/** @type {Next} */
const anew = { label: "Start over" }

/** @param {number} code @param {boolean} [inDoubt] @returns {Next[]} */
function goingOn(code, inDoubt) {
  if (inDoubt) return [{ label: "Send again", how: { resend: true, moreRounds } }]
  if (code === Code.state) return [{ label: "Start over", how: { again: true } }]
  const retry = { label: "Try again", how: { moreRounds } }
  return code === Code.snapshot ? [anew, retry] : [retry]
}

/** @type {Record<number, string>} */
const titles = {
  [Code.instance]: "The engine broke down",
  [Code.malformed]: "The server’s answer makes no sense",
  [Code.resultType]: "The server’s answer is of an unknown kind",
  [Code.limit]: "The server asked for too much",
  [Code.rounds]: "The server keeps asking",
  [Code.waits]: "The server is still busy",
  [Code.rpc]: "The server answered with an error",
  [Code.state]: "The server does not accept the answers any more",
  [Code.lost]: "No usable answer came",
  [Code.legTimeout]: "The server did not answer in time",
  [Code.refused]: "It cannot continue without your answer",
  [Code.canceled]: "The call was interrupted",
  [Code.capability]: "The server asked for what it may not",
  [Code.snapshot]: "What was kept of this call cannot be read",
  [Code.peer]: "What was kept is of another server’s call",
  [Code.task]: "The task ended without a result",
}

/** What the engine's own words do not say. @type {Record<number, string>} */
const texts = {
  [Code.malformed]: "Nobody was asked anything that could not be sent back. Its author has to repair that.",
  [Code.rounds]: "You can let it ask more.",
  [Code.waits]: "You can try again.",
  [Code.state]: "They came too late, or the server has changed. Start over, and what it asks again is filled in already, for you to send.",
  [Code.canceled]: "You can resume it.",
  [Code.capability]: "Nobody was asked. It had been told beforehand what it may ask for.",
}

/** What goes on after a server's name about an HTTP status, or a whole class of them. @type {Record<number, string>} */
const statuses = {
  0: "has moved: its new address has to <address>",
  3: "has moved: its new address has to <address>",
  401: "wants to know who you are<access>",
  403: "wants to know who you are<access>",
  404: "may have another address, which has to <address>",
  405: "may have another address, which has to <address>",
  429: "has had too many requests: wait a while, then try again",
  5: "is in trouble, or something on the way there: try again later",
}
