// A text of a server's as nodes: what had to be spelled out is marked.

import { pieces } from "../../shared-js/plain.js"
import { el } from "./element.js"

/** @import { Piece } from "../../shared-js/plain.js" */

/** A text of many lines, cut after about `limit` characters. @param {string} text @param {number} [limit] */
export function shown(text, limit = 4000) {
  return render(pieces(text, limit, "\n"))
}

/** A text in one line. @param {string} text @param {number} [limit] */
export function shownLine(text, limit = 200) {
  return render(pieces(text, limit, "␤"))
}

/** @param {Piece[]} list */
function render(list) {
  const fragment = document.createDocumentFragment()
  for (const { text, hidden } of list) fragment.append(hidden ? el("span", { class: "spelled" }, text) : text)
  return fragment
}
