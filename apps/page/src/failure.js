// Why a call ended without a result, and what can be done next, in words.

import { Code, StatusError } from "@parley-mcp/parley"

import { member, string } from "./raw-json.js"
import { sentence } from "./words.js"

/** @import { Failure as Failed } from "@parley-mcp/parley" */
/** @import { GoOn } from "./drive.js" */
/** @import { CallRecord, Failure } from "./record.js" */

/** What can be done next: go on, or without `how` call anew with the same arguments. @typedef {{label: string, how?: GoOn}} Next */

/** @typedef {{title: string, text: string, said?: string, next: Next[]}} Explained `said` is the server's text; `next` begins with what helps most */

/** How many more rounds a server may ask in when somebody goes on with its call. */
const moreRounds = 10

/** @param {CallRecord} record @returns {Explained} */
export function explain({ failure, server, turns, inDoubt }) {
  if (!failure) return { title: "The call failed", text: "", next: [anew] }
  const { code, resumable, response, status } = failure
  const answers = resumable && code !== Code.state && turns.some(({ type }) => type === "answered") ? "Your answers are kept." : ""
  const bare = response === undefined && status !== undefined && `${server} answered with HTTP status ${status}`
  const doubt = inDoubt && "Find out if you can. Sent again, it may be done twice."
  return {
    title: inDoubt ? "It is not known whether this was done" : bare || (titles[code] ?? "The call failed"),
    text: [reason(failure, server), doubt || texts[code], answers].filter(Boolean).join(" "),
    said: response && serverSays(response),
    next: resumable ? goingOn(code, inDoubt) : [anew],
  }
}

/** A failure as plain data. @param {Failed} failed @returns {Failure} */
export function failureOf({ code, detail, resumable, response, cause }) {
  return { code, detail, resumable, response, status: cause instanceof StatusError ? cause.status : undefined }
}

/** What the engine and the transport say of a failure, and what to do about an HTTP status. @param {Failure} failure @param {string} server */
export function reason({ code, detail, response, status }, server) {
  if (response !== undefined || code === Code.canceled) return ""
  const words = detail.replace(/limits\.\w+ allows/, "this page takes").replace(/(\d+)000 ms \(\w+\)/, "$1 seconds") // options have their defaults
  const advice = status === undefined ? "" : `${server} ${statuses[status] ?? statuses[Math.floor(status / 100)] ?? "does not take the request"}.`
  return [sentence(words), advice].filter(Boolean).join(" ")
}

/** The error of a server in its own words. @param {string} response JSON text */
export function serverSays(response) {
  const message = string(member(response, "message")) ?? response
  const data = member(response, "data")
  return `${message} (error ${member(response, "code") ?? "without a code"}${data && data !== "null" ? `, ${data}` : ""})`
}

/** @type {Next} */
const anew = { label: "Start over" }

/** @param {number} code @param {boolean} [inDoubt] @returns {Next[]} */
function goingOn(code, inDoubt) {
  if (inDoubt) return [{ label: "Send it again", how: { resend: true, moreRounds } }]
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
  [Code.refused]: "It cannot go on without your answer",
  [Code.canceled]: "The call was interrupted",
  [Code.capability]: "The server asked for what it may not",
  [Code.snapshot]: "What was kept of this call cannot be read",
  [Code.peer]: "What was kept is of another server’s call",
  [Code.task]: "The task ended without a result",
}

/** What the engine's own words do not say. @type {Record<number, string>} */
const texts = {
  [Code.malformed]: "Nobody was asked anything that could not be sent back. Its author has to repair that.",
  [Code.rounds]: "You can let it ask on.",
  [Code.waits]: "You can try again.",
  [Code.state]: "They came too late, or the server has changed. Start over, and what it asks again is filled in already, for you to send.",
  [Code.canceled]: "You can go on with it.",
  [Code.capability]: "Nobody was asked. This page had told it beforehand what it may ask for.",
}

/** What goes on after a server's name about an HTTP status, or a whole class of them. @type {Record<number, string>} */
const statuses = {
  0: "has moved: whoever runs this page has to give its new address",
  3: "has moved: whoever runs this page has to give its new address",
  401: "wants to know who you are, and this page cannot tell it",
  403: "wants to know who you are, and this page cannot tell it",
  404: "may have another address: whoever runs this page can look that up",
  405: "may have another address: whoever runs this page can look that up",
  429: "has had too many requests: wait a while, then try again",
  5: "is in trouble, or something on the way there: try again later",
}
