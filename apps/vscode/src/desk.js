// The questions of all calls of this window. VS Code shows one at a time, so the
// others wait for their turn; one that the person has put aside waits until they
// open it again.

import { PARK } from "@parley-mcp/parley/core"
import * as vscode from "vscode"

import { Left } from "./leaving.js"
import { Sheet } from "./question-sheet.js"
import { inert, line } from "./shown.js"
import { opensQuestions } from "./settings.js"
import { says } from "./record.js"

/** @import { Answer, Question } from "@parley-mcp/parley" */
/** @import { Drive } from "./drive.js" */
/** @import { Draft } from "./field.js" */

/**
 * A question that is open. `drafts` is what was filled in so far; `held` says
 * that it was to be parked and cannot be: the server waits.
 *
 * @typedef {object} Open
 * @property {Drive} call
 * @property {Question} question
 * @property {AbortSignal} signal ends when the question is moot
 * @property {(answer: Answer) => void} resolve
 * @property {(reason: unknown) => void} reject
 * @property {boolean} aside
 * @property {boolean} held
 * @property {Drafts} drafts
 */

/** What was filled in so far, by the names of fields. @typedef {Map<string, Draft>} Drafts */

/** Puts a question on sheets and returns the answer. @typedef {(open: Open, sheet: Sheet) => Promise<Answer>} Show */

export class Desk {
  #show
  /** @type {Open[]} */
  #open = []
  /** The one on the screen. @type {{open: Open, leave: (how: Left["how"]) => void} | undefined} */
  #shown
  /** Questions that were to be parked, of calls that run. @type {WeakMap<Drive, Set<number>>} */
  #parked = new WeakMap()

  /** @param {Show} show */
  constructor(show) {
    this.#show = show
  }

  /** @param {Drive} call @param {Question} question @param {AbortSignal} signal @returns {Promise<Answer>} */
  ask(call, question, signal) {
    return new Promise((resolve, reject) => {
      const held = Boolean(this.#parked.get(call)?.has(question.ask))
      /** @type {Open} */
      const open = { call, question, signal, resolve, reject, aside: !opensQuestions(), held, drafts: new Map() }
      this.#open.push(open)
      signal.addEventListener("abort", () => this.#end(open, () => reject(signal.reason)))
      if (open.aside) void this.#announce(open)
      void this.#next()
    })
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

  /** Parks what a call asks. False if it asks nothing that can be parked. @param {Drive} call */
  parkAll(call) {
    const open = this.#open.filter((one) => one.call === call)
    for (const one of open) this.#park(one)
    return open.length > 0 && open.every(({ held }) => !held)
  }

  async #next() {
    if (this.#shown) return
    const open = this.#open.find(({ aside }) => !aside)
    if (!open) return
    const leaving = new AbortController()
    const leave = (/** @type {Left["how"]} */ how) => leaving.abort(new Left(how))
    this.#shown = { open, leave }
    const { call, signal } = open
    const gone = () => leave("gone")
    signal.addEventListener("abort", gone)
    try {
      await asking(true)
      const title = open.question.round > 1 ? `${call.called}, round ${open.question.round}` : call.called
      const sheet = new Sheet({ title, signal: leaving.signal, ways: { park: !open.held, stop: true } })
      const answer = await this.#show(open, sheet)
      this.#end(open, () => open.resolve(answer))
    } catch (error) {
      this.#left(open, error)
    } finally {
      signal.removeEventListener("abort", gone)
      this.#shown = undefined
      await asking(false)
      void this.#next()
    }
  }

  /** @param {Open} open @param {unknown} error */
  #left(open, error) {
    if (!(error instanceof Left)) return this.#end(open, () => open.reject(error))
    switch (error.how) {
      case "park":
        return this.#park(open)
      case "stop":
        return open.call.stop()
      case "escape":
        // A prompt for a model and a question for folders know no "cancel".
        if (open.question.kind === "elicitation/create") return this.#end(open, () => open.resolve('{"action":"cancel"}'))
        open.aside = true
        return void this.#announce(open)
      case "aside":
        open.aside = true
        return void this.#announce(open)
    }
  }

  /** @param {Open} open */
  #park(open) {
    const { call, question } = open
    this.#parked.set(call, (this.#parked.get(call) ?? new Set()).add(question.ask))
    this.#end(open, () => open.resolve(PARK))
  }

  /** @param {Open} open @param {() => void} how */
  #end(open, how) {
    this.#open = this.#open.filter((one) => one !== open)
    how()
  }

  /** Says that a question waits, without getting in the way. @param {Open} open */
  async #announce(open) {
    const { call, question } = open
    const text = inert(`${call.called} waits for you: ${line(says(question), 120)}`)
    if ((await vscode.window.showInformationMessage(text, "Answer")) === "Answer") this.open(call.record.id, question.ask)
  }
}

/** Tells VS Code whether Esc is an answer. @param {boolean} is */
async function asking(is) {
  await vscode.commands.executeCommand("setContext", "parley.asking", is)
}
