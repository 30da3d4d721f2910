import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { shared } from "../../shared-js/question.js"
import { el } from "./element.js"
import { folderForm } from "./folder-form.js"
import { primary, QuestionCard } from "./question-card.js"

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
  const card = new QuestionCard(question, desk, { wants: t`asks which folders it may work on`, name: "folder" })
  const list = el("div", { class: "options", role: "group", "aria-label": t`Folders` })
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
    if (!settings.roots.length) list.append(el("p", { class: "tip" }, t`You have no folders yet.`))
    label()
  }

  function label() {
    const n = chosen().length
    share.textContent = n === 0 ? t`Share no folders` : n === 1 ? t`Share 1 folder` : t`Share ${n} folders`
  }

  function send() {
    desk.reply(shared(chosen().flatMap((root) => (root ? [root] : []))))
  }

  const adding = folderForm(t`Another folder`, (root) => {
    const checked = [...list.querySelectorAll("input")].map((input) => input.checked)
    settings.addRoot(root)
    show(checked)
  })

  list.addEventListener("change", label)
  show()
  card.body(
    el("p", { class: "tip" }, t`The server gets the addresses below, and nothing of what is in the folders.`),
    list,
    adding.element,
  )
  card.offer([share])
  return card
}
