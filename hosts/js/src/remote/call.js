import { Code, ParleyError } from "../engine/errors.js"
import { Questions } from "../calls/questions.js"
import { checkSaid, mostQuestions, mostWord, ofCall, ofOutcome, ofQuestion, pick } from "./messages.js"
import { observe } from "../calls/watchers.js"
import { inEnglish, say, sentenceOf, translate } from "../texts/sentence.js"

/** @import { Failed, Outcome } from "../calls/driver.js" */
/** @import { Feed } from "../calls/questions.js" */
/** @import { HostSide } from "../calls/request.js" */
/** @import { Askers } from "../calls/askers.js" */
/** @import { Sentence } from "../texts/sentence.js" */

/** What carries a call's messages: `say` is false where there is no connection. @typedef {{say: (message: object) => boolean, fits: (message: object) => boolean}} Line */

/** A question that was put, and what was replied. @typedef {{number: number, text: string, connection: number, reply?: object}} Put */

/** The message a call begins with. @typedef {{type: "call" | "resume", call: string, method?: string, params?: string, options?: object, how?: any}} First */

/** How long the host's server may take to say what came of a call that was canceled, in milliseconds. */
const patience = 2000

/** A call that the host's server drives, as the page has it. */
export class RemoteCall {
  #line
  #side
  #first
  #questions
  /** By the engine's numbers. @type {Map<number, Put>} */
  #puts = new Map()
  /** How many connections have carried it, and since when the server remembers what the first one did. */
  #connection = 0
  #since = ""
  /** What the last asker that refused threw. @type {unknown} */
  #cause
  #settle = (/** @type {Outcome} */ _) => {}
  #reject = (/** @type {unknown} */ _) => {}
  /** The caller gave up. @type {{reason: unknown} | undefined} */
  #stopped
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #late

  /**
   * @param {Line} line @param {First} first @param {string} method @param {HostSide & {askers: Askers}} side
   */
  constructor(line, first, method, side) {
    this.#line = line
    this.#first = first
    this.#side = side
    this.method = method
    this.#questions = new Questions(side.askers, this.#reply)
  }

  /** What stands for its snapshot in the page. It holds no secret, and opens for the person alone whose call it is. */
  get handle() {
    return handle(this.#first.call, this.method)
  }

  /** @param {() => void} begin @returns {Promise<Outcome>} */
  async run(begin) {
    const { signal, park } = this.#side
    const call = this.#first.call
    const stop = () => this.stop(signal?.reason)
    const leave = () => void this.#line.say({ type: "park", call })
    signal?.addEventListener("abort", stop)
    park?.addEventListener("abort", leave)
    try {
      return await new Promise((settle, reject) => {
        this.#settle = settle
        this.#reject = reject
        if (signal?.aborted) stop()
        else begin()
      })
    } finally {
      clearTimeout(this.#late)
      signal?.removeEventListener("abort", stop)
      park?.removeEventListener("abort", leave)
      this.#questions.end()
    }
  }

  /** A connection is there. @param {string} since what the server remembers */
  go(since) {
    const { call, how } = this.#first
    if (!this.#line.fits(this.#first)) return this.#fail({ code: Code.limit, ...inEnglish(say`the call is longer than what the host's server takes`), resumable: false })
    this.#connection++
    // What was resumed once may run: sending again needs another word.
    this.#line.say(this.#since ? { ...this.#first, ...(how && { how: { expect: how.expect } }), since: this.#since } : this.#first)
    this.#since ||= since
    if (this.#side.park?.aborted) this.#line.say({ type: "park", call })
    if (this.#stopped) this.#line.say({ type: "cancel", call })
  }

  /** Takes what the server says of the call. It throws if that is nothing it could say. @param {any} message checked by its shape */
  take(message) {
    switch (message.type) {
      case "ask":
        return this.#ask(message.number, pick(message.question, ofQuestion, "a question"))
      case "withdraw":
        for (const [ask, { number }] of this.#puts) if (number === message.number) this.#withdraw(ask)
        return
      case "tell": {
        const what = /** @type {keyof import("../calls/watchers.js").Watchers} */ (message.what)
        if (!Object.hasOwn(ofCall, what)) throw new Error("nobody is told such a thing of a call")
        const said = checkSaid(message.said, ofCall[what] ?? [])
        return observe(() => /** @type {any} */ (this.#side.watchers)?.[what]?.(...said))
      }
      case "end":
        return this.#end(message.outcome)
      case "misuse":
        return this.#reject(new ParleyError(message.code, message.detail))
      case "moved":
        return this.#fail({ code: Code.lost, ...inEnglish(say`another page goes on with the call`), resumable: true })
      default: // unknown
        if (message.later) this.#lose(say`the host's server cannot say now what became of the call; resume asks again`, true)
        else this.#lose(say`the host's server does not have the call any more, if it ever had`, false)
    }
  }

  /** There is no connection, and none will be tried. @param {unknown} cause */
  lose(cause) {
    if (this.#since) this.#lose(say`the connection to the host's server is lost; resume asks it what became of the call`, true, cause)
    else this.#fail({ code: Code.lost, ...inEnglish(say`the host's server cannot be reached, and the call was not sent`), resumable: this.#first.type === "resume", cause })
  }

  /** What was sent may have been done. @param {Sentence} sentence @param {boolean} resumable @param {unknown} [cause] */
  #lose(sentence, resumable, cause) {
    const inDoubt = this.method === "tools/call"
    this.#fail({ code: inDoubt ? Code.inDoubt : Code.lost, ...inEnglish(sentence), resumable, ...(inDoubt && { inDoubt }), cause })
  }

  /** @param {Omit<Failed, "status">} failed */
  #fail(failed) {
    this.#settle({ status: "failed", ...failed, ...(failed.resumable && { snapshot: this.handle }) })
  }

  /** Cancels the call. @param {unknown} reason */
  stop(reason) {
    if (this.#stopped) return
    this.#stopped = { reason }
    const canceled = () => this.#fail({ code: Code.canceled, ...inEnglish(say`the caller gave up`), resumable: this.#first.type === "resume" || this.#since !== "", ...(this.#since && this.method === "tools/call" && { inDoubt: true }), cause: reason })
    if (!this.#since || !this.#line.say({ type: "cancel", call: this.#first.call })) canceled()
    else this.#late = setTimeout(canceled, patience)
  }

  /**
   * Puts a question, unless it is the one that the person has before them, or
   * has answered and the answer may be lost with the connection.
   *
   * @param {number} number @param {import("../calls/askers.js").Question} question
   */
  #ask(number, question) {
    const { ask } = question
    const text = JSON.stringify(question)
    const before = this.#puts.get(ask)
    const put = { number, text, connection: this.#connection, reply: before?.reply }
    if (before?.text === text && before.connection !== this.#connection) {
      this.#puts.set(ask, put)
      if (put.reply) this.#line.say({ ...put.reply, number })
      return
    }
    if (before) this.#withdraw(ask)
    if (this.#puts.size >= mostQuestions) this.#forget()
    this.#puts.set(ask, { ...put, reply: undefined })
    observe(() => this.#side.watchers?.onQuestion?.(question))
    this.#questions.put(question)
  }

  /** Makes room for one more question. */
  #forget() {
    const [replied] = [...this.#puts].find(([, { reply }]) => reply) ?? []
    if (replied === undefined) throw new Error("too many questions are open")
    this.#puts.delete(replied)
  }

  /** @param {number} ask */
  #withdraw(ask) {
    this.#questions.close(ask)
    this.#puts.delete(ask)
  }

  /** Sends what an asker said; without a connection, when the question comes again. @type {Feed} */
  #reply = (event, cause) => {
    if (!("ask" in event) || event.ask === undefined) return
    const put = this.#puts.get(event.ask)
    if (!put || (this.#stopped && event.type === "refuse")) return
    this.#cause = cause
    const { call } = this.#first
    put.reply = event.type === "answer" ? { type: "answer", call, raw: event.raw } : { type: "refuse", call, ...(event.type === "park" ? { park: true } : { reason: "reason" in event && event.reason !== undefined ? translate(sentenceOf(event.reason)).slice(0, mostWord) : undefined }) }
    if (!this.#line.fits(put.reply)) put.reply = { type: "refuse", call, reason: "the answer is longer than what the host's server takes" }
    this.#line.say({ ...put.reply, number: put.number })
  }

  /** @param {Record<string, any>} said */
  #end(said) {
    const shape = Object.hasOwn(ofOutcome, said.status) && ofOutcome[said.status]
    if (!shape) throw new Error("an outcome is of no known kind")
    const outcome = pick(said, shape, "an outcome")
    if (outcome.status === "done") JSON.parse(outcome.result)
    if (outcome.response !== undefined) JSON.parse(outcome.response).message
    this.#line.say({ type: "took", call: this.#first.call })
    if (outcome.status === "failed") this.#fail({ ...outcome, cause: outcome.code === Code.canceled ? this.#stopped?.reason : outcome.code === Code.refused ? this.#cause : undefined })
    else this.#settle(outcome.status === "parked" ? { status: "parked", snapshot: this.handle } : outcome)
  }
}

/** @param {string} call @param {string} method */
export const handle = (call, method) => JSON.stringify({ parley: "remote", call, method })

/** The call that a handle is of. It throws a ParleyError if that is none. @param {string} snapshot @returns {{call: string, method: string}} */
export function opened(snapshot) {
  try {
    const { parley, ...said } = JSON.parse(snapshot)
    if (parley === "remote") return pick(said, { call: "id", method: "word" }, "a handle")
  } catch {}
  throw new ParleyError(Code.snapshot, "this is no call of a remote session")
}
