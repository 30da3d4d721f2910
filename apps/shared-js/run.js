// A call that runs here: how it is made and resumed, stopped and abandoned.

import { notBegun } from "./failure.js"
import { Code } from "./parley.js"
import { member, string } from "./raw-json.js"
import { isOf, ofAnother } from "./sign-in.js"

/** @import { Answer, Asker, Askers, HostSide, Outcome } from "./parley.js" */
/** @import { Failure, GoOn } from "./failure.js" */
/** @import { Server, Sessions } from "./sessions.js" */
/** @import { KnownAccount } from "./sign-in.js" */

/**
 * What is known of every call, as plain data.
 *
 * @typedef {object} Call
 * @property {string} id
 * @property {string} server what the person calls it
 * @property {string} address of the server, which tells it from every other
 * @property {string} method
 * @property {string} params JSON text
 * @property {string} title what the server calls the tool, prompt or resource
 * @property {number} started Unix time in milliseconds
 * @property {string} [principal] the label of the account that it is made with, once there is one: to be kept with it
 * @property {Failure} [failure]
 */

/** How far a server is with what it does. `total` is there only where it makes sense, and then both are. @typedef {{message?: string, done?: number, total?: number}} Progress */

/** Why a call ends that the person stopped. */
const stopped = Symbol("stopped")

/** @template {Server} S */
export class Run {
  #sessions
  #server
  #call
  #stop = new AbortController()

  /** It did not even begin: what is kept of it stays as it was. */
  untouched = false

  /** @param {Sessions<S>} sessions @param {S} server @param {Call} call */
  constructor(sessions, server, call) {
    this.#sessions = sessions
    this.#server = server
    this.#call = call
  }

  /** Whether the person has stopped it. */
  get isStopped() {
    return this.#stop.signal.reason === stopped
  }

  /** Whether it is to end, for whatever reason. */
  get isEnding() {
    return this.#stop.signal.aborted
  }

  stop() {
    this.#stop.abort(stopped)
  }

  /** Ends the call because somebody else has it. @param {unknown} reason */
  abandon(reason) {
    this.#stop.abort(reason)
  }

  /**
   * Makes the call, or goes on with it from a snapshot. What it may be asked it
   * declared when it was made. It is the account's that it was made with, or
   * that was the first to sign in for it.
   *
   * @param {Asker} ask
   * @param {(askers: Askers) => HostSide} side the host's side of the call, given those askers
   * @param {() => void} onWait is called if it is not its turn yet
   * @param {string} [snapshot] @param {GoOn} [how]
   * @returns {Promise<Outcome>}
   */
  async begin(ask, side, onWait, snapshot, how) {
    const { id, method, params } = this.#call
    const { address: peer, label } = this.#server
    const questions = snapshot === undefined ? this.#sessions.askers(ask) : { elicit: ask, elicitURL: ask, sample: ask, listRoots: ask, tasks: true }
    const askers = { ...questions, ...this.#adopting(this.#sessions.signingIn(this.#server, ask)) }
    const { signal } = this.#stop
    const ours = { ...side(askers), signal }
    try {
      const account = await this.#sessions.account(this.#server)?.account()
      if (snapshot === undefined) this.#call.principal = account?.label
      const { principal } = this.#call
      if (principal !== undefined && account !== undefined && !isOf(account, principal)) {
        this.untouched = true
        return { status: "failed", code: Code.peer, detail: ofAnother(label), resumable: true, snapshot }
      }
      return await this.#sessions.call(
        this.#server,
        (session) =>
          snapshot === undefined
            ? session.call({ method, params, options: { id, peer, principal, audit: ours.watchers?.onNote && true }, ...ours })
            : session.resume({ snapshot, expect: { peer, principal }, ...how, ...ours }),
        signal,
        onWait,
      )
    } catch (error) {
      this.untouched = true
      return notBegun(error, snapshot)
    }
  }

  /** A call that is nobody's yet becomes the account's that signs in for it. @param {Askers} askers @returns {Askers} */
  #adopting({ authorize }) {
    if (!authorize) return {}
    return {
      authorize: async (question, context) => {
        const answer = await authorize(question, context)
        const account = accountIn(answer)
        const { principal } = this.#call
        if (account && (principal === undefined || isOf(account, principal))) this.#call.principal = account.label
        return answer
      },
    }
  }
}

/** @param {Answer} answer @returns {KnownAccount | undefined} */
function accountIn(answer) {
  const text = typeof answer === "object" ? JSON.stringify(answer) : answer
  const { account: label, replaces } = typeof text === "string" ? JSON.parse(text) : {}
  return typeof label === "string" ? { label, replaces } : undefined
}

/** What a notifications/progress says. @param {string} params @returns {Progress} */
export function progressOf(params) {
  const [done, total] = [Number(member(params, "progress")), Number(member(params, "total"))]
  return { message: string(member(params, "message")), ...(done >= 0 && total > 0 && total < Infinity && { done, total }) }
}
