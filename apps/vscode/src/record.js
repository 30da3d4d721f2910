// What is known of a call, as plain data. It is kept beside the call's snapshot,
// under the same seal. All texts of a server are as they came.

import { member, string } from "../../page/src/raw-json.js"
import { inert, line } from "./shown.js"

/** @import { Engine, Question } from "@parley-mcp/parley" */

/** A question that waits, for a list. @typedef {{ask: number, says: string}} Waiting */

/**
 * Why a call ended, and how it can be gone on with: as it is, sent again though
 * it may have been done, or from its beginning.
 *
 * @typedef {{text: string, next: "goOn" | "resend" | "again"}} Trouble
 */

/**
 * @typedef {object} CallRecord
 * @property {string} id
 * @property {string} label what the person calls the server
 * @property {string} address of the server, which tells it from every other
 * @property {string} method
 * @property {string} params JSON text
 * @property {string} title what the server calls the tool, prompt or resource
 * @property {number} started Unix time in milliseconds
 * @property {Waiting[]} open
 * @property {Trouble} [trouble]
 */

/** What the person knows a call by. @param {CallRecord} record */
export function calledOf({ label, title }) {
  return inert(`${line(label, 60)}: ${line(title, 80)}`)
}

/** What the engine knows of a call. @param {Engine} engine @param {string} snapshot @param {string} peer the address of its server */
export function infoOf(engine, snapshot, peer) {
  const flow = engine.restoreFlow(snapshot, { peer })
  const info = flow.info()
  flow.free()
  return info
}

/** What a question says, for a list: the server's text, or ours where it has none. @param {Question} question */
export function says({ kind, params = "{}" }) {
  if (kind === "sampling/createMessage") return "A model’s answer"
  if (kind === "roots/list") return "Which folders may it work on?"
  return string(member(params, "message")) ?? ""
}
