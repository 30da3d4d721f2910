import { Failure } from "../results/failure.js"
import { OpenQuestion } from "./question.js"
import { inEnglish, say } from "../texts/sentence.js"

/** @import { Answer, Askers, AskContext, Question } from "../calls/askers.js" */
/** @import { Engine } from "../engine/index.js" */

/** What `start` hands over, to be given to the call: `session.callTool({ name, ...side })`. @typedef {{signal: AbortSignal, park: AbortSignal, watchers: {onQuestion: (question: Question) => void, onProgress: (leg: number, params: string) => void, onTask: (status: string, message: string | undefined) => void}}} CallSide */

/** @typedef {{id?: string, about?: unknown}} StartOptions `id` is the call's name, made up if absent; `about` is what the host wants to find beside it */

/** A question put to a person, of one server or of one of many. @typedef {(question: Question, context: AskContext & {server?: string}) => Promise<Answer>} PersonAsker */

/** A call as it stands. It is another object after each change. */
export class Call {
  /** @type {string} */
  id = ""

  /** What `start` was given to go with it. @type {any} */
  about

  /** @type {"running" | "done" | "parked" | "failed"} */
  status = "running"

  /** What came of it, once it is done. @type {any} */
  result

  /** Why it has no result, if it failed or is parked: a Failure where the call says so. @type {Error | Failure | undefined} */
  error

  /** The last progress the server told of. @type {{progress: number, total?: number, message?: string} | undefined} */
  progress

  /** How the task stands that it has become. @type {{status: string, message?: string} | undefined} */
  task

  /** Parks it as soon as it can be. */
  park = () => {}

  /** Cancels it at once, resumably. @type {(reason?: unknown) => void} */
  cancel = () => {}

  /** @param {Change} now @param {Call} [before] */
  constructor(now, before) {
    Object.assign(this, before, now)
  }

  /** Everything that is needed to resume it, if it can be. It holds a secret. @returns {string | undefined} */
  get snapshot() {
    return this.error && "snapshot" in this.error ? this.error.snapshot : undefined
  }
}

/** @typedef {Partial<Omit<Call, "snapshot">>} Change of a call */

/** @typedef {{calls: readonly Call[], questions: readonly OpenQuestion[]}} Standing */

/** Before anything happened, and on a server. @type {Standing} */
export const nothing = Object.freeze({ calls: Object.freeze([]), questions: Object.freeze([]) })

let last = 0

/** A name that no other call or question has. */
export const nextId = () => String(++last)

/**
 * The calls of a host and the questions that wait for its person, for React to
 * show. It lives outside of components, touches nothing of a page, and may be
 * made where one is rendered on a server.
 */
export class Calls {
  #now = nothing
  /** What the calls that run will come to. @type {Map<string, {result: Promise<any>}>} */
  #running = new Map()
  /** Which call a question is of. @type {WeakMap<Question, string>} */
  #whose = new WeakMap()
  /** @type {Set<() => void>} */
  #listeners = new Set()

  /** What stands now: another object after each change. */
  now = () => this.#now

  /** Is told of every change, until the function returned is called. @param {() => void} listener */
  subscribe = (listener) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Askers that put forms, and addresses to open, among the questions:
   * `connect(engine, transport, { askers: calls.askers(engine) })`, or those of
   * a set of Sessions.
   *
   * @param {Engine} engine
   * @returns {{elicit: PersonAsker, elicitURL: PersonAsker} & Askers}
   */
  askers(engine) {
    return { elicit: this.#asker(engine, false), elicitURL: this.#asker(engine, true) }
  }

  /**
   * Makes a call. `make` hands the signals on, and returns what the session
   * does: a result, an Outcome, or a rejection. So does this, and nobody need
   * handle it. While a call of this id runs, it is not made again; one that has
   * ended is replaced, as by its resumption.
   *
   * @template T
   * @param {(side: CallSide) => T | Promise<T>} make
   * @param {StartOptions} [options]
   * @returns {Promise<T>}
   */
  start = (make, { id = nextId(), about } = {}) => {
    const before = this.#running.get(id)
    if (before) return before.result
    const run = { result: /** @type {Promise<any>} */ (Promise.resolve()) }
    const [cancel, park] = [new AbortController(), new AbortController()]
    const change = (/** @type {Change} */ now) => {
      if (this.#running.get(id) === run) this.#publish({ calls: this.#now.calls.map((call) => (call.id === id ? new Call(now, call) : call)) })
    }
    const end = (/** @type {Change} */ now) => {
      change(now)
      this.#running.delete(id)
    }
    const side = {
      signal: cancel.signal,
      park: park.signal,
      watchers: {
        onQuestion: (/** @type {Question} */ question) => void this.#whose.set(question, id),
        onProgress: (/** @type {number} */ _, /** @type {string} */ params) => change({ progress: JSON.parse(params) }),
        onTask: (/** @type {string} */ status, /** @type {string | undefined} */ message) => change({ task: { status, message } }),
      },
    }
    this.#running.set(id, run)
    const call = new Call({ id, about, park: () => park.abort(), cancel: (reason = new Error("parley: the call was canceled")) => cancel.abort(reason) })
    const { calls } = this.#now
    this.#publish({ calls: calls.some((old) => old.id === id) ? calls.map((old) => (old.id === id ? call : old)) : [...calls, call] })
    run.result = (async () => make(side))()
    run.result.then((value) => end(ended(value)), (error) => end({ status: error instanceof Failure ? error.status : "failed", error }))
    return run.result
  }

  /** Takes a call that has ended off the list, with its result or snapshot. @param {string} id */
  discard = (id) => {
    if (!this.#running.has(id)) this.#publish({ calls: this.#now.calls.filter((call) => call.id !== id) })
  }

  /** @param {Engine} engine @param {boolean} page @returns {PersonAsker} */
  #asker(engine, page) {
    return (question, { signal, server }) =>
      new Promise((resolve, reject) => {
        const close = () => {
          signal.removeEventListener("abort", moot)
          this.#publish({ questions: this.#now.questions.filter((other) => other !== open) })
        }
        const moot = () => {
          close()
          reject(signal.reason)
        }
        const open = new OpenQuestion(nextId(), engine, question, { call: this.#whose.get(question), server }, page, (answer) => {
          close()
          resolve(answer)
        })
        if (signal.aborted) return reject(signal.reason)
        signal.addEventListener("abort", moot)
        this.#publish({ questions: [...this.#now.questions, open] })
      })
  }

  /** @param {Partial<Standing>} now */
  #publish(now) {
    this.#now = { ...this.#now, ...now }
    for (const listener of [...this.#listeners]) listener()
  }
}

/** What a call has come to: a result, or an Outcome that has one or none. @param {any} value @returns {Change} */
function ended(value) {
  const { status, snapshot, code } = value ?? {}
  const none = (status === "parked" && snapshot !== undefined) || (status === "failed" && code !== undefined)
  return none ? { status, error: new Failure({ ...inEnglish(say`the call is parked`), resumable: true, ...value }) } : { status: "done", result: value }
}
