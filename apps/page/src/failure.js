// Why a call ended without a result, and what can be done next, in words.

import { Code } from "@parley-mcp/parley"

import { member, string } from "./raw-json.js"
import { cancelled, declined } from "./turn.js"

/** @import { CallRecord, Turn } from "./record.js" */

/**
 * What can be done next: go on, send again what may have been done, or call
 * anew with the same arguments.
 *
 * @typedef {"retry" | "resend" | "again"} Next
 */

/** @typedef {{title: string, text: string, said?: string, next: Next, kept: boolean}} Explained `said` is the server's text */

/** @param {CallRecord} record @returns {Explained} */
export function explain({ failure, server, turns }) {
  if (!failure) return { title: "The call failed", text: "", next: "again", kept: false }
  const { code, resumable, response, detail, cause = "" } = failure
  if (code === Code.refused && saidNo(turns.at(-1))) {
    return { title: "You said no", text: `${server} cannot do it without what it asked for.`, next: resumable ? "retry" : "again", kept: resumable }
  }
  const said = response === undefined ? undefined : serverSays(response)
  const text = texts[code]?.(server) ?? (said === undefined ? sentence(detail.replace(/^leg \d+: /, "")) : "")
  const answers = resumable && turns.some(({ type }) => type === "answered") ? "Your answers are kept." : ""
  return {
    title: titles[code] ?? "The call failed",
    text: [sentence(cause), text, answers].filter(Boolean).join(" "),
    said,
    next: code === Code.inDoubt ? "resend" : resumable ? "retry" : "again",
    kept: resumable,
  }
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
  [Code.lost]: "The connection was lost",
  [Code.legTimeout]: "The server did not answer in time",
  [Code.refused]: "A question could not be put to you",
  [Code.canceled]: "The call was interrupted",
  [Code.capability]: "The server asked for what it may not",
  [Code.inDoubt]: "It is not known whether this was done",
  [Code.snapshot]: "What was kept of this call cannot be read",
  [Code.peer]: "What was kept is of another server’s call",
  [Code.task]: "The task ended without a result",
}

/** @type {Record<number, (server: string) => string>} */
const texts = {
  [Code.malformed]: () => "Nobody was asked anything that could not be sent back. Its author has to repair that.",
  [Code.rounds]: () => "It has asked more often than a call should need. You can let it ask on.",
  [Code.waits]: () => "It asked to come back later, many times in a row. You can try again.",
  [Code.state]: () => "They came too late, or the server has changed. Start over: your answers are filled in again.",
  [Code.lost]: (server) => `No answer came from ${server}. Check your connection, and try again.`,
  [Code.legTimeout]: () => "You can send it again.",
  [Code.refused]: () => "You can try again.",
  [Code.canceled]: () => "You can go on with it.",
  [Code.inDoubt]: (server) =>
    `The tool was called, and no answer came from ${server}. Whatever it does may be done or not: find out if you can. Sent again, it may be done twice.`,
  [Code.capability]: () => "Nobody was asked. This page had told it beforehand what it may ask for.",
}

/** @param {Turn | undefined} turn */
function saidNo(turn) {
  return turn?.type === "answered" && (turn.did === declined || turn.did === cancelled)
}

/** The error of a server in its own words. @param {string} response JSON text */
function serverSays(response) {
  const message = string(member(response, "message")) ?? response
  const data = member(response, "data")
  return `${message} (error ${member(response, "code") ?? "without a code"}${data && data !== "null" ? `, ${data}` : ""})`
}

/** @param {string} text */
function sentence(text) {
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`
}
