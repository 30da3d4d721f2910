// Why a call ended without a result, and what can be done next, in words.

import { Code } from "@parley-mcp/parley/core"

import { member, string } from "../../page/src/raw-json.js"
import { sentence } from "../../page/src/words.js"
import { inert, line } from "./shown.js"

/** @import { Failure } from "@parley-mcp/parley" */
/** @import { Trouble } from "./record.js" */

/** What the person can do, as buttons. @type {Record<Trouble["next"], string>} */
export const nexts = { goOn: "Try Again", resend: "Send It Again…", again: "Start Over" }

/** @param {Failure} failure @param {boolean} inDoubt it may have been done @returns {Trouble} */
export function troubleOf({ code, detail, response }, inDoubt) {
  const why = texts[code] ?? sentence(line(`${heads[code] ?? ""}${detail}`, 400))
  const doubt = inDoubt ? "Whatever it does may be done or not: find out if you can." : ""
  const said = response === undefined ? "" : `The server says: ${serverSays(response)}`
  return { text: inert([why, doubt, said].filter(Boolean).join(" ")), next: inDoubt ? "resend" : code === Code.state ? "again" : "goOn" }
}

/** What stands before the engine's words. @type {Record<number, string>} */
const heads = {
  [Code.malformed]: "The server’s answer makes no sense: ",
  [Code.resultType]: "The server’s answer makes no sense: ",
  [Code.limit]: "The server sent too much: ",
  [Code.refused]: "A question could not be put to you: ",
  [Code.capability]: "The server asked for what it may not: ",
}

/** Ours, where the engine's are for a log. @type {Record<number, string>} */
const texts = {
  [Code.rounds]: "The server has asked more often than a call should need. You can let it ask on.",
  [Code.waits]: "The server is still busy, and asked to come back later many times in a row.",
  [Code.rpc]: "",
  [Code.state]: "The server does not accept the answers any more: they came too late, or it has changed. Start over, and forms come with what you filled in.",
  [Code.legTimeout]: "The server did not answer in time.",
  [Code.canceled]: "The call was interrupted.",
}

/** The error of a server in its own words. @param {string} response JSON text */
function serverSays(response) {
  const message = string(member(response, "message")) ?? response
  return `${line(message, 300)} (error ${line(member(response, "code") ?? "without a code", 20)}).`
}
