import { el, newId } from "./element.js"
import { addressOf } from "./roots.js"
import { t } from "../../shared-js/language.js"

/** @import { Root } from "./roots.js" */

/** Where a folder is typed. @param {string} words what it is for @param {(root: Root) => void} add */
export function folderForm(words, add) {
  const path = el("input", { id: newId("folder"), type: "text", autocomplete: "off", spellcheck: "false", placeholder: "/home/me/project" })
  const problem = el("p", { class: "problem", id: newId("problem"), hidden: true })
  path.setAttribute("aria-describedby", problem.id)

  /** @param {SubmitEvent} event */
  function onsubmit(event) {
    event.preventDefault()
    const root = addressOf(path.value)
    const wrong = typeof root === "string"
    problem.hidden = !wrong
    problem.textContent = wrong ? root : ""
    path.setAttribute("aria-invalid", String(wrong))
    if (!wrong) {
      add(root)
      path.value = ""
    }
    path.focus()
  }

  const row = el("div", { class: "row" }, path, el("button", {}, t`Add`))
  return { element: el("form", { class: "field add", novalidate: true, onsubmit }, el("label", { for: path.id }, words), row, problem), focus: () => path.focus() }
}
