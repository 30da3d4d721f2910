import { t } from "../../shared-js/language.js"
import { accepted, pageOf, says, warning } from "../../shared-js/question.js"
import { el } from "./element.js"
import { button, primary, quote, QuestionCard, quiet } from "./question-card.js"

/** @import { OpenQuestion } from "./record.js" */
/** @import { Desk, QuestionView } from "./question-card.js" */

/**
 * A page to be opened. Nothing is opened without a press of a button, and the
 * page that opens cannot reach this one.
 *
 * @param {OpenQuestion} question
 * @param {Desk} desk
 * @returns {QuestionView}
 */
export function urlQuestion(question, desk) {
  const url = pageOf(question)
  const again = Boolean(question.repeat)
  const card = new QuestionCard(question, desk, { wants: again ? t`waits until you are done on its page` : t`wants you to open a page`, name: "page" })
  const open = () => window.open(url, "_blank", "noopener,noreferrer")
  card.body(
    quote(says(question)),
    address(url, question.host ?? ""),
    el("ul", { class: "marks" }, marks(question)),
    again && el("p", { class: "tip" }, t`You agreed to this very address before, and nothing is opened by itself. Say so when you are done there. Some servers notice it: then the call continues.`),
  )
  if (again) {
    card.offer([primary(t`I’m done: check again`, () => desk.reply(accepted)), button(t`Open the page again`, open)], true)
  } else {
    card.offer(
      [
        primary(t`Open the page`, () => {
          open()
          desk.reply(accepted)
        }),
        button(t`I opened it myself`, () => desk.reply(accepted)),
      ],
      true,
    )
  }
  return card
}

/** The whole address, with where it leads standing out. @param {string} url @param {string} host */
function address(url, host) {
  const at = host ? url.toLowerCase().indexOf(host.toLowerCase(), url.indexOf("//")) : -1
  const parts = at < 0 ? [url] : [url.slice(0, at), el("strong", { class: "host" }, url.slice(at, at + host.length)), url.slice(at + host.length)]
  const copied = el("span", { role: "status", class: "copied" })
  return el(
    "div",
    { class: "address" },
    el("p", { class: "label" }, t`It leads to`, " ", el("strong", {}, host || t`the address below`)),
    el("code", { class: "url", dir: "ltr", tabindex: 0, "aria-label": t`Address: ${url}`, role: "group" }, parts),
    el(
      "div",
      { class: "copy" },
      quiet(t`Copy address`, async () => {
        copied.textContent = await navigator.clipboard.writeText(url).then(
          () => t`Copied`,
          () => t`Select the address and copy it by hand: this browser does not let the page do it.`,
        )
      }),
      copied,
    ),
  )
}

/** @param {OpenQuestion} question */
function marks({ host, loopback, punycode }) {
  return [
    loopback && el("li", {}, t`This page is on your own computer.`),
    punycode && el("li", { class: "warning" }, warning(host ?? "")),
    el("li", {}, t`It opens in a new tab. What you do there goes to that page, not through this one.`),
  ]
}
