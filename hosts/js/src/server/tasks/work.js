import { guardedOf, openedOf, replaying } from "../exchange.js"
import { unchecked } from "../questions.js"
import { TaskError } from "./error.js"
import { closeQuestion, openQuestions } from "./time.js"

/** @import { ServerContext } from "@modelcontextprotocol/server" */
/** @import { Abilities } from "../abilities.js" */
/** @import { Replaying } from "../exchange.js" */
/** @import { Work } from "./index.js" */
/** @import { TaskStore } from "./store.js" */
/** @import { Edit } from "./index.js" */

/** @typedef {Record<string, {method: string, params?: any}>} Questions */

/**
 * Where a task says how it stands, and asks.
 *
 * @typedef {{say: (message: string) => Promise<void>, ask: (questions: Questions) => Promise<Record<string, any>>}} Place
 */

/** A tool call that goes on, for its {@link Work}. */
export class Task {
  #place
  #can
  #used = new Set()

  /** @param {Place} place @param {Abilities} can @param {AbortSignal} signal */
  constructor(place, can, signal) {
    this.#place = place
    this.#can = can
    /** Aborted when the task is canceled or its time is over, and after each run of work that is no task. */
    this.signal = signal
  }

  /** Tells the client how the task stands, in words for a person. @param {string} message */
  async say(message) {
    await this.#place.say(message)
  }

  /**
   * Asks several questions at once, entries of inputRequests such as
   * `inputRequired.elicit` makes, and resolves to the answers under the same keys once all
   * are there. Answers are the client's: nothing has checked them. A key is used once in a task:
   * to the client it is the same question for the task's whole life. Rejects with a
   * {@link TaskError} -32021 for a question that the client did not declare it can answer.
   *
   * @param {Record<string, {method: string, params?: object}>} questions
   * @returns {Promise<Record<string, any>>}
   */
  async ask(questions) {
    if (typeof questions?.method === "string") throw new TypeError("parley: task.ask takes an object of questions, by keys of yours")
    for (const question of Object.values(questions)) {
      const [kind, requiredCapabilities] = needed(question)
      if (!this.#can[kind]) throw new TaskError(-32021, "This needs a client that declares more capabilities", { requiredCapabilities })
    }
    for (const key of Object.keys(questions)) {
      if (this.#used.has(key)) throw new TypeError(`parley: the key ${JSON.stringify(key)} was used before in this task`)
      this.#used.add(key)
    }
    return this.#place.ask(questions)
  }
}

/**
 * The place of a task that is kept in a store.
 *
 * @param {TaskStore} store
 * @param {string} id
 * @param {(change: Edit) => Promise<void>} edit
 * @param {number} patience
 * @param {AbortSignal} signal
 * @returns {Place}
 */
export const keptIn = (store, id, edit, patience, signal) => ({
  say: (message) => edit((record) => { record.message = message }),
  async ask(questions) {
    const keys = Object.keys(questions)
    await edit((record, now) => openQuestions(record, questions, now, patience))
    try {
      for (let version = 0; ;) {
        const record = await store.wait(id, version, signal)
        if (keys.every((key) => Object.hasOwn(record.answers, key))) {
          return Object.fromEntries(keys.map((key) => [key, record.answers[key]]))
        }
        version = record.version
      }
    } finally {
      await edit((record, now) => { for (const key of keys) { closeQuestion(record, key, now); delete record.answers[key] } })
    }
  },
})

/**
 * The place of one that is done while its call waits: the run of a handler that asks.
 *
 * @param {ServerContext} context
 * @returns {Place}
 */
export const inCall = (context) => ({
  say: async () => {},
  async ask(questions) {
    openedOf(context)
    const { replay } = /** @type {Replaying} */ (guardedOf(context)[replaying])
    const entries = Object.entries(questions)
    const answers = await Promise.all(entries.map(([key, question]) => replay.one(unchecked(key, question))))
    return Object.fromEntries(entries.map(([key], i) => [key, answers[i]]))
  },
})

/**
 * What a client has to declare for a question.
 *
 * @param {{method: string, params?: any}} question
 * @returns {[kind: "form" | "url" | "sampling" | "samplingTools" | "roots", capabilities: object]}
 */
function needed({ method, params }) {
  switch (method) {
    case "elicitation/create":
      return params?.mode === "url" ? ["url", { elicitation: { url: {} } }] : ["form", { elicitation: { form: {} } }]
    case "sampling/createMessage":
      return params?.tools || params?.toolChoice ? ["samplingTools", { sampling: { tools: {} } }] : ["sampling", { sampling: {} }]
    case "roots/list":
      return ["roots", { roots: {} }]
  }
  throw new TypeError(`parley: a task cannot ask by ${method}`)
}
