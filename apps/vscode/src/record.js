// What is known of a call, as plain data. All texts of a server are as they came.

import { inert, line } from "./shown.js"

/** @import { Call } from "../../shared-js/run.js" */

/** A question that waits, for a list. @typedef {{ask: number, says: string}} Waiting */

/** @typedef {Call & {open: Waiting[]}} CallRecord */

/** What the person knows a call by. @param {CallRecord} record */
export function calledOf({ server, title }) {
  return inert(`${line(server, 60)}: ${line(title, 80)}`)
}
