import { el, fill } from "./element.js"
import { icon } from "./icon.js"
import { plainLine, shown } from "./plain.js"
import { quiet } from "./question-card.js"
import { count } from "./words.js"

/** @import { CallRecord, Leg } from "./record.js" */

/** From how many seconds on it shows how long the server takes. */
const longWait = 2

/** The line that says what a call under way waits for. It has the focus while nothing else can. */
export class CallStatus {
  #text = el("span", {})
  #elapsed = el("span", { class: "elapsed", "aria-hidden": "true" })
  #progress = el("p", { class: "progress theirs", dir: "auto" })
  #stop
  #timer
  /** The leg in flight, whose seconds are counted. @type {Leg | undefined} */
  #leg

  /** @type {HTMLElement} */
  element

  /** @param {() => void} stop */
  constructor(stop) {
    this.#stop = quiet("Stop this call", stop)
    this.element = el("div", { class: "status", tabindex: -1 }, el("p", {}, icon("working"), this.#text, this.#elapsed, this.#stop), this.#progress)
    this.#timer = setInterval(() => this.#tick(), 1000)
  }

  /** @param {CallRecord} record @param {boolean} elsewhere another tab drives it */
  update({ phase, open, leg, queued, server }, elsewhere) {
    const waitsForPerson = open.length > 0
    this.element.hidden = phase !== "running"
    this.element.classList.toggle("still", waitsForPerson)
    this.element.classList.toggle("elsewhere", elsewhere)
    const text = words(plainLine(server, 100), waitsForPerson, leg, queued, elsewhere)
    if (this.#text.textContent !== text) this.#text.textContent = text
    this.#stop.hidden = waitsForPerson // the question has a button of its own
    fill(this.#progress, leg?.progress !== undefined && shown(leg.progress, 400))
    this.#progress.hidden = leg?.progress === undefined
    this.#leg = phase === "running" && leg?.inFlight && !waitsForPerson ? leg : undefined
    this.#tick()
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
    const seconds = this.#leg ? Math.floor((Date.now() - this.#leg.since) / 1000) : 0
    const text = seconds >= longWait ? ` ${seconds} s` : ""
    if (this.#elapsed.textContent !== text) this.#elapsed.textContent = text
  }
}

/** @param {string} server @param {boolean} waitsForPerson @param {Leg | undefined} leg @param {boolean | undefined} queued @param {boolean} elsewhere */
function words(server, waitsForPerson, leg, queued, elsewhere) {
  if (waitsForPerson) return `${server} waits for your answer.${elsewhere ? " The call runs in another tab: your answer is handed over." : ""}`
  const where = elsewhere ? " It runs in another tab of this browser." : ""
  if (queued) return `It waits for its turn: ${server} keeps a connection busy for each call.${where}`
  if (leg?.task) return `${server} has made a task of it, and works on that.${where}`
  if (leg?.waits) return `${server} is busy and asked to come back later: ${count(leg.waits, "time")} so far.${where}`
  return `${leg ? `Waiting for ${server}.` : "Starting…"}${where}`
}
