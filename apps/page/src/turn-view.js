import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { el } from "./element.js"
import { quote } from "./question-card.js"
import { listed } from "./review.js"

/** @import { Turn } from "./record.js" */
/** @import { Line } from "../../shared-js/words.js" */

/** A question and its answer, or what else happened, to be read later. @param {Turn} turn @param {string} server the host's name for it */
export function turnView(turn, server) {
  if (turn.type === "note") return el("p", { class: "note" }, turn.text)
  const { kind, said, did, lines } = turn
  const asked = `${plainLine(server, 100)} ${wanted[kind] ?? t`asked`}`
  return el("div", { class: "turn" }, said ? quote(said, asked) : el("p", { class: "who" }, asked), bubble(did, lines))
}

/** What the person said. @param {string} did @param {Line[]} [lines] */
export function bubble(did, lines = []) {
  return el("div", { class: "bubble mine" }, el("p", { class: "who" }, did), lines.length > 0 && listed(lines))
}

/** @type {Record<string, string>} */
const wanted = { "sampling/createMessage": t`asked for a model’s answer`, "roots/list": t`asked which folders it may work on`, authorize: t`wanted you to sign in` }
