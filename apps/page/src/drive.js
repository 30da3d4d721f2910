// One call that runs in this tab: what the driver asks of its host becomes the
// call's record, and what the person decides goes back.

import { Code, PARK, shareCall } from "@parley-mcp/parley"

import { member, string } from "./raw-json.js"
import { turnOf } from "./turn.js"

/** @import { Answer, AskContext, Asker, Engine, Outcome, Question, Session, SessionCallbacks } from "@parley-mcp/parley" */
/** @import { CallRecord, OpenQuestion, Turn } from "./record.js" */
/** @import { Sessions } from "./sessions.js" */

/** How many more rounds a call may ask in when somebody goes on with it: the engine's default for a new one. */
const moreRounds = 10

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
  /** Questions that were to be parked, by ask id. @type {Set<number>} */
  #parked = new Set()
  /** How often in a row the server asked to come back later. */
  #waits = 0

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
    return this.#run((session, callbacks) => session.call(method, params, callbacks, { id, peer: url }))
  }

  /** Goes on with the call. @param {string} snapshot @param {boolean} resend */
  goOn(snapshot, resend) {
    const { url, round = 0 } = this.#record
    return this.#run((session, callbacks) => session.resume(snapshot, callbacks, { peer: url, maxRounds: round + moreRounds, resend }))
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

  /** @param {(session: Session, callbacks: SessionCallbacks) => Promise<Outcome>} run @returns {Promise<Outcome>} */
  async #run(run) {
    const record = this.#record
    Object.assign(record, { phase: "running", failure: undefined, leg: undefined, progress: undefined })
    this.#keep.changed()
    const shared = shareCall(record.id, this.#callbacks())
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
      // It did not begin: what was kept cannot be used.
      const code = error instanceof Error && "code" in error ? Number(error.code) : Code.snapshot
      /** @type {Outcome} */
      const outcome = { status: "failed", code, detail: reason(error), resumable: false }
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
    const begun = record.leg?.inFlight && !record.open.length
    Object.assign(record, { leg: undefined, queued: undefined })
    if (outcome.status === "parked") {
      record.phase = "parked"
      return
    }
    record.open = []
    if (outcome.status === "done") {
      record.phase = "done"
      record.result = outcome.result.length <= longestKept ? outcome.result : undefined
    } else if (outcome.cause === stopped) {
      record.phase = "stopped"
      record.begun = begun
    } else {
      const { code, detail, resumable, response, cause } = outcome
      record.phase = "failed"
      // What a browser says of a failed fetch tells a person nothing.
      const own = cause instanceof Error && cause.message.startsWith("parley: ") ? reason(cause) : undefined
      record.failure = { code, detail, resumable, response, cause: own }
    }
  }

  /** @returns {SessionCallbacks} */
  #callbacks() {
    /** @type {Asker} */
    const ask = (question, context) => this.#ask(question, context)
    return {
      elicit: ask,
      elicitUrl: ask,
      sample: ask,
      listRoots: ask,
      save: (snapshot) => this.#save(snapshot),
      onLeg: (leg, pause) => this.#leg(leg, pause),
      onProgress: (_, params) => this.#progress(params),
      onTask: (status, message) => this.#task(status, message),
      signal: this.#stop.signal,
    }
  }

  /** Remembers what was answered, in whichever tab. @param {SessionCallbacks} callbacks @returns {SessionCallbacks} */
  #remembering(callbacks) {
    /** @param {Asker | undefined} asker @returns {Asker | undefined} */
    const remember = (asker) =>
      asker &&
      (async (question, context) => {
        this.#given.delete(question.ask) // it was not taken, and comes again with what is wrong
        /** @type {OpenQuestion} */
        const put = { ...question, held: this.#parked.delete(question.ask), agreed: this.#agreed(question) }
        const withdrawn = () => setTimeout(() => this.#withdrawn(question)) // what it comes with first
        context.signal.addEventListener("abort", withdrawn)
        const answer = await asker(put, context)
        context.signal.removeEventListener("abort", withdrawn)
        if (answer === PARK) this.#parked.add(question.ask)
        if (typeof answer === "string") this.#given.set(question.ask, turnOf(this.#engine, put, answer))
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

  /** A leg goes out, or the next one is to go out later. @param {number} leg @param {boolean} pause */
  #leg(leg, pause) {
    const record = this.#record
    const last = record.leg
    record.queued = undefined
    if (!pause) {
      record.leg = { leg, since: Date.now(), inFlight: true, waits: this.#waits }
      if (!record.task) record.progress = undefined
    } else if (last) {
      last.inFlight = false
      last.waits = ++this.#waits
    }
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

  /** @param {OpenQuestion} question @param {AskContext} context @returns {Promise<Answer>} */
  async #ask(question, { signal }) {
    const record = this.#record
    this.#waits = 0
    record.round = question.round
    const draft = record.open.find(({ ask }) => ask === question.ask)?.draft
    record.open = [...record.open.filter(({ ask }) => ask !== question.ask), { ...question, draft, before: record.before?.[question.key] }]
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

  /** As of 2025-11-25, agreeing to a page and being done there are questions of one round. @param {Question} question */
  #agreed({ key, round, repeat = false }) {
    return repeat && this.#record.turns.some((turn) => turn.type === "answered" && turn.key === key && turn.round === round)
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

/** @param {unknown} error */
function reason(error) {
  return (error instanceof Error ? error.message : String(error)).replace(/^parley: /, "")
}
