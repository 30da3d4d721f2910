import { createInterface } from "node:readline"

import { PARK } from "./askers.js"
import { shown } from "./plain-text.js"

/** @import { Asker, AskContext, Askers, Question } from "./askers.js" */
/** @import { Engine } from "./core.js" */
/** @import { FormField, QuestionForm } from "./question-form.js" */

export { shown } from "./plain-text.js"

/** What lines are read from, such as process.stdin. @typedef {NodeJS.ReadableStream & {ref?(): unknown, unref?(): unknown}} Input */

/** Whoever declines types this. */
const no = "/decline"

/**
 * Askers that put a server's questions to the person at the terminal: forms
 * field by field, and addresses to open. What is wrong is asked for again, an
 * empty line takes what stands in brackets, `/decline` declines, and the end of
 * the input parks the call, because nobody is there. One question is put at a
 * time. Between questions it keeps no process running.
 *
 * @param {Engine} engine
 * @param {{input?: Input, output?: {write(text: string): unknown}}} [streams] those of the process if absent
 * @returns {Required<Pick<Askers, "elicit" | "elicitURL">>}
 */
export function terminal(engine, { input = process.stdin, output = process.stdout } = {}) {
  const lines = new Lines(input, output)
  return {
    elicit: lines.alone((question, signal) => askForm(lines, engine.questionForm(question), question, signal)),
    elicitURL: lines.alone((question, signal) => askAddress(lines, question, signal)),
  }
}

/** What is thrown when the person declines. */
const declined = Symbol("declined")

/** @param {Lines} lines @param {QuestionForm} form @param {Question} question @param {AbortSignal} signal */
async function askForm(lines, form, { problem }, signal) {
  if (problem !== undefined) lines.say(`\nThat could not be sent: ${shown(problem)}`)
  lines.say(`\nThe server asks: ${shown(form.message)}`)
  for (const field of form.fields) await askField(lines, form, field, signal)
  await lines.read("Enter sends this", signal)
  return form.accept()
}

/** Asks for a field until what was typed fits it. @param {Lines} lines @param {QuestionForm} form @param {FormField} field @param {AbortSignal} signal */
async function askField(lines, form, field, signal) {
  const { title, name, description, options = [], initial } = field
  if (description) lines.say(`  ${shown(description)}`)
  for (const { value, title } of options) lines.say(`  - ${shown(title === value ? value : `${value}: ${title}`)}`)
  const prompt = shown(`${title ?? name}${initial === undefined ? "" : ` [${typeable(initial)}]`}`)
  for (;;) {
    const typed = await lines.read(prompt, signal)
    const wrong = typed === "" && initial !== undefined ? form.choose(field, initial) : form.enter(field, typed)
    if (wrong === undefined) return
    lines.say(`  It ${shown(wrong)}.`)
  }
}

/** What a person would type for a value. @param {string} initial JSON text */
function typeable(initial) {
  const value = JSON.parse(initial)
  if (Array.isArray(value)) return value.join(", ")
  return typeof value === "boolean" ? (value ? "yes" : "no") : typeof value === "string" ? value : initial
}

/** @param {Lines} lines @param {Question} question @param {AbortSignal} signal */
async function askAddress(lines, { params = "{}", host = "", punycode, repeat }, signal) {
  const { message, url } = JSON.parse(params)
  lines.say(`\nThe server ${repeat ? "waits until you are done with" : "wants you to open"} a page at ${shown(host)}: ${shown(String(message ?? ""))}\n  ${shown(String(url))}`)
  if (punycode) lines.say("  Its name stands for letters beyond a to z: it may look like another one.")
  await lines.read(repeat ? "Enter when you are done there" : "Open it if you trust it, then Enter", signal)
  return { action: "accept" }
}

/** Lines that a person types, each in answer to a prompt. */
class Lines {
  #input
  #output
  /** @type {AsyncIterator<string> | undefined} */
  #lines
  /** The line that nobody has read yet. @type {Promise<IteratorResult<string>> | undefined} */
  #next
  /** The question before. @type {Promise<unknown>} */
  #last = Promise.resolve()

  /** @param {Input} input @param {{write(text: string): unknown}} output */
  constructor(input, output) {
    this.#input = input
    this.#output = output
  }

  /** An asker that waits for the question before. @param {(question: Question, signal: AbortSignal) => Promise<string | object>} ask @returns {Asker} */
  alone(ask) {
    return (/** @type {Question} */ question, /** @type {AskContext} */ { signal }) => {
      const asked = this.#last.then(() => {
        signal.throwIfAborted()
        return ask(question, signal)
      })
      this.#last = asked.catch(() => {})
      return asked.catch((error) => {
        if (error === declined) return { action: "decline" }
        throw error
      })
    }
  }

  /** @param {string} text */
  say(text) {
    this.#output.write(`${text}\n`)
  }

  /** Asks for one line. It throws `declined`, `PARK`, or what the signal says. @param {string} prompt @param {AbortSignal} signal */
  async read(prompt, signal) {
    this.#output.write(`  ${prompt} (or ${no}): `)
    this.#lines ??= createInterface({ input: this.#input })[Symbol.asyncIterator]()
    this.#next ??= this.#lines.next()
    this.#input.ref?.()
    const { value, done } = await Promise.race([this.#next, aborted(signal)]).finally(() => this.#input.unref?.())
    this.#next = undefined
    if (done) {
      this.say("") // what comes next does not belong behind the prompt
      throw PARK
    }
    if (value.trim() === no) throw declined
    return value
  }
}

/** Rejects when the signal aborts. @param {AbortSignal} signal @returns {Promise<never>} */
function aborted(signal) {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
