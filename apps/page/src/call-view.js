import { language, t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { isError } from "../../shared-js/result.js"
import { kinds } from "../../shared-js/words.js"
import { announce } from "./announce.js"
import { endOf } from "./call-end.js"
import { CallStatus } from "./call-status.js"
import { el, fill, newId } from "./element.js"
import { view } from "./question.js"
import { shownLine } from "./shown.js"
import { bubble, turnView } from "./turn-view.js"

/** @import { Does } from "./call-end.js" */
/** @import { CallRecord, OpenQuestion } from "./record.js" */
/** @import { QuestionView } from "./question-card.js" */
/** @import { Context } from "./question.js" */

/** A call in the conversation: what was called, what was asked and answered, and what came of it. */
export class CallView {
  #context
  #does
  #heading
  #chip = el("span", { class: "chip" })
  #turns = el("div", { class: "turns" })
  #turnsShown = 0
  #questions = el("div", { class: "open" })
  /** By ask id. @type {Map<number, QuestionView>} */
  #open = new Map()
  #status
  #end = el("div", { class: "end" })
  /** What the end shows, so that it is not made anew. */
  #ended = ""
  /** @type {CallRecord["phase"] | undefined} */
  #phase

  /** @type {HTMLElement} */
  element

  /** As it was last shown. @type {CallRecord} */
  record

  /** @param {CallRecord} record @param {Context} context @param {Does} does */
  constructor(record, context, does) {
    this.record = record
    this.#context = context
    this.#does = does
    const { id, method, title, name, server, started, lines } = record
    this.#heading = el("h2", { id: newId("call"), tabindex: -1, class: "theirs" }, shownLine(title, 120))
    this.#status = new CallStatus(() => context.calls.stop(id))
    const meta = [
      el("span", {}, t`${kinds[method] ?? method} of ${plainLine(server, 100)}`),
      clock(started),
      el("code", { class: "theirs" }, shownLine(name, 80)),
    ]
    this.element = el(
      "article",
      { class: "call", "aria-labelledby": this.#heading.id },
      el("header", {}, el("div", {}, this.#heading, el("p", { class: "meta" }, meta)), this.#chip),
      lines.length > 0 && bubble(t`You called it with`, lines),
      this.#turns,
      this.#questions,
      this.#status.element,
      this.#end,
    )
    this.update(record)
  }

  /** Ends what runs beside the page. */
  close() {
    this.#status.close()
  }

  /** Whether the person is in this card. */
  get active() {
    return this.element.contains(document.activeElement)
  }

  focus() {
    this.#heading.focus()
  }

  /** Goes to where it says what the call waits for: the focus goes on from there to what comes. */
  wait() {
    this.#status.focus()
  }

  /** Goes to a question, or to the card where it is not open here. @param {number} ask */
  focusQuestion(ask) {
    const question = this.#open.get(ask)
    if (question) question.focus()
    else if (!focusHeading(this.#end)) this.focus()
  }

  /** @param {CallRecord} record */
  update(record) {
    const { active } = this
    const was = this.#phase
    this.record = record
    this.#phase = record.phase
    this.#turns.append(...record.turns.slice(this.#turnsShown).map((turn) => turnView(turn, record.server)))
    this.#turnsShown = record.turns.length
    const [name, words] = chip(record)
    this.#chip.className = `chip ${name}`
    this.#chip.textContent = words
    this.#status.update(record, this.#context.calls.isElsewhere(record.id))
    this.#showQuestions()
    this.#showEnd()
    if (active && !this.active) this.#keepFocus()
    if (was === "running" && record.phase !== "running") this.#tellEnd(active)
  }

  #showQuestions() {
    const { phase, open } = this.record
    const now = phase === "running" ? open : []
    for (const [ask, question] of this.#open) {
      if (now.some((one) => one.ask === ask)) continue
      question.element.remove()
      this.#open.delete(ask)
    }
    for (const question of now) {
      const shown = this.#open.get(question.ask)
      if (!shown) this.#add(question)
      else shown.update(question)
      if (shown?.element.inert && question.problem !== undefined) this.#giveBack(shown)
    }
  }

  /** @param {OpenQuestion} question */
  #add(question) {
    const { id, server } = this.record
    const { calls, records } = this.#context
    /** While it is on its way nothing can be changed. @param {Promise<boolean> | void} done */
    const sent = async (done) => {
      this.#status.focus()
      made.element.inert = true
      if ((await done) !== false || !made.element.isConnected) return
      made.update(question, t`The tab that runs the call does not respond. Try again.`)
      this.#giveBack(made)
    }
    const made = view(this.#context, this.record, question, {
      server,
      reply: (raw) => void sent(calls.reply(id, question.ask, raw)),
      park: () => void sent(calls.park(id, question.ask)),
      stop: () => void sent(calls.stop(id)),
      keep: (draft) => void records.keepDraft(id, question.ask, draft),
    })
    this.#open.set(question.ask, made)
    this.#questions.append(made.element)
    this.#context.arrived(this, made)
  }

  /** An answer could not be sent: it can be changed again. @param {QuestionView} question */
  #giveBack(question) {
    question.element.inert = false
    question.focus()
  }

  #showEnd() {
    const { phase, failure, result, open, filed } = this.record
    const key = JSON.stringify([phase, failure, open.length, result?.length, filed])
    if (key === this.#ended) return
    this.#ended = key
    fill(this.#end, endOf(this.record, this.#does))
  }

  /** What had the focus is gone: what took its place gets it. */
  #keepFocus() {
    if (this.record.phase === "running") this.#status.focus()
    else focusHeading(this.#end)
  }

  /** @param {boolean} active */
  #tellEnd(active) {
    if (active && focusHeading(this.#end)) this.#end.scrollIntoView({ block: "nearest" })
    else announce(`${plainLine(this.record.title, 100)}: ${this.#end.querySelector("h3")?.textContent}`)
  }
}

/** The state of a call as a class and in words. @param {CallRecord} record @returns {[string, string]} */
function chip({ phase, open, failure, result }) {
  switch (phase) {
    case "running":
      return open.length ? ["waiting", t`Waiting for you`] : ["working", t`Working`]
    case "parked":
      return ["parked", t`Parked`]
    case "stopped":
      return ["over", t`Stopped`]
    case "done":
      return result !== undefined && isError(result) ? ["failed", t`Done, with an error`] : ["done", t`Done`]
  }
  return failure?.inDoubt ? ["doubt", t`In doubt`] : ["failed", t`Failed`]
}

/** @param {Element} part */
function focusHeading(part) {
  const heading = part.querySelector("h3")
  heading?.focus()
  return heading !== null
}

/** @param {number} time */
function clock(time) {
  const words = new Date(time).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" })
  return el("time", { datetime: new Date(time).toISOString() }, words)
}
