import { connect, requests } from "../../dist/index.js"

/** @import { Askers, Engine, Outcome, HostSide, Send, Session } from "../../dist/index.js" */
/** @import { Call, Resume } from "./played.js" */

/** Where the calls of a script go out. */
export class Connection {
  /** @type {Session} */
  #session

  /** @param {Engine} engine @param {Askers} askers @param {Send} send */
  constructor(engine, askers, send) {
    this.#session = connect(engine, requests(send), { askers })
  }

  /** @param {Call} script @param {string} params @param {HostSide} running @returns {Promise<Outcome>} */
  call({ method, options }, params, running) {
    return this.#session.call({ method, params, options, ...running })
  }

  /** @param {string} snapshot @param {Resume} how @param {HostSide} running @returns {Promise<Outcome>} */
  resume(snapshot, { resend, again, moreRounds, expect }, running) {
    return this.#session.resume({ snapshot, resend, again, moreRounds, expect, ...running })
  }

  close() {
    return this.#session.close()
  }
}
