import { createInterface } from "node:readline"

import { PARK } from "../calls/askers.js"
import { choicesOf, hintOf, readOnlyText, typesOf } from "./input.js"
import { shown } from "../texts/plain.js"
import { elementsOf, typedOf } from "../texts/raw-json.js"

/** @import { Asker, AskContext, Askers, Question } from "../calls/askers.js" */
/** @import { Engine } from "../engine/index.js" */
/** @import { FormField, QuestionForm } from "./question.js" */

export { shown } from "../texts/plain.js"

/** What lines are read from, such as process.stdin. @typedef {NodeJS.ReadableStream & {ref?(): unknown, unref?(): unknown}} Input */

/** Whoever declines types this. */
const no = "/decline"

/**
 * Askers that put a server's questions to the person at the terminal: forms
 * field by field, and addresses to open. What is wrong is asked for again, a list
 * has a line for each value, an empty line takes what stands in brackets, `/decline` declines, and the end of
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
  for (const field of form.fields) {
    if (field.readOnly) lines.say(`  ${name(field)}: ${shown(readOnlyText(field))}`)
    about(lines, field)
    if (!field.readOnly) await askField(lines, form, field, signal)
  }
  about(lines, form)
  await lines.read("Enter sends this", signal)
  return form.accept()
}

/** Asks for a field until what was typed fits it. @param {Lines} lines @param {QuestionForm} form @param {FormField} field @param {AbortSignal} signal */
async function askField(lines, form, field, signal) {
  offer(lines, field)
  for (;;) {
    const wrong = field.alternatives ? await askTyped(lines, form, field, signal) : await askOnce(lines, form, field, signal)
    if (wrong === undefined) return
    lines.say(`  It ${shown(wrong)}.`)
  }
}

/** Asks for the type of a value, then for the value. @param {Lines} lines @param {QuestionForm} form @param {FormField} field @param {AbortSignal} signal */
async function askTyped(lines, form, field, signal) {
  const { initial, alternatives = [] } = field
  for (;;) {
    const typed = (await lines.read(`${name(field)}, the number of its type${start(field)}`, signal)).trim()
    if (typed === "") return initial === undefined ? form.enter(field, "") : form.choose(field, initial)
    const picked = Number(typed) - 1
    const of = alternatives[picked]
    if (of) {
      offer(lines, of)
      return askOnce(lines, form, of, signal, field, picked)
    }
    lines.say(`  It must be a number from 1 to ${alternatives.length}.`)
  }
}

/**
 * Asks for a value of a field, of a list for one on each line, and returns what is
 * wrong with it.
 *
 * @param {Lines} lines @param {QuestionForm} form @param {FormField} of @param {AbortSignal} signal
 * @param {FormField} [field] which `of` is an alternative of @param {number} [picked] its index
 */
async function askOnce(lines, form, of, signal, field = of, picked) {
  const list = of.kind === "list"
  let typed = await lines.read(`${name(of)}${list ? ", one on each line, an empty line ends them" : ""}${start(of)}`, signal)
  if (typed === "" && of.initial !== undefined) return form.choose(field, of.initial)
  for (let more = typed; list && more !== ""; typed += `\n${more}`) more = await lines.read(`${name(of)}, one more`, signal)
  return form.enter(field, typed, picked)
}

/** What there is to choose from, or to pick first. @param {Lines} lines @param {FormField} field */
function offer(lines, field) {
  const titles = choicesOf(field) ?? []
  field.options?.forEach(({ value, title }, i) => {
    const typed = typedOf(value)
    lines.say(`  - ${shown(title === value ? (titles[i]?.title ?? title) : title === typed ? title : `${typed}: ${title}`)}`)
  })
  for (const { value, title } of typesOf(field)) lines.say(`  - ${Number(value) + 1}: ${shown(title)}`)
}

/** What the server says of a field, and what else there is to know of it. @param {Lines} lines @param {Partial<FormField>} field or a form */
function about(lines, field) {
  const hint = hintOf(field)
  if (field.description) lines.say(`  ${shown(field.description)}`)
  if (hint) lines.say(`  ${shown(hint)}`)
}

/** @param {FormField} field */
const name = ({ title, name }) => shown(title ?? name)

/** What an empty line takes. @param {FormField} field */
const start = (field) => (field.initial === undefined ? "" : shown(` [${typeable(field.initial)}]`))

/** What a person would type for a value. @param {string} initial JSON text @returns {string} */
function typeable(initial) {
  if (initial === "true" || initial === "false") return initial === "true" ? "yes" : "no"
  return initial.startsWith("[") ? elementsOf(initial).map(typeable).join(", ") : typedOf(initial)
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
