import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { says } from "../../shared-js/question.js"
import { el, fill } from "./element.js"
import { waiting } from "./record.js"
import { shownLine } from "./shown.js"

/** @import { Calls } from "./calls.js" */

/** The list of what waits for the person: open questions, of calls that run and that are parked. */
export class WaitingList {
  #calls
  #goTo
  #count = el("span", { class: "count" })
  #list = el("ul", {})
  #shown = ""

  /** @type {HTMLElement} */
  element

  /** @param {Calls} calls @param {(id: string, ask: number) => void} goTo */
  constructor(calls, goTo) {
    this.#calls = calls
    this.#goTo = goTo
    this.element = el(
      "section",
      { class: "waiting", "aria-labelledby": "waiting-title" },
      el("h2", { id: "waiting-title" }, t`Waiting for you`, this.#count),
      this.#list,
    )
    calls.addEventListener("change", () => this.#show())
    this.#show()
  }

  get size() {
    return this.#calls.list().flatMap(waiting).length
  }

  #show() {
    const all = this.#calls.list().flatMap((record) => waiting(record).map((question) => ({ record, question })))
    const key = JSON.stringify(all.map(({ record, question }) => [record.id, record.phase, question.ask]))
    if (key === this.#shown) return
    this.#shown = key
    this.#count.textContent = all.length ? String(all.length) : ""
    document.title = all.length ? `(${all.length}) Parley` : "Parley"
    fill(
      this.#list,
      all.map(({ record, question }) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", onclick: () => this.#goTo(record.id, question.ask) },
            el("span", { class: "title theirs" }, shownLine(record.title, 80)),
            el("span", { class: "said theirs" }, shownLine(says(question), 100)),
            el("span", { class: "meta" }, `${plainLine(record.server, 60)}${record.phase === "parked" ? ` · ${t`parked`}` : ""}`),
          ),
        ),
      ),
      !all.length && el("li", { class: "none" }, t`Nothing. Questions appear here.`),
    )
  }
}

/** @param {number} n */
export function questionsWaiting(n) {
  return n === 0 ? t`Nothing waits for you` : n === 1 ? t`1 question waiting for you` : t`${n} questions waiting for you`
}
