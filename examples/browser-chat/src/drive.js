// One call that runs in this tab: what the driver asks of its host becomes the
// call's record, and what the person decides goes back.

import { call, Code, http, resume, shareCall } from "@parley-mcp/parley"

import { member, string } from "./raw-json.js"
import { clientInfo } from "./server.js"
import { turnOf } from "./turn.js"

/** @import { Answer, AskContext, Callbacks, Engine, Outcome, Question, Request, SendContext } from "@parley-mcp/parley" */
/** @import { CallRecord, Turn } from "./record.js" */
/** @import { Settings } from "./settings.js" */

/** How many more rounds a call may ask in when somebody goes on with it: the engine's default for a new one. */
const moreRounds = 10

/** The longest result that is kept, in characters. */
const longestKept = 1 << 20

/** How long an answer may be without a question before it counts as a pause that the server asked for, in milliseconds. */
const shortPause = 80

/** Why a call ends that the person stopped. */
const stopped = Symbol("stopped")

/** @typedef {NonNullable<Callbacks["elicit"]>} Asker */

/**
 * @typedef {object} Keep
 * @property {() => void} changed is called when the record has changed
 * @property {(snapshot: string) => Promise<unknown>} save
 */

export class Drive {
  #engine
  #record
  #settings
  #keep
  #stop = new AbortController()
  /** Who waits for the answers to the open questions, by ask id. @type {Map<number, (answer: Answer) => void>} */
  #waiting = new Map()
  /** What was answered and is not taken by the engine yet, by ask id. @type {Map<number, Turn>} */
  #given = new Map()
  /** Answers to questions that are on the screen already and are yet to be put again, by ask id. @type {Map<number, Answer>} */
  #early = new Map()
  /** There was a question since the last leg. */
  #asked = true
  /** How many legs in a row there was none. */
  #waits = 0

  /** @param {Engine} engine @param {CallRecord} record changes as the call goes on @param {Settings} settings @param {Keep} keep */
  constructor(engine, record, settings, keep) {
    this.#engine = engine
    this.#record = record
    this.#settings = settings
    this.#keep = keep
  }

  /** Makes the call. */
  start() {
    const { method, params, url, id } = this.#record
    const { shareRoots, samples } = this.#settings
    return this.#run((all) => {
      // What is not there is not declared: the server may not ask for it.
      const callbacks = { ...all, sample: samples === "nobody" ? undefined : all.sample, listRoots: shareRoots ? all.listRoots : undefined }
      return call(this.#engine, method, params, callbacks, { id, peer: url })
    })
  }

  /** Goes on with the call. @param {string} snapshot @param {boolean} resend */
  goOn(snapshot, resend) {
    const { url, round = 0 } = this.#record
    return this.#run((all) => resume(this.#engine, snapshot, all, { peer: url, maxRounds: round + moreRounds, resend }))
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

  /** @param {(callbacks: Callbacks) => Promise<Outcome>} run @returns {Promise<Outcome>} */
  async #run(run) {
    const record = this.#record
    Object.assign(record, { phase: "running", failure: undefined, leg: undefined })
    this.#keep.changed()
    const shared = shareCall(record.id, this.#callbacks())
    try {
      const outcome = await run(this.#remembering(shared.callbacks))
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
    record.leg = undefined
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

  /** @returns {Callbacks} */
  #callbacks() {
    /** @type {Asker} */
    const ask = (question, context) => this.#ask(question, context)
    const send = http(this.#engine, this.#record.url, { clientInfo })
    return {
      send: (request, context) => this.#send(send, request, context),
      elicit: ask,
      elicitUrl: ask,
      sample: ask,
      listRoots: ask,
      save: (snapshot) => this.#save(snapshot),
      onProgress: (_, params) => this.#progress(params),
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
        const answer = await asker(question, context)
        if (typeof answer === "string") this.#given.set(question.ask, turnOf(this.#engine, question, answer))
        return answer
      })
    const { elicit, elicitUrl, sample, listRoots } = callbacks
    return { ...callbacks, elicit: remember(elicit), elicitUrl: remember(elicitUrl), sample: remember(sample), listRoots: remember(listRoots) }
  }

  /** @param {Callbacks["send"]} send @param {Request} request @param {SendContext} context */
  async #send(send, request, context) {
    const record = this.#record
    // A leg after a leg with no question between them: the server shed load.
    const waits = (this.#waits = this.#asked ? 0 : this.#waits + 1)
    this.#asked = false
    const leg = { leg: request.leg, since: Date.now(), inFlight: true, waits }
    record.leg = leg
    this.#keep.changed()
    const body = await send(request, context)
    leg.inFlight = false
    setTimeout(() => {
      if (this.#asked || record.leg !== leg) return
      leg.waits++
      this.#keep.changed()
    }, shortPause)
    return body
  }

  /** @param {string} params */
  #progress(params) {
    const { leg } = this.#record
    if (!leg) return
    const [done, total] = [member(params, "progress"), member(params, "total")]
    leg.progress = string(member(params, "message")) ?? (total === undefined ? undefined : `${done} of ${total}`)
    this.#keep.changed()
  }

  /** @param {Question} question @param {AskContext} context @returns {Promise<Answer>} */
  async #ask(question, { signal }) {
    const record = this.#record
    this.#asked = true
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
