import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { el, fill } from "./element.js"
import { icon } from "./icon.js"
import { quiet } from "./question-card.js"
import { shown } from "./shown.js"

/** @import { Progress } from "../../shared-js/run.js" */
/** @import { CallRecord, Leg, Task } from "./record.js" */

/** From how many seconds on it shows how long the server takes. */
const longWait = 2

/** The line that says what a call under way waits for. It has the focus while nothing else can. */
export class CallStatus {
  #text = el("span", {})
  #elapsed = el("span", { class: "elapsed", "aria-hidden": "true" })
  /** What the server says of it: of the task, and of how far it is. */
  #said = el("div", { class: "progress" })
  #bar = el("progress", { "aria-label": t`How far it is` })
  #stop
  #timer
  /** What is under way, whose seconds are counted. @type {Leg | Task | undefined} */
  #under

  /** @type {HTMLElement} */
  element

  /** @param {() => void} stop */
  constructor(stop) {
    this.#stop = quiet(t`Stop this call`, stop)
    this.element = el("div", { class: "status", tabindex: -1 }, el("p", {}, icon("working"), this.#text, this.#elapsed, this.#stop), this.#said)
    this.#timer = setInterval(() => this.#tick(), 1000)
  }

  /** @param {CallRecord} record @param {boolean} elsewhere another tab drives it */
  update({ phase, open, leg, task, progress, queued, server }, elsewhere) {
    const waitsForPerson = open.length > 0
    this.element.hidden = phase !== "running"
    this.element.classList.toggle("still", waitsForPerson)
    this.element.classList.toggle("elsewhere", elsewhere)
    const text = words(plainLine(server, 100), waitsForPerson, { leg, task, queued }, elsewhere)
    if (this.#text.textContent !== text) this.#text.textContent = text
    this.#stop.hidden = waitsForPerson // the question has a button of its own
    const stop = task ? t`Stop this task` : t`Stop this call`
    if (this.#stop.textContent !== stop) this.#stop.textContent = stop
    this.#say(waitsForPerson ? [] : [task?.message, progress?.message], waitsForPerson ? undefined : progress)
    this.#under = phase !== "running" || waitsForPerson ? undefined : (task ?? (leg?.inFlight ? leg : undefined))
    this.#tick()
  }

  /** @param {(string | undefined)[]} texts the server's @param {Progress} [progress] */
  #say(texts, { done = 0, total = 0 } = {}) {
    const bar = total > 0 && [this.#bar, el("p", { class: "elapsed" }, t`${done} of ${total}`)]
    if (bar) Object.assign(this.#bar, { max: total, value: Math.min(done, total) })
    const said = [...new Set(texts)].map((text) => text !== undefined && text !== "" && el("p", { class: "theirs", dir: "auto" }, shown(text, 400)))
    fill(this.#said, said, bar)
    this.#said.hidden = !this.#said.childNodes.length
  }

  focus() {
    this.element.hidden = false
    this.element.focus()
  }

  /** Ends what runs beside the page. */
  close() {
    clearInterval(this.#timer)
  }

  #tick() {
    const seconds = this.#under ? Math.floor((Date.now() - this.#under.since) / 1000) : 0
    const text = seconds >= longWait ? ` ${t`${seconds} s`}` : ""
    if (this.#elapsed.textContent !== text) this.#elapsed.textContent = text
  }
}

/** @param {string} server @param {boolean} waitsForPerson @param {Pick<CallRecord, "leg" | "task" | "queued">} at @param {boolean} elsewhere */
function words(server, waitsForPerson, { leg, task, queued }, elsewhere) {
  if (waitsForPerson) return t`${server} waits for your answer.` + (elsewhere ? ` ${t`The call runs in another tab: your answer is handed over.`}` : "")
  const where = elsewhere ? ` ${t`It runs in another tab of this browser.`}` : ""
  if (queued) return t`It waits for its turn: ${server} keeps a connection busy for each call.` + where
  if (task) return t`${server} has made a task of it, and works on that.` + where
  if (leg?.lost) return t`No answer came from ${server}: it is asked again.` + where
  if (leg?.waits) return (leg.waits === 1 ? t`${server} is busy and asked to come back later: 1 time so far.` : t`${server} is busy and asked to come back later: ${leg.waits} times so far.`) + where
  return (leg ? t`Waiting for ${server}.` : t`Starting…`) + where
}
