import { PARK } from "../calls/askers.js"
import { abilities, flags, mostQuestions, ofCall } from "./messages.js"

/** @import { Askers, AskContext, Question } from "../calls/askers.js" */
/** @import { RemoteVisit } from "./visit.js" */
/** @import { Watchers } from "../calls/watchers.js" */

/** A call that runs on the host's server, and the page that has it, if there is one. */
export class RemoteRun {
  #id
  #can
  #tell
  #linger
  /** @type {RemoteVisit | undefined} */
  #page
  /** The questions that are open, by their numbers here. @type {Map<number, {question: Question, answer: (answer: any) => void, refuse: (error: Error) => void}>} */
  #open = new Map()
  #last = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  #park = new AbortController()
  #stop = new AbortController()

  /** The page went away, so the call is parked if it can be. */
  left = false

  /** A person wants it parked. */
  wanted = false

  /** @param {string} id @param {Record<string, unknown>} can @param {unknown[]} tell @param {number} linger how long it runs without a page, in milliseconds, if it cannot be parked */
  constructor(id, can, tell, linger) {
    this.#id = id
    this.#can = can
    this.#tell = tell
    this.#linger = linger
  }

  get page() {
    return this.#page
  }

  get signals() {
    return { park: this.#park.signal, signal: this.#stop.signal }
  }

  /** Who answers: the page. @returns {Askers} */
  get askers() {
    return askersOf(this.#can, (question, context) => this.#ask(question, context))
  }

  /** Who is told: the page, of what it wants to be told. @returns {Watchers} */
  get watchers() {
    const names = Object.keys(ofCall).filter((name) => this.#tell.includes(name))
    return Object.fromEntries(names.map((what) => [what, (/** @type {unknown[]} */ ...said) => this.#page?.say({ type: "tell", call: this.#id, what, said })]))
  }

  /** A page has the call from now on, in place of another, and gets what is open. @param {RemoteVisit} page */
  attach(page) {
    if (this.#page === page) return
    this.#page?.say({ type: "moved", call: this.#id })
    this.#page = page
    clearTimeout(this.#timer)
    for (const [number, { question }] of this.#open) this.#put(number, question)
  }

  /** The page is gone. */
  leave() {
    this.#page = undefined
    this.left = true
    this.#park.abort()
    this.#timer = setTimeout(() => this.cancel("the page did not come back"), this.#linger)
  }

  park() {
    this.wanted = true
    this.#park.abort()
  }

  /** @param {string} reason */
  cancel(reason) {
    this.#stop.abort(new Error(`parley: ${reason}`))
  }

  /** It has ended. */
  end() {
    clearTimeout(this.#timer)
  }

  /** Takes the reply to a question; false if none of this number is open. @param {{type: string, number: number, raw: string, park?: boolean, reason?: string}} reply */
  reply({ type, number, raw, park, reason = "the page refused" }) {
    const asked = this.#open.get(number)
    if (!asked) return false
    this.#open.delete(number)
    this.wanted ||= park === true
    if (type === "answer") asked.answer(raw)
    else if (park) asked.answer(PARK)
    else asked.refuse(new Error(`parley: ${reason}`))
    return true
  }

  /** @param {Question} question @param {AskContext} context @returns {Promise<any>} */
  async #ask(question, { signal }) {
    if (this.#open.size >= mostQuestions) throw new Error("parley: too many questions are open")
    const number = ++this.#last
    const answer = await new Promise((answer, refuse) => {
      this.#open.set(number, { question, answer, refuse })
      signal.addEventListener("abort", () => {
        if (this.#open.delete(number)) this.#page?.say({ type: "withdraw", call: this.#id, number })
        refuse(signal.reason)
      })
      this.#put(number, question)
    })
    return question.kind === "authorize" && answer !== PARK ? {} : answer // who signed in, a page is not believed
  }

  /** @param {number} number @param {Question} question */
  #put(number, question) {
    this.#page?.say({ type: "ask", call: this.#id, number, question })
  }
}

/** Askers for what a page says it can answer. @param {Record<string, unknown>} can @param {(question: Question, context: AskContext) => any} ask @returns {Askers} */
export function askersOf(can, ask) {
  const names = abilities.filter((name) => can[name] === true)
  return Object.fromEntries(names.map((name) => [name, flags.includes(name) ? true : ask]))
}
