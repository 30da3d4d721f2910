// One call that runs in this tab: what the driver asks of its host becomes the
// call's record, and what the person decides goes back.

import { PARK, shareCall } from "@parley-mcp/parley"

import { failureOf } from "../../shared-js/failure.js"
import { t } from "../../shared-js/language.js"
import { progressOf, Run } from "../../shared-js/run.js"
import { signedIn, turnOf } from "./turn.js"

/** @import { Answer, AskContext, Asker, Askers, Engine, HostSide, Leg, Outcome, Pause, Question, Watchers } from "@parley-mcp/parley" */
/** @import { GoOn } from "../../shared-js/failure.js" */
/** @import { Server, Sessions } from "../../shared-js/sessions.js" */
/** @import { CallRecord, Turn } from "./record.js" */

/** The longest result that is kept, in characters. */
const longestKept = 1 << 20

/**
 * @typedef {object} Keep
 * @property {() => void} changed is called when the record has changed
 * @property {(snapshot: string) => Promise<unknown>} save
 */

/** @extends {Run<Server>} */
export class Drive extends Run {
  #engine
  #record
  #keep
  /** Who waits for the answers to the open questions, by ask id. @type {Map<number, (answer: Answer) => void>} */
  #waiting = new Map()
  /** What was answered and is not taken by the engine yet, by ask id. @type {Map<number, Turn>} */
  #given = new Map()
  /** Answers to questions that are on the screen already and are yet to be put again, by ask id. @type {Map<number, Answer>} */
  #early = new Map()

  /** @param {Engine} engine @param {CallRecord} record changes as the call goes on @param {Sessions<Server>} sessions @param {Keep} keep */
  constructor(engine, record, sessions, keep) {
    super(sessions, { label: record.server, address: record.address }, record)
    this.#engine = engine
    this.#record = record
    this.#keep = keep
  }

  /** Makes the call, or goes on with it. @param {string} [snapshot] @param {GoOn} [how] */
  async run(snapshot, how) {
    const record = this.#record
    if (how?.again) record.turns.push({ type: "note", text: t`You started over.` })
    const open = record.open.filter(({ kind }) => kind !== "authorize") // nobody asks for it any more: the server may
    Object.assign(record, { phase: "running", open, failure: undefined, leg: undefined, progress: undefined, returns: undefined })
    this.#keep.changed()
    let close = () => {}
    /** @param {Askers} askers @returns {HostSide} */
    const side = (askers) => {
      const shared = shareCall(record.id, askers)
      close = shared.close
      return { askers: this.#remembering(shared.askers), watchers: this.#watchers, save: (snapshot) => this.#save(snapshot) }
    }
    const outcome = await this.begin(this.#ask, side, () => this.#queue(), snapshot, how)
    this.#conclude(outcome)
    close()
    return outcome
  }

  /** @param {number} ask @param {Answer} answer */
  reply(ask, answer) {
    const waiting = this.#waiting.get(ask)
    if (waiting) waiting(answer)
    else this.#early.set(ask, answer)
  }

  /** @param {Outcome} outcome */
  #conclude(outcome) {
    const record = this.#record
    this.#take()
    Object.assign(record, { leg: undefined, queued: undefined })
    if (outcome.status === "parked") {
      record.phase = "parked"
      return
    }
    record.open = []
    if (outcome.status === "done") {
      record.phase = "done"
      record.result = outcome.result.length <= longestKept ? outcome.result : undefined
    } else {
      record.phase = this.isStopped ? "stopped" : "failed"
      record.failure = failureOf(outcome)
    }
  }

  /** @returns {Watchers} */
  get #watchers() {
    return {
      onLeg: (leg) => this.#leg(leg),
      onPause: (pause) => this.#pause(pause),
      onProgress: (_, params) => this.#progress(params),
      onTask: (status, message) => this.#task(status, message),
    }
  }

  /** Remembers what was answered, in whichever tab. @param {Askers} askers @returns {Askers} */
  #remembering(askers) {
    /** @param {Asker | undefined} asker @returns {Asker | undefined} */
    const remember = (asker) =>
      asker &&
      (async (question, context) => {
        this.#given.delete(question.ask) // it was not taken, and comes again with what is wrong
        const withdrawn = () => setTimeout(() => this.#withdrawn(question)) // what it comes with first
        context.signal.addEventListener("abort", withdrawn)
        const answer = await asker(question, context)
        context.signal.removeEventListener("abort", withdrawn)
        if (typeof answer === "string") this.#given.set(question.ask, turnOf(this.#engine, question, answer))
        return answer
      })
    const { elicit, elicitURL, sample, listRoots, authorize } = askers
    return { ...askers, elicit: remember(elicit), elicitURL: remember(elicitURL), sample: remember(sample), listRoots: remember(listRoots), authorize: this.#telling(authorize) }
  }

  /** Tells that somebody has signed in, where they were asked to. @param {Asker | undefined} authorize @returns {Asker | undefined} */
  #telling(authorize) {
    const record = this.#record
    return (
      authorize &&
      (async (question, context) => {
        const answer = await authorize(question, context)
        if (answer !== PARK && record.open.some(({ ask }) => ask === question.ask)) record.turns.push(signedIn(question))
        if (answer !== PARK) record.open = record.open.filter(({ ask }) => ask !== question.ask)
        this.#keep.changed()
        return answer
      })
    )
  }

  /** The call is not begun yet: other calls keep the connections to the server busy. */
  #queue() {
    this.#record.queued = true
    this.#keep.changed()
  }

  /** A request goes out, or its answer has come. @param {Leg} leg */
  #leg({ answer }) {
    const record = this.#record
    record.queued = undefined
    record.leg = { ...record.leg, since: Date.now(), inFlight: answer === undefined, lost: answer === "lost" }
    if (!record.task) record.progress = undefined
    this.#keep.changed()
  }

  /** The next request is to go out later. @param {Pause} pause */
  #pause({ waits }) {
    const { leg } = this.#record
    if (leg) leg.waits = waits
    this.#keep.changed()
  }

  /** The call is a task, which is asked about until it is done. @param {string} status @param {string} [message] the server's */
  #task(status, message) {
    const record = this.#record
    record.task = { status, message, since: record.task?.since ?? Date.now() }
    this.#keep.changed()
  }

  /** @param {string} params */
  #progress(params) {
    this.#record.progress = progressOf(params)
    this.#keep.changed()
  }

  /** @type {Asker} */
  #ask = async (question, { signal }) => {
    const record = this.#record
    if (record.leg) record.leg.waits = undefined
    const draft = record.open.find(({ ask }) => ask === question.ask)?.draft
    record.open = [...record.open.filter(({ ask }) => ask !== question.ask), { ...question, draft }]
    this.#keep.changed()
    const early = this.#early.get(question.ask)
    if (early !== undefined && this.#early.delete(question.ask)) return early
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(question.ask, resolve)
        signal.addEventListener("abort", () => reject(signal.reason))
      })
    } finally {
      this.#waiting.delete(question.ask)
    }
  }

  /** Nobody waits for an answer any more. Unless the call ends with that, the question goes. @param {Question} question */
  #withdrawn({ ask, mode, repeat }) {
    const record = this.#record
    if (record.phase !== "running" || this.isEnding) return
    record.open = record.open.filter((one) => one.ask !== ask)
    record.turns.push({ type: "note", text: mode === "url" && repeat ? t`${record.server} says that you are done there.` : t`${record.server} took its question back.` })
    this.#keep.changed()
  }

  /** @param {string} snapshot */
  async #save(snapshot) {
    this.#take()
    await this.#keep.save(snapshot)
    this.#keep.changed()
  }

  /** What was given has been taken: it becomes part of the conversation. */
  #take() {
    const record = this.#record
    for (const [ask, turn] of this.#given) {
      record.turns.push(turn)
      record.open = record.open.filter((one) => one.ask !== ask)
    }
    this.#given.clear()
  }
}
