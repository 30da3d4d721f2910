import { inputResponse } from "@modelcontextprotocol/server"

import { request, values } from "./form.js"

/** @import { ServerContext } from "@modelcontextprotocol/server" */
/** @import { Form } from "./form.js" */

/** How often the same question is put before a story gives up. */
const maxTries = 3

/**
 * What a requestState says, in plain text: the Guard seals it. It is that of
 * tests/stories/go-server, so that either server finishes what the other began.
 *
 * @typedef {object} Progress
 * @property {string[]} [keys] questions put in the last round
 * @property {number} [tries] how often in a row they were put
 * @property {any} [facts] what earlier answers established
 */

/**
 * What became of a form: `unusable` is missing, malformed or out of range.
 *
 * @typedef {{outcome: "accepted", values: Record<string, any>}
 *   | {outcome: "declined", values?: undefined}
 *   | {outcome: "cancelled", values?: undefined}
 *   | {outcome: "unusable", values?: undefined}} Answer
 */

/**
 * A story's decision: questions, or how it ends.
 *
 * @typedef {{questions: Record<string, ReturnType<typeof request>>, next: Progress} | Ending} Reply
 */

/**
 * `refused`: the user declined or cancelled. `unanswered`: they were asked
 * maxTries times.
 *
 * @typedef {{text: string, end: "done" | "refused" | "unanswered"}} Ending
 */

/** Ends a story with its result. @param {string} text @returns {Ending} */
export const answer = (text) => ({ text, end: "done" })

/** Ends a story because the user would not answer. @param {string} text @returns {Ending} */
export const refuse = (text) => ({ text, end: "refused" })

/** One request as a story sees it: the arguments apart, it decides from this alone. */
export class Round {
  /** @type {Progress} */
  #last
  #answers

  /** @param {ServerContext} context behind a Guard: the state is the server's own, the answers were asked for */
  constructor({ mcpReq }) {
    this.#last = JSON.parse(mcpReq.requestState() ?? "{}")
    this.#answers = mcpReq.inputResponses
  }

  /** What the last round remembered. */
  get facts() {
    return this.#last.facts ?? {}
  }

  /** Reads the answer to a form. @param {Form} form @returns {Answer} */
  read({ name, schema }) {
    const view = inputResponse(this.#answers, name)
    if (view.kind !== "elicit" || !this.#asked(name)) return { outcome: "unusable" }
    if (view.action === "decline") return { outcome: "declined" }
    if (view.action === "cancel") return { outcome: "cancelled" }
    const read = values(schema, view.content ?? {})
    return read ? { outcome: "accepted", values: read } : { outcome: "unusable" }
  }

  /** Puts a form, or gives up on it. @param {Form} form @param {object} [facts] to remember @returns {Reply} */
  ask(form, facts) {
    const tries = this.#asked(form.name) ? (this.#last.tries ?? 0) + 1 : 1
    if (tries > maxTries) {
      return { text: `No usable answer to [${JSON.stringify(form.name)}] after asking ${maxTries} times.`, end: "unanswered" }
    }
    return { questions: { [form.name]: request(form, tries > 1) }, next: { keys: [form.name], tries, facts } }
  }

  /** @param {string} name */
  #asked(name) {
    return this.#last.keys?.includes(name) ?? false
  }
}
