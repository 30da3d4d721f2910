// Why a call ended without a result, and what can be done next, in words.

import { Code } from "@parley-mcp/parley/core"

import { member, string } from "../../page/src/raw-json.js"
import { inert, line } from "./shown.js"

/** @import { Failure } from "@parley-mcp/parley" */
/** @import { CallRecord } from "./record.js" */

/** `next` is what the person can do; `doubt` says that it may do something a second time. @typedef {{text: string, next: string, doubt: boolean}} Explained */

/** @param {Failure} failure @param {Pick<CallRecord, "label">} record @returns {Explained} */
export function explain({ code, detail, response, cause }, { label }) {
  const doubt = code === Code.inDoubt
  const words = texts[code]?.(line(label, 60)) ?? (response === undefined ? sentence(line(detail, 300)) : "")
  const said = response === undefined ? "" : `The server says: ${serverSays(response)}`
  // What a platform says of a failed fetch tells a person nothing.
  const own = cause instanceof Error && cause.message.startsWith("parley: ") ? sentence(line(cause.message.slice("parley: ".length), 300)) : ""
  return { text: inert([words, own, said].filter(Boolean).join(" ")), next: doubt ? "Send It Again…" : "Try Again", doubt }
}

/** @type {Record<number, (server: string) => string>} */
const texts = {
  [Code.malformed]: () => "The server’s answer makes no sense. Nobody was asked anything; its author has to repair that.",
  [Code.resultType]: () => "The server’s answer is of an unknown kind.",
  [Code.rounds]: () => "The server has asked more often than a call should need. You can let it ask on.",
  [Code.waits]: () => "The server is still busy, and asked to come back later many times in a row.",
  [Code.state]: () => "The server does not accept the answers any more: they came too late, or it has changed. Call again.",
  [Code.lost]: (server) => `The connection was lost: no answer came from ${server}. What you answered is kept.`,
  [Code.legTimeout]: () => "The server did not answer in time. What you answered is kept.",
  [Code.canceled]: () => "The call was interrupted. You can go on with it.",
  [Code.capability]: () => "The server asked for what it may not. Nobody was asked: it was told beforehand what it may ask for.",
  [Code.inDoubt]: (server) =>
    `It is not known whether this was done: the tool was called, and no answer came from ${server}. Find out if you can. Sent again, it may be done twice.`,
  [Code.task]: () => "The task ended without a result.",
}

/** The error of a server in its own words. @param {string} response JSON text */
function serverSays(response) {
  const message = string(member(response, "message")) ?? response
  return `${line(message, 300)} (error ${line(member(response, "code") ?? "without a code", 20)})`
}

/** @param {string} text */
function sentence(text) {
  return text && `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`
}
