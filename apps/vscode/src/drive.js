// One call that runs in this window: what the driver asks of its host goes to
// the person, and what they decide goes back.

import { Code, PARK } from "@parley-mcp/parley/core"
import * as vscode from "vscode"

import { member, string } from "../../page/src/raw-json.js"
import { explain } from "./failure.js"
import { settled } from "./policy-answer.js"
import { says } from "./record.js"
import { inert, line } from "./shown.js"

/** @import { Answer, AskContext, Asker, Engine, Lease, Outcome, Question, Session, SessionCallbacks } from "@parley-mcp/parley" */
/** @import { Desk } from "./desk.js" */
/** @import { Log } from "./log.js" */
/** @import { CallRecord } from "./record.js" */
/** @import { Results } from "./results.js" */
/** @import { Sessions } from "./sessions.js" */
/** @import { Server } from "./servers.js" */

/**
 * What calls share.
 *
 * @typedef {object} Host
 * @property {Engine} engine
 * @property {Sessions} sessions
 * @property {Desk} desk
 * @property {Results} results
 * @property {Log} log
 * @property {(what: string, error: unknown) => void} trouble tells the person that something of ours failed
 */

/** Where a call is kept while it runs. @typedef {{lease: Lease, changed: () => void}} Keep */

/** How many more rounds a call may ask in when somebody goes on with it: the engine's default for a new one. */
const moreRounds = 10

/** Why a call ends that the person stopped. */
const stopped = Symbol("stopped")

export class Drive {
  #host
  #server
  #stop = new AbortController()
  /** The last snapshot, to be kept again when more is known of the call. */
  #snapshot = ""
  /** @type {(message: string) => void} */
  #progress = () => {}
  #task = false
  /** This window leaves it to the next one. */
  #leaving = false
  /** The server had begun with what was stopped. */
  #begun = false

  /** It did not even begin: what is kept of it stays as it was. */
  untouched = false

  /** @type {Keep | undefined} */
  keep

  /** @param {Host} host @param {Server} server @param {CallRecord} record changes as the call goes on */
  constructor(host, server, record) {
    this.#host = host
    this.#server = server
    this.record = record
  }

  /** What the person knows it by. */
  get called() {
    const { label, title } = this.record
    return inert(`${line(label, 60)}: ${line(title, 80)}`)
  }

  get stopped() {
    return this.#stop.signal.reason === stopped
  }

  start() {
    const { id, method, params, address } = this.record
    return this.#run((session, callbacks) => session.call(method, params, callbacks, { id, peer: address, audit: true }))
  }

  /** @param {string} snapshot @param {boolean} resend */
  goOn(snapshot, resend) {
    const { address, round } = this.record
    Object.assign(this.record, { open: [], trouble: undefined })
    return this.#run((session, callbacks) => session.resume(snapshot, callbacks, { peer: address, maxRounds: round + moreRounds, resend }))
  }

  /** Gives the call up. */
  stop() {
    this.#stop.abort(stopped)
  }

  /** Ends the call because another window has it. @param {unknown} reason */
  abandon(reason) {
    this.#stop.abort(reason)
  }

  /**
   * Leaves the call as it is, for the next window. One that waits for the person
   * is parked. One that is under way stays what it was when it was last saved,
   * because to end it would tell the server to: then false.
   */
  leave() {
    this.#leaving = true
    return this.#host.desk.parkAll(this)
  }

  /**
   * Tells the person how the call ended.
   *
   * @param {Outcome} outcome @param {() => boolean} isKept whether it can be gone on with
   */
  async tell(outcome, isKept) {
    if (this.#leaving) return
    if (outcome.status === "done") return this.#host.results.show(this.record, outcome.result)
    if (this.stopped) {
      if (this.#begun) void vscode.window.showWarningMessage(`You stopped ${this.called}. The server was at it: whatever it does may be done or not.`)
      return
    }
    if (outcome.status === "parked") {
      void vscode.window.setStatusBarMessage(`$(debug-pause) ${this.called} is parked`, 5000)
      return
    }
    const { text, next } = explain(outcome, this.record)
    const kept = isKept()
    const still = kept && this.untouched ? " It is kept as it was." : ""
    const chosen = await vscode.window.showErrorMessage(`${this.called}. ${text}${still}`, ...(kept ? [next, "Discard"] : []))
    if (chosen === undefined) return
    await vscode.commands.executeCommand(chosen === "Discard" ? "parley.discard" : "parley.resume", this.record.id)
  }

  /** @param {(session: Session, callbacks: SessionCallbacks) => Promise<Outcome>} run @returns {Promise<Outcome>} */
  async #run(run) {
    return this.#conclude(
      await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: this.called, cancellable: true }, async (progress, cancel) => {
        this.#progress = (message) => progress.report({ message: inert(message) })
        cancel.onCancellationRequested(() => this.stop())
        try {
          return await this.#host.sessions.use(this.#server, (session) => run(session, this.#callbacks()))
        } catch (error) {
          // It did not begin: what was kept cannot be used, or there is no way to the server.
          this.untouched = true
          const code = error instanceof Error && "code" in error ? Number(error.code) : Code.snapshot
          const detail = (error instanceof Error ? error.message : String(error)).replace(/^parley: /, "")
          return { status: /** @type {const} */ ("failed"), code, detail, resumable: false }
        }
      }),
    )
  }

  /** @param {Outcome} outcome */
  #conclude(outcome) {
    const { record } = this
    this.#begun = record.open.length === 0 && !this.untouched
    if (outcome.status === "failed") {
      record.open = []
      const { text, doubt } = explain(outcome, record)
      record.trouble = { text, doubt }
    }
    return outcome
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
      onLeg: (_, pause) => this.#task || this.#progress(pause ? "The server is busy and asked to come back later." : "Waiting for the server."),
      onProgress: (_, params) => this.#progress(progressed(params)),
      onTask: (status, message) => this.#worksOn(message ?? status),
      onNote: (note) => this.#host.log.note(this.#server, note),
      signal: this.#stop.signal,
    }
  }

  /** @param {Question} question @param {AskContext} context @returns {Promise<Answer>} */
  async #ask(question, { signal }) {
    const { record } = this
    record.round = question.round
    const answered = await settled(question, signal)
    if (answered !== undefined) return answered
    record.open = [...record.open.filter(({ ask }) => ask !== question.ask), { ask: question.ask, kind: question.kind, says: says(question) }]
    this.#progress("It waits for your answer.")
    this.keep?.changed()
    await this.#save(this.#snapshot)
    if (this.#leaving) return PARK
    const answer = await this.#host.desk.ask(this, question, signal)
    // What is parked still waits.
    if (answer !== PARK) record.open = record.open.filter(({ ask }) => ask !== question.ask)
    this.keep?.changed()
    return answer
  }

  /** The call has become a task, which legs ask about. @param {string} message the server's */
  #worksOn(message) {
    this.#task = true
    this.#progress(`The server works on a task: ${line(message, 200)}`)
  }

  /** Keeps the call: first the engine waits for it, later only what is told of the call has changed. @param {string} snapshot */
  async #save(snapshot) {
    this.#snapshot = snapshot
    await this.keep?.lease.save(snapshot)
  }
}

/** What a notifications/progress says. @param {string} params */
function progressed(params) {
  const [done, total, message] = [member(params, "progress"), member(params, "total"), string(member(params, "message"))]
  return message !== undefined ? line(message, 200) : line(total === undefined ? `${done}` : `${done} of ${total}`, 60)
}
