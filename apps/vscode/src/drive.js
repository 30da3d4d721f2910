// One call that runs in this window: what the driver asks of its host goes to
// the person, and what they decide goes back.

import { Code, PARK, TakenError } from "@parley-mcp/parley/core"
import * as vscode from "vscode"

import { member, string } from "../../page/src/raw-json.js"
import { nexts, troubleOf } from "./failure.js"
import { settled } from "./policy-answer.js"
import { calledOf, says } from "./record.js"
import { allowed } from "./settings.js"
import { inert, line } from "./shown.js"

/** @import { Asker, Callbacks, Engine, Lease, Outcome, Session } from "@parley-mcp/parley" */
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

/** How much more a server may ask when somebody goes on with its call, in rounds. */
const moreRounds = 10

/** Why a call ends that the person stopped. */
const stopped = Symbol("stopped")

export class Drive {
  #host
  #server
  #lease
  #changed
  #stop = new AbortController()
  /** The last snapshot, to be kept again when more is known of the call. */
  #snapshot = ""
  /** @type {(message: string) => void} */
  #progress = () => {}
  /** This window leaves it to the next one. */
  #leaving = false

  /** It did not even begin: what is kept of it stays as it was. */
  untouched = false

  /**
   * @param {Host} host @param {Server} server @param {CallRecord} record changes as the call goes on
   * @param {Lease} lease what it is kept by @param {() => void} changed is called when the record has
   */
  constructor(host, server, record, lease, changed) {
    this.#host = host
    this.#server = server
    this.record = record
    this.#lease = lease
    this.#changed = changed
  }

  /** What the person knows it by. */
  get called() {
    return calledOf(this.record)
  }

  /** The person stopped it before it can have done anything. */
  get isGivenUp() {
    return this.#stop.signal.reason === stopped && this.record.trouble?.next !== "resend"
  }

  /** Makes the call, or goes on with it as its record says. @param {string} [snapshot] @returns {Promise<Outcome>} */
  async run(snapshot) {
    const outcome = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: this.called, cancellable: true }, async (progress, cancel) => {
      this.#progress = (message) => progress.report({ message: inert(message) })
      cancel.onCancellationRequested(() => this.stop())
      try {
        return await this.#host.sessions.use(this.#server, (session) => (snapshot === undefined ? this.#start(session) : this.#goOn(session, snapshot)))
      } catch (error) {
        // It did not begin: what was kept cannot be used, or there is no way to the server.
        this.untouched = true
        const code = error instanceof Error && "code" in error ? Number(error.code) : Code.snapshot
        const detail = (error instanceof Error ? error.message : String(error)).replace(/^parley: /, "")
        return { status: /** @type {const} */ ("failed"), code, detail, resumable: false }
      }
    })
    const { record } = this
    if (outcome.status === "failed") {
      record.open = []
      record.trouble = troubleOf(outcome, outcome.inDoubt === true)
    }
    return outcome
  }

  /** Gives the call up. */
  stop() {
    this.#stop.abort(stopped)
  }

  /** Ends the call because another window has it. @param {unknown} reason */
  abandon(reason) {
    this.#stop.abort(reason)
  }

  /** Leaves the call as it was last saved, for the next window: to end it would tell the server to. */
  async leave() {
    this.#leaving = true
    await this.#lease.release()
  }

  /**
   * Tells the person how the call ended.
   *
   * @param {Outcome} outcome @param {boolean} kept whether it can be gone on with
   */
  async tell(outcome, kept) {
    if (this.#leaving) return
    if (outcome.status === "done") return this.#host.results.show(this.record, outcome.result)
    if (this.isGivenUp) return
    if (outcome.status === "parked") return void vscode.window.setStatusBarMessage(`$(debug-pause) ${this.called} is parked`, 5000)
    if (outcome.cause instanceof TakenError) return void vscode.window.showInformationMessage(`${this.called} goes on in another window.`)
    const { text = "", next = "goOn" } = this.record.trouble ?? {}
    const chosen = await vscode.window.showErrorMessage(`${this.called}. ${text}${kept ? " It is kept as it was." : ""}`, ...(kept ? [nexts[next], "Discard"] : []))
    if (chosen === undefined) return
    await vscode.commands.executeCommand(chosen === "Discard" ? "parley.discard" : "parley.resume", this.record.id)
  }

  /** @param {Session} session */
  #start(session) {
    const { id, method, params, address } = this.record
    return session.call(method, params, { ...this.#callbacks, ...allowed(this.#ask) }, { id, peer: address, audit: true })
  }

  /** @param {Session} session @param {string} snapshot */
  #goOn(session, snapshot) {
    const { address, trouble } = this.record
    Object.assign(this.record, { open: [], trouble: undefined })
    const how = { resend: trouble?.next === "resend", again: trouble?.next === "again", moreRounds }
    return session.resume(snapshot, { ...this.#callbacks, elicit: this.#ask, elicitUrl: this.#ask, sample: this.#ask, listRoots: this.#ask }, { peer: address, ...how })
  }

  /** @returns {Callbacks} */
  get #callbacks() {
    return {
      save: (snapshot) => this.#save(snapshot),
      onLeg: ({ method }) => method === this.record.method && this.#progress("Waiting for the server."),
      onPause: ({ waits }) => waits && this.#progress("The server is busy and asked to come back later."),
      onProgress: (_, params) => this.#progress(progressed(params)),
      onTask: (status, message) => this.#progress(`The server works on a task: ${line(message ?? status, 200)}`),
      onNote: (note) => this.#host.log.note(this.#server, note),
      signal: this.#stop.signal,
    }
  }

  /** @type {Asker} */
  #ask = async (question, { signal }) => {
    const { record } = this
    const answered = await settled(question, signal)
    if (answered !== undefined) return answered
    record.open = [...record.open.filter(({ ask }) => ask !== question.ask), { ask: question.ask, says: says(question) }]
    this.#progress("It waits for your answer.")
    this.#changed()
    await this.#save(this.#snapshot)
    const answer = await this.#host.desk.ask(this, question, signal)
    // What is parked still waits.
    if (answer !== PARK) record.open = record.open.filter(({ ask }) => ask !== question.ask)
    this.#changed()
    return answer
  }

  /** Keeps the call: first the engine waits for it, later only what is told of the call has changed. @param {string} snapshot */
  async #save(snapshot) {
    this.#snapshot = snapshot
    await this.#lease.save(snapshot)
  }
}

/** What a notifications/progress says. @param {string} params */
function progressed(params) {
  const [done, total, message] = [member(params, "progress"), member(params, "total"), string(member(params, "message"))]
  return message !== undefined ? line(message, 200) : line(total === undefined ? `${done}` : `${done} of ${total}`, 60)
}
