import { el, newId } from "./element.js"
import { plainLine } from "./plain.js"
import { primary, QuestionCard } from "./question-card.js"
import { addressOf, rootsResult } from "./roots.js"
import { count } from "./words.js"

/** @import { OpenQuestion } from "./record.js" */
/** @import { Desk, QuestionView } from "./question-card.js" */
/** @import { Root } from "./roots.js" */

/**
 * Which of the person's folders the server may be told about. Nothing of what
 * is in them is read.
 *
 * @param {{roots: Root[], addRoot: (root: Root) => void}} settings
 * @param {OpenQuestion} question
 * @param {Desk} desk
 * @returns {QuestionView}
 */
export function rootsQuestion(settings, question, desk) {
  const card = new QuestionCard(question, desk, { wants: "asks which folders it may work on", name: "folder" })
  const list = el("div", { class: "options", role: "group", "aria-label": "Folders" })
  const path = el("input", { id: newId("folder"), type: "text", autocomplete: "off", spellcheck: "false", placeholder: "/home/me/project" })
  const problem = el("p", { class: "problem", id: newId("problem"), hidden: true })
  path.setAttribute("aria-describedby", problem.id)
  const share = primary("", send)
  const chosen = () => [...list.querySelectorAll("input")].flatMap((input) => (input.checked ? [settings.roots[Number(input.value)]] : []))

  /** @param {boolean[]} [checked] */
  function show(checked = settings.roots.map(() => true)) {
    list.replaceChildren(
      ...settings.roots.map(({ uri, name }, i) => {
        const input = el("input", { type: "checkbox", value: i })
        input.checked = checked[i] ?? true
        return el("label", { class: "option" }, input, el("span", {}, el("strong", {}, plainLine(name)), " ", el("code", {}, plainLine(uri))))
      }),
    )
    if (!settings.roots.length) list.append(el("p", { class: "tip" }, "You have no folders yet."))
    label()
  }

  function label() {
    const n = chosen().length
    share.textContent = n ? `Share ${count(n, "folder")}` : "Share no folders"
  }

  function send() {
    desk.reply(rootsResult(chosen().flatMap((root) => (root ? [root] : []))))
  }

  /** @param {SubmitEvent} event */
  function add(event) {
    event.preventDefault()
    const root = addressOf(path.value)
    problem.hidden = typeof root !== "string"
    path.setAttribute("aria-invalid", String(typeof root === "string"))
    if (typeof root === "string") {
      problem.textContent = root
    } else {
      const checked = [...list.querySelectorAll("input")].map((input) => input.checked)
      settings.addRoot(root)
      path.value = ""
      show(checked)
    }
    path.focus()
  }

  list.addEventListener("change", label)
  show()
  card.body(
    el("p", { class: "tip" }, "The server gets the addresses below, and nothing of what is in the folders."),
    list,
    el(
      "form",
      { class: "field add", novalidate: true, onsubmit: add },
      el("label", { for: path.id }, "Another folder"),
      el("div", { class: "row" }, path, el("button", {}, "Add")),
      problem,
    ),
  )
  card.offer([share])
  return card
}
