import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { role } from "../../shared-js/prompt.js"
import { partsOf } from "../../shared-js/result.js"
import { el } from "./element.js"
import { shown, shownLine } from "./shown.js"

/** @import { Part } from "../../shared-js/result.js" */

/** The most of a text that is shown, in characters. */
const mostText = 100_000

/** What the result of a method has to show. @param {string} method @param {string} result JSON text */
export function shownResult(method, result) {
  return partsOf(method, result).map(shownPart)
}

/** @param {Part} part */
function shownPart(part) {
  switch (part.type) {
    case "text":
      return el("div", { class: "theirs text", dir: "auto" }, shown(part.text, mostText))
    case "code":
      return el("pre", { class: "theirs text", tabindex: 0 }, shown(part.text, mostText))
    case "who":
      return el("p", { class: "who" }, shownLine(role(part.text), 100))
    case "resource":
      return el("p", { class: "who" }, t`Resource`, " ", el("code", {}, shownLine(part.name, 400)), part.at && [` ${t`at`} `, el("code", {}, shownLine(part.at, 400))])
    case "ours":
      return el("p", { class: "tip" }, plainLine(part.text, 300))
  }
}
