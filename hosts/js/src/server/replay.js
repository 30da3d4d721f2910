import { rounds } from "../texts/exact-number.js"
import { byName, compare, readRecord, writeRecord } from "./record.js"

/** @import { InputRequiredResult, ServerContext } from "@modelcontextprotocol/server" */
/** @import { Opened } from "./exchange.js" */
/** @import { Question } from "./questions.js" */
/** @import { Entry, Step } from "./record.js" */

/** A handler that asks in a way that cannot be replayed. */
export class AskError extends Error {
  /** @param {string} why */
  constructor(why) {
    super(`parley: ${why}`)
    this.name = "AskError"
  }
}

const foreign = "a server in another language has recorded a whole number that JavaScript would round: finish the call there"

/** Questions with keys that started at the same time. @typedef {{asked: Map<string, Question<any>>, answers: Promise<Map<string, Answer>>}} Batch */

/** What the handler gets. @typedef {() => any} Answer */

/** One run of a handler: its steps, compared with those of earlier rounds. */
export class Replay {
  #opened
  #strict
  #maxRecord
  #record
  #going
  #open // the step whose questions the last round put
  /** To these questions; undefined once something differed. @type {Record<string, any> | undefined} */
  #answers
  #next = 0 // the step to come
  #asked = 0 // questions without a key of their own
  #busy = false
  /** @type {Batch | undefined} */
  #batch
  /** What the run ends with, if that is not what the handler returns or throws. @type {(() => InputRequiredResult) | undefined} */
  #outcome
  /** @type {() => void} */
  #end = () => {}

  /** @param {ServerContext} context @param {Opened} opened @param {{strict: boolean, maxRecord: number}} options */
  constructor({ mcpReq }, opened, { strict, maxRecord }) {
    this.#opened = opened
    this.#strict = strict
    this.#maxRecord = maxRecord
    this.#record = readRecord(mcpReq.requestState())
    this.#going = this.#record.length > 0
    this.#open = Math.max(this.#record.length - 1, 0)
    this.#answers = this.#going ? (mcpReq.inputResponses ?? {}) : undefined
    /** Resolves when a question is open, or the handler asked wrongly. @type {Promise<void>} */
    this.ended = new Promise((resolve) => { this.#end = resolve })
  }

  /** Gives what the round ends with, if that is not what the handler returned or threw; throws what was wrong with how it asked. */
  get outcome() {
    return this.#outcome
  }

  /** Ends the run with the handler, which returned. */
  close() {
    if (this.#busy && !this.#outcome) this.#refuse("the handler returned before the answer to a question: await it")
  }

  /** @param {Question<any>} question */
  async one(question) {
    if (question.key !== undefined) return this.#together(question.key, question)
    return this.all([question]).then(([answer]) => answer)
  }

  /** @param {Question<any>[]} questions */
  async all(questions) {
    return this.#alone(async () => {
      if (questions.length === 0) return []
      const asked = new Map(questions.map((question) => [question.key ?? `${question.kind}-${++this.#asked}`, question]))
      if (asked.size < questions.length) return this.#refuse("two questions of a round have one key")
      const answers = await this.#step(asked)
      return Array.from(asked.keys(), (key) => answers.get(key)?.())
    })
  }

  /** @param {string} key @param {() => any} work */
  async once(key, work) {
    return this.#alone(async () => {
      const of = this.#digest(key, "once") // no question has this method
      const found = this.#known().find((entry) => entry.of === of)
      if (found) {
        if (rounds(found.is)) return this.#refuse(foreign)
        this.#take(this.#known(), true)
        return JSON.parse(found.is)
      }
      if (this.#diverged()) return this.#refuse("the handler asked otherwise than in the round before")
      const is = byName(JSON.parse(JSON.stringify((await work()) ?? null, finite)))
      if (this.#outcome) return never()
      this.#take([{ of, is }], true)
      return JSON.parse(is)
    })
  }

  /**
   * Does a step that no other may overlap: steps have an order, which would be
   * left to chance.
   *
   * @template T
   * @param {() => Promise<T>} step
   * @returns {Promise<T>}
   */
  async #alone(step) {
    if (this.#outcome) return never()
    if (this.#busy) return this.#refuse("questions asked at the same time need a key each, or Ask.all")
    this.#busy = true
    await undefined // what starts in the same turn is seen
    if (this.#outcome) return never()
    try {
      return await step()
    } finally {
      this.#busy = false
    }
  }

  /** Asks in one round what starts in one turn of the event loop. @param {string} key @param {Question<any>} question */
  async #together(key, question) {
    if (this.#outcome) return never()
    if (!this.#batch) {
      /** @type {Map<string, Question<any>>} */
      const asked = new Map()
      const answers = this.#alone(async () => {
        await new Promise((resolve) => { setTimeout(resolve, 0) })
        this.#batch = undefined
        return this.#outcome ? never() : this.#step(asked)
      })
      this.#batch = { asked, answers }
    }
    const { asked, answers } = this.#batch
    if (asked.has(key)) return this.#refuse("two questions at the same time have one key")
    asked.set(key, question)
    return (await answers).get(key)?.()
  }

  /** @param {Map<string, Question<any>>} asked @returns {Promise<Map<string, Answer>>} */
  async #step(asked) {
    const known = this.#known()
    /** @type {Map<string, Answer>} */
    const answers = new Map()
    /** @type {Step} */
    const now = []
    const sorted = [...asked].sort(([a], [b]) => compare(a, b))
    for (const [key, question] of sorted) {
      const of = this.#digest(key, question.method, question.params)
      let entry = known.find((entry) => entry.of === of)
      if (!entry) {
        const verdict = this.#verdict(key, question)
        if (this.#diverged(verdict)) return this.#refuse("the handler asked otherwise than in the round before")
        if (this.#next !== this.#open || !this.#answers || verdict !== "same") continue
        const is = acceptable(question, this.#answers[key])
        if (is === undefined) continue
        entry = { of, is }
      }
      const { is } = entry
      if (rounds(is)) return this.#refuse(foreign)
      answers.set(key, () => question.read(JSON.parse(is)))
      now.push(entry)
    }
    const complete = answers.size === asked.size
    this.#take(now, complete)
    return complete ? answers : this.#suspend(sorted.filter(([key]) => !answers.has(key)))
  }

  /** What the record has for the step to come. */
  #known() {
    return this.#record[this.#next] ?? []
  }

  /** Is a step refused, because it is not the one recorded in its place? @param {string} [verdict] */
  #diverged(verdict) {
    return this.#strict && this.#going && (this.#next < this.#open || (this.#next === this.#open && verdict === "changed"))
  }

  /**
   * Puts a step in its place in the record. If it is not the one that was
   * recorded there, nothing that came after it counts.
   *
   * @param {Step} now
   * @param {boolean} complete
   */
  #take(now, complete) {
    if (this.#next >= this.#open || !complete || !equal(now, this.#known())) {
      if (this.#next < this.#open) this.#answers = undefined
      this.#record.splice(this.#next, Infinity, now)
    }
    this.#next++
  }

  /** Ends the round with these questions. @param {[key: string, question: Question<any>][]} asked */
  #suspend(asked) {
    const requestState = writeRecord(this.#record)
    if (new TextEncoder().encode(requestState).length > this.#maxRecord) {
      return this.#refuse("the answers recorded so far do not fit a requestState: ask for less, or raise maxRecord and the Guard's maxToken")
    }
    const inputRequests = Object.fromEntries(asked.map(([key, { method, params }]) => [key, { method, params }]))
    this.#outcome = () => /** @type {InputRequiredResult} */ ({ resultType: "input_required", inputRequests, requestState })
    this.#end()
    return never()
  }

  /** Ends the call. @param {string} why */
  #refuse(why) {
    const error = new AskError(why)
    this.#outcome = () => { throw error }
    this.#end()
    return never()
  }

  /** @param {string} key @param {string} method @param {object} [params] */
  #digest(key, method, params) {
    const digest = this.#opened.guard.questionDigest(key, method, params && JSON.stringify(params))
    return btoa(String.fromCharCode(...digest)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
  }

  /** @param {string} key @param {Question<any>} question */
  #verdict(key, { method, params }) {
    const { guard, exchange } = this.#opened
    return guard.verdict(exchange, key, method, JSON.stringify(params))
  }
}

/**
 * A promise that never settles, a new one each time: one for all would keep
 * every handler that ever waited for it.
 *
 * @returns {Promise<never>}
 */
function never() {
  return new Promise(() => {})
}

/** An answer as it is recorded; one that is nested too deep to be written is none. @param {Question<any>} question @param {any} answer */
function acceptable(question, answer) {
  try {
    return question.accept(answer)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}

/** @param {Step} one @param {Step} other */
function equal(one, other) {
  return one.length === other.length && one.every(({ of, is }, i) => of === other[i]?.of && is === other[i]?.is)
}

/** For JSON.stringify, which writes null for a number that is not finite. @param {string} _ @param {unknown} value */
function finite(_, value) {
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("parley: the result of once has a number that JSON does not have")
  return value
}
