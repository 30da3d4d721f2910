// The questions of all calls of this window. VS Code shows one at a time, so the
// others wait for their turn; one that the person has put aside waits until they
// open it again.

import { PARK } from "@parley-mcp/parley/core"
import * as vscode from "vscode"

import { members } from "../../shared-js/raw-json.js"
import { Left } from "./leaving.js"
import { saysBriefly } from "./question-sign-in.js"
import { Sheet } from "./question-sheet.js"
import { inert, line } from "./shown.js"
import { opensQuestions } from "./settings.js"

/** @import { Answer, Question } from "@parley-mcp/parley" */
/** @import { CallQuestion } from "./question-sign-in.js" */
/** @import { Drive } from "./drive.js" */
/** @import { Drafts } from "./field.js" */

/**
 * A question that is open, with what the person has done with it so far: it is
 * there again when a question that was put aside is opened.
 *
 * @typedef {object} Open
 * @property {Drive} call
 * @property {CallQuestion} question
 * @property {AbortSignal} signal ends when the question is moot
 * @property {(answer: Answer) => void} resolve
 * @property {(reason: unknown) => void} reject
 * @property {boolean} aside
 * @property {Drafts} drafts of a form
 * @property {number} [at] the step of a form that was shown last
 * @property {{name: string, text: string, written?: string}} [said] what a model said, and what the person made of it
 * @property {string[]} [ticked] folders, by their addresses
 */

/** Puts a question on sheets and returns the answer. @typedef {(open: Open, sheet: Sheet) => Promise<Answer>} Show */

export class Desk {
  #show
  /** @type {Open[]} */
  #open = []
  /** The one on the screen. @type {{open: Open, leave: (how: Left["how"]) => void} | undefined} */
  #shown

  /** @param {Show} show */
  constructor(show) {
    this.#show = show
  }

  /** @param {Drive} call @param {CallQuestion} question @param {AbortSignal} signal @returns {Promise<Answer>} */
  async ask(call, question, signal) {
    /** @type {Open | undefined} */
    let open
    try {
      return await new Promise((resolve, reject) => {
        open = { call, question, signal, resolve, reject, aside: !opensQuestions(), drafts: draftsOf(question) }
        this.#open.push(open)
        signal.addEventListener("abort", () => reject(signal.reason))
        if (open.aside) void this.#announce(open)
        void this.#next()
      })
    } finally {
      this.#drop(open)
    }
  }

  /** @param {Open | undefined} open */
  #drop(open) {
    this.#open = this.#open.filter((one) => one !== open)
  }

  /** Shows a question of a call, if it has one. False if it has none. @param {string} id @param {number} [ask] */
  open(id, ask) {
    const open = this.#open.find(({ call, question }) => call.record.id === id && (ask === undefined || question.ask === ask))
    if (!open) return false
    open.aside = false
    // It comes before others that wait for their turn.
    this.#open = [open, ...this.#open.filter((one) => one !== open)]
    if (this.#shown?.open !== open) this.#shown?.leave("aside")
    void this.#next()
    return true
  }

  async #next() {
    if (this.#shown) return
    const open = this.#open.find(({ aside }) => !aside)
    if (!open) return
    const leaving = new AbortController()
    const leave = (/** @type {Left["how"]} */ how) => leaving.abort(new Left(how))
    this.#shown = { open, leave }
    const { call, signal, question } = open
    const gone = () => leave("gone")
    signal.addEventListener("abort", gone)
    try {
      const title = question.round > 1 ? `${call.called}, round ${question.round}` : call.called
      const trouble = question.problem && `That did not work: ${line(question.problem, 300)}. `
      const sheet = new Sheet({ title, trouble, signal: leaving.signal, leaves: true })
      const answer = await this.#show(open, sheet)
      this.#drop(open) // before the next one is looked for
      open.resolve(answer)
    } catch (error) {
      this.#left(open, error)
    } finally {
      signal.removeEventListener("abort", gone)
      this.#shown = undefined
      void this.#next()
    }
  }

  /** @param {Open} open @param {unknown} error */
  #left(open, error) {
    if (error instanceof Left && error.how === "aside") {
      open.aside = true
      return void this.#announce(open)
    }
    this.#drop(open)
    if (!(error instanceof Left)) return open.reject(error)
    if (error.how === "park") open.resolve(PARK)
    if (error.how === "stop") open.call.stop()
  }

  /** Says that a question waits, without getting in the way. @param {Open} open */
  async #announce(open) {
    const { call, question } = open
    const text = inert(`${call.called} waits for you: ${line(saysBriefly(question), 120)}`)
    if ((await vscode.window.showInformationMessage(text, "Answer")) === "Answer") this.open(call.record.id, question.ask)
  }
}

/** What a question begins with. @param {Pick<Question, "earlier">} question @returns {Drafts} */
export function draftsOf({ earlier = "{}" }) {
  return new Map(members(earlier).map(({ name, value }) => [name, { value }]))
}
