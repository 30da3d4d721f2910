// What is known of a call, as plain data. It is kept beside the call's snapshot,
// under the same seal. All texts of a server are as they came.

import { member, string } from "../../page/src/raw-json.js"

/** @import { Question } from "@parley-mcp/parley" */

/** A question that waits, for a list. @typedef {{ask: number, kind: Question["kind"], says: string}} Waiting */

/** Why a call ended that can be gone on with, in our words. @typedef {{text: string, doubt: boolean}} Trouble */

/**
 * @typedef {object} CallRecord
 * @property {string} id
 * @property {string} label what the person calls the server
 * @property {string} address of the server, which tells it from every other
 * @property {string} method
 * @property {string} params JSON text
 * @property {string} title what the server calls the tool, prompt or resource
 * @property {number} started Unix time in milliseconds
 * @property {number} round
 * @property {Waiting[]} open
 * @property {Trouble} [trouble]
 */

/** What a question says, for a list: the server's text, or ours where it has none. @param {Question} question */
export function says({ kind, params = "{}" }) {
  if (kind === "sampling/createMessage") return "A model’s answer"
  if (kind === "roots/list") return "Which folders may it work on?"
  return string(member(params, "message")) ?? ""
}
