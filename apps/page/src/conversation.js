import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { announce } from "./announce.js"
import { CallView } from "./call-view.js"
import { el } from "./element.js"
import { icon } from "./icon.js"

/** @import { Calls } from "./calls.js" */
/** @import { Does } from "./call-end.js" */
/** @import { Context } from "./question.js" */
/** @import { QuestionView } from "./question-card.js" */

/** All calls, the oldest first, as one conversation. */
export class Conversation {
  #calls
  #context
  #does
  #welcome
  #list = el("div", { class: "calls" })
  /** @type {Map<string, CallView>} */
  #views = new Map()
  /** The call that the person has just made. @type {string | undefined} */
  #expected
  #begun = false

  /** @type {HTMLElement} */
  element

  /** @param {Omit<Context, "arrived">} shared @param {Does} does */
  constructor(shared, does) {
    this.#calls = shared.calls
    this.#does = does
    this.#context = { ...shared, arrived: this.#arrived.bind(this) }
    this.#welcome = welcome()
    this.element = el("section", { class: "conversation", "aria-label": t`Calls` }, this.#welcome, this.#list)
    this.#calls.addEventListener("change", () => this.#show())
    this.#show()
  }

  /** From now on what happens is told: the page has shown what there was. @param {string} words about that */
  begin(words) {
    this.#begun = true
    announce(words)
  }

  /** The call gets the focus as soon as it is here, and what it asks with it. @param {string} id */
  expect(id) {
    this.#expected = id
  }

  /** Goes to a question. @param {string} id @param {number} ask */
  goTo(id, ask) {
    const view = this.#views.get(id)
    view?.element.scrollIntoView({ block: "nearest" })
    view?.focusQuestion(ask)
  }

  #show() {
    const records = this.#calls.list()
    this.#welcome.hidden = records.length > 0
    for (const [id, view] of this.#views) {
      if (records.some((record) => record.id === id)) continue
      this.#remove(id, view)
    }
    for (const record of records) {
      const view = this.#views.get(record.id)
      if (view) {
        view.update(record)
      } else {
        const made = new CallView(record, this.#context, this.#does)
        this.#views.set(record.id, made)
        this.#list.append(made.element)
        if (record.id === this.#expected) made.wait()
      }
    }
  }

  /** @param {string} id @param {CallView} view */
  #remove(id, view) {
    const { active } = view
    const next = view.element.nextElementSibling ?? view.element.previousElementSibling
    view.element.remove()
    view.close()
    this.#views.delete(id)
    if (!active) return
    const neighbour = [...this.#views.values()].find(({ element }) => element === next)
    if (neighbour) neighbour.focus()
    else this.#does.home()
  }

  /**
   * A new question gets the focus if the person waits for it: they are in its
   * call or nowhere. Who is busy elsewhere is told, and not interrupted.
   *
   * @param {CallView} call
   * @param {QuestionView} question
   */
  #arrived(call, question) {
    if (!this.#begun) return
    const { id, server, title } = call.record
    queueMicrotask(() => {
      const idle = document.activeElement === document.body && !this.#calls.isElsewhere(id)
      if (call.active || idle) {
        question.focus()
        question.element.scrollIntoView({ block: "nearest" })
      } else {
        announce(t`${plainLine(server, 100)} ${question.wants}, for ${plainLine(title, 100)}.`)
      }
    })
  }
}

function welcome() {
  return el(
    "div",
    { class: "welcome" },
    icon("parley"),
    el("h2", {}, t`Call something, answer what it asks`),
    el(
      "p",
      {},
      t`Pick a tool, a prompt or a resource. If it needs to know something, its questions appear here, and wait as long as you like: also when you close this page and come back.`,
    ),
  )
}
