import { plainLine } from "../../shared-js/plain.js"
import { el, newId } from "./element.js"
import { shown, shownLine } from "./shown.js"

/** @import { Line } from "../../shared-js/words.js" */

/**
 * What is about to be sent.
 *
 * @param {string} title
 * @param {Line[]} lines
 */
export function review(title, lines) {
  const heading = el("h4", { id: newId("review"), tabindex: -1 }, plainLine(title, 200))
  return { element: el("div", { class: "review", role: "group", "aria-labelledby": heading.id }, heading, listed(lines)), heading }
}

/** The lines of an answer or of arguments. @param {Line[]} lines */
export function listed(lines) {
  return el(
    "dl",
    { class: "lines" },
    lines.map(({ label, value, ours }) =>
      el("div", {}, el("dt", { dir: "auto" }, shownLine(label, 120)), el("dd", { dir: "auto", class: ours && "ours" }, shown(value, 2000))),
    ),
  )
}
