// One call that runs in this tab: what the driver asks of its host becomes the
// call's record, and what the person decides goes back.

import { Code, shareCall } from "@parley-mcp/parley"

import { failureOf } from "./failure.js"
import { member, string } from "./raw-json.js"
import { turnOf } from "./turn.js"

/** @import { Answer, AskContext, Asker, Askers, Begin, Callbacks, Engine, Leg, Outcome, Pause, Question, Session } from "@parley-mcp/parley" */
/** @import { CallRecord, Turn } from "./record.js" */
/** @import { Sessions } from "./sessions.js" */

/** How to go on with a call, as a person decides. @typedef {Pick<Begin, "resend" | "again" | "moreRounds">} GoOn */

/** The longest result that is kept, in characters. */
const longestKept = 1 << 20

/** Why a call ends that the person stopped. */
const stopped = Symbol("stopped")

/**
 * @typedef {object} Keep
 * @property {() => void} changed is called when the record has changed
 * @property {(snapshot: string) => Promise<unknown>} save
 */

export class Drive {
  #engine
  #record
  #sessions
  #keep
  #stop = new AbortController()
  /** Who waits for the answers to the open questions, by ask id. @type {Map<number, (answer: Answer) => void>} */
  #waiting = new Map()
  /** What was answered and is not taken by the engine yet, by ask id. @type {Map<number, Turn>} */
  #given = new Map()
  /** Answers to questions that are on the screen already and are yet to be put again, by ask id. @type {Map<number, Answer>} */
  #early = new Map()

  /** @param {Engine} engine @param {CallRecord} record changes as the call goes on @param {Sessions} sessions @param {Keep} keep */
  constructor(engine, record, sessions, keep) {
    this.#engine = engine
    this.#record = record
    this.#sessions = sessions
    this.#keep = keep
  }

  /** Makes the call. */
  start() {
    const { method, params, url, id } = this.#record
    return this.#run(this.#sessions.askers(this.#ask), (session, callbacks) => session.call(method, params, callbacks, { id, peer: url }))
  }

  /** Goes on with the call. @param {string} snapshot @param {GoOn} how */
  goOn(snapshot, how) {
    if (how.again) this.#record.turns.push({ type: "note", text: "You started over." })
    const ask = this.#ask
    const askers = { elicit: ask, elicitUrl: ask, sample: ask, listRoots: ask } // what it may be asked it declared when it was made
    return this.#run(askers, (session, callbacks) => session.resume(snapshot, callbacks, { peer: this.#record.url, ...how }), snapshot)
  }

  /** @param {number} ask @param {Answer} answer */
  reply(ask, answer) {
    const waiting = this.#waiting.get(ask)
    if (waiting) waiting(answer)
    else this.#early.set(ask, answer)
  }

  stop() {
    this.#stop.abort(stopped)
  }

  /** Ends the call because somebody else has it. @param {unknown} reason */
  abandon(reason) {
    this.#stop.abort(reason)
  }

  /**
   * @param {Askers} askers @param {(session: Session, callbacks: Callbacks) => Promise<Outcome>} run
   * @param {string} [snapshot] what is kept if it cannot begin
   * @returns {Promise<Outcome>}
   */
  async #run(askers, run, snapshot) {
    const record = this.#record
    Object.assign(record, { phase: "running", failure: undefined, inDoubt: undefined, leg: undefined, progress: undefined })
    this.#keep.changed()
    const shared = shareCall(record.id, { ...askers, ...this.#watchers() })
    try {
      const outcome = await this.#sessions.call(
        record.url,
        (session) => run(session, this.#remembering(shared.callbacks)),
        this.#stop.signal,
        () => this.#queue(),
      )
      this.#conclude(outcome)
      return outcome
    } catch (error) {
      // It did not begin: what was kept cannot be used here.
      const { code, detail } = /** @type {{code?: number, detail?: string}} */ (error)
      /** @type {Outcome} */
      const outcome = { status: "failed", code: code ?? Code.snapshot, detail: detail ?? String(error), resumable: snapshot !== undefined, snapshot }
      this.#conclude(outcome)
      return outcome
    } finally {
      shared.close()
    }
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
      const { cause, snapshot } = outcome
      record.phase = cause === stopped ? "stopped" : "failed"
      record.inDoubt = outcome.inDoubt
      record.failure = failureOf(outcome)
    }
  }

  /** @returns {Callbacks} */
  #watchers() {
    return {
      save: (snapshot) => this.#save(snapshot),
      onLeg: (leg) => this.#leg(leg),
      onPause: (pause) => this.#pause(pause),
      onProgress: (_, params) => this.#progress(params),
      onTask: (status, message) => this.#task(status, message),
      signal: this.#stop.signal,
    }
  }

  /** Remembers what was answered, in whichever tab. @param {Callbacks} callbacks @returns {Callbacks} */
  #remembering(callbacks) {
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
    const { elicit, elicitUrl, sample, listRoots } = callbacks
    return { ...callbacks, elicit: remember(elicit), elicitUrl: remember(elicitUrl), sample: remember(sample), listRoots: remember(listRoots) }
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
    const [done, total] = [Number(member(params, "progress")), Number(member(params, "total"))]
    this.#record.progress = { message: string(member(params, "message")), ...(done >= 0 && total > 0 && total < Infinity && { done, total }) }
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
    if (record.phase !== "running" || this.#stop.signal.aborted) return
    record.open = record.open.filter((one) => one.ask !== ask)
    record.turns.push({ type: "note", text: mode === "url" && repeat ? `${record.server} says that you are done there.` : `${record.server} took its question back.` })
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
