// One call that runs in this window: what the driver asks of its host goes to
// the person, and what they decide goes back.

import { PARK, TakenError } from "@parley-mcp/parley/core"
import * as vscode from "vscode"

import { failureOf } from "../../shared-js/failure.js"
import { progressOf, Run } from "../../shared-js/run.js"
import { told } from "./failure.js"
import { settled } from "./policy-answer.js"
import { saysBriefly } from "./question-sign-in.js"
import { calledOf } from "./record.js"
import { inert, line } from "./shown.js"

/** @import { Answer, Askers, Engine, Outcome, Watchers } from "@parley-mcp/parley" */
/** @import { Desk } from "./desk.js" */
/** @import { KeptLease } from "./kept.js" */
/** @import { Log } from "./log.js" */
/** @import { CallQuestion } from "./question-sign-in.js" */
/** @import { CallRecord } from "./record.js" */
/** @import { Results } from "./results.js" */
/** @import { Progress } from "../../shared-js/run.js" */
/** @import { Sessions } from "../../shared-js/sessions.js" */
/** @import { Server } from "./servers.js" */

/**
 * What calls share.
 *
 * @typedef {object} Host
 * @property {Engine} engine
 * @property {Sessions<Server>} sessions
 * @property {Desk} desk
 * @property {Results} results
 * @property {Log} log
 * @property {(what: string, error: unknown) => void} trouble tells the person that something of ours failed
 */

/** @extends {Run<Server>} */
export class Drive extends Run {
  #host
  #server
  #lease
  #changed
  /** The last snapshot, to be kept again when more is known of the call. */
  #snapshot = ""
  /** @type {(message: string) => void} */
  #progress = () => {}
  /** This window leaves it to the next one. */
  #leaving = false

  /**
   * @param {Host} host @param {Server} server @param {CallRecord} record changes as the call goes on
   * @param {KeptLease} lease what it is kept by @param {() => void} changed is called when the record has
   */
  constructor(host, server, record, lease, changed) {
    super(host.sessions, server, record)
    this.#host = host
    this.#server = server
    this.record = record
    this.#lease = lease
    this.#changed = changed
  }

  /** Of the person's settings. */
  get server() {
    return this.#server
  }

  /** What the person knows it by. */
  get called() {
    return calledOf(this.record)
  }

  /** The person stopped it before it can have done anything. */
  get isGivenUp() {
    return this.isStopped && !this.record.failure?.inDoubt
  }

  /** Makes the call, or goes on with it as its record says. @param {string} [snapshot] @returns {Promise<Outcome>} */
  async run(snapshot) {
    const { record } = this
    const how = record.failure && told(record.failure, record.server).next.how
    if (snapshot !== undefined) {
      Object.assign(record, { open: [], failure: undefined })
      this.#snapshot = snapshot
    }
    const outcome = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: this.called, cancellable: true }, async (progress, cancel) => {
      this.#progress = (message) => progress.report({ message: inert(message) })
      cancel.onCancellationRequested(() => this.stop())
      const onWait = () => this.#progress("It waits for its turn.")
      return this.begin(this.#ask, (askers) => ({ askers: this.#signingIn(askers), watchers: this.#watchers, save: (snapshot) => this.#save(snapshot) }), onWait, snapshot, how)
    })
    if (outcome.status === "failed") {
      record.open = []
      record.failure = failureOf(outcome)
    }
    return outcome
  }

  /** Leaves the call as it was last saved, for the next window: to end it would tell the server to. */
  async leave() {
    this.#leaving = true
    await this.#lease.release()
  }

  /**
   * Tells the person how the call ended.
   *
   * @param {Outcome} outcome @param {boolean} kept whether it can be resumed
   */
  async tell(outcome, kept) {
    if (this.#leaving) return
    if (outcome.status === "done") return this.#host.results.show(this.record, outcome.result)
    if (this.isGivenUp) return
    if (outcome.status === "parked") return void vscode.window.setStatusBarMessage(`$(debug-pause) ${this.called} is parked`, 5000)
    if (outcome.cause instanceof TakenError) return void vscode.window.showInformationMessage(`${this.called} continues in another window.`)
    const { text, next } = told(failureOf(outcome), this.record.server)
    const chosen = await vscode.window.showErrorMessage(`${this.called}. ${text}${kept ? " It is kept as it was." : ""}`, ...(kept ? [next.label, "Discard"] : []))
    if (chosen === undefined) return
    await vscode.commands.executeCommand(chosen === "Discard" ? "parley.discard" : "parley.resume", this.record.id)
  }

  /** @returns {Watchers} */
  get #watchers() {
    return {
      onLeg: ({ method }) => method === this.record.method && this.#progress("Waiting for the server."),
      onPause: ({ waits }) => waits && this.#progress("The server is busy and asked to come back later."),
      onProgress: (_, params) => this.#progress(words(progressOf(params))),
      onTask: (status, message) => this.#progress(`The server works on a task: ${line(message ?? status, 200)}`),
      onNote: (note) => this.#host.log.note(this.#server, note),
    }
  }

  /** Asks the person. @param {CallQuestion} question @param {{signal: AbortSignal}} context */
  #ask = async (question, { signal }) => {
    const { record } = this
    const answered = await settled(question, signal)
    if (answered !== undefined) return answered
    record.open = [...record.open.filter(({ ask }) => ask !== question.ask), { ask: question.ask, says: saysBriefly(question) }]
    this.#progress("It waits for your answer.")
    this.#changed()
    await this.#save(this.#snapshot)
    return this.#answered(question.ask, await this.#host.desk.ask(this, question, signal))
  }

  /** A sign-in is over when the browser comes back, and its question with it. @param {Askers} askers @returns {Askers} */
  #signingIn({ authorize, ...askers }) {
    if (!authorize) return askers
    return { ...askers, authorize: async (question, context) => this.#answered(question.ask, await authorize(question, context)) }
  }

  /** What is parked still waits. @template {Answer} T @param {number} answered @param {T} answer */
  #answered(answered, answer) {
    const { record } = this
    if (answer !== PARK) record.open = record.open.filter(({ ask }) => ask !== answered)
    this.#changed()
    return answer
  }

  /** Keeps the call: first the engine waits for it, later only what is told of the call has changed. @param {string} snapshot */
  async #save(snapshot) {
    this.#snapshot = snapshot
    await this.#lease.save(snapshot)
  }
}

/** @param {Progress} progress */
function words({ message, done, total }) {
  return message === undefined ? (total === undefined ? "The server is at it." : `${done} of ${total}`) : line(message, 200)
}
