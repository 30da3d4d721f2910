import { TaskError } from "./server-task-error.js"

/** @import { Abilities } from "./server-abilities.js" */
/** @import { Work } from "./server-tasks.js" */
/** @import { TaskRecord, TaskStore } from "./server-task-store.js" */

/** A tool call that goes on, for its {@link Work}. */
export class Task {
  #place
  #can
  #id
  #used = new Set()
  #refuse

  /**
   * @param {{store: TaskStore, edit: (change: (record: TaskRecord) => void) => Promise<void>} | null} place
   * @param {Abilities} can
   * @param {string} id
   * @param {AbortSignal} signal
   * @param {() => void} [refuse]
   */
  constructor(place, can, id, signal, refuse) {
    this.#place = place
    this.#can = can
    this.#id = id
    this.#refuse = refuse
    /** Aborted when the task is canceled or has outlived its time. */
    this.signal = signal
  }

  /** Tells the client how the task stands, in words for a person. @param {string} message */
  async say(message) {
    await this.#place?.edit((record) => { record.message = message })
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
    if (!this.#place) {
      this.#refuse?.()
      throw new TypeError("parley: there is nobody to ask")
    }
    for (const question of Object.values(questions)) {
      const [kind, requiredCapabilities] = needed(question)
      if (!this.#can[kind]) throw new TaskError(-32021, "This needs a client that declares more capabilities", { requiredCapabilities })
    }
    const keys = Object.keys(questions)
    for (const key of keys) {
      if (this.#used.has(key)) throw new TypeError(`parley: the key ${JSON.stringify(key)} was used before in this task`)
      this.#used.add(key)
    }
    const { store, edit } = this.#place
    await edit((record) => { Object.assign(record.asked, questions) })
    try {
      for (let version = 0; ;) {
        const record = await store.wait(this.#id, version, this.signal)
        if (keys.every((key) => Object.hasOwn(record.answers, key))) {
          return Object.fromEntries(keys.map((key) => [key, record.answers[key]]))
        }
        version = record.version
      }
    } finally {
      await edit((record) => { for (const key of keys) { delete record.asked[key]; delete record.answers[key] } })
    }
  }
}

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
