import { connect, requests } from "../../dist/index.js"

/** @import { Callbacks, Engine, Outcome, Request, SendContext } from "../../dist/index.js" */
/** @import { Call, Resume } from "./played.js" */

/** @typedef {Callbacks} CallbackOptions */

/** Where the calls of a script go out. */
export class Connection {
  #session

  /**
   * @param {Engine} engine @param {CallbackOptions | undefined} session
   * @param {(request: Request, context: SendContext) => Promise<string>} send
   */
  constructor(engine, session, send) {
    this.#session = connect(engine, requests(send), session)
  }

  /** @param {Call} script @param {string} params @param {CallbackOptions} callbacks @returns {Promise<Outcome>} */
  call({ method, options }, params, callbacks) {
    return this.#session.call(method, params, callbacks, options)
  }

  /** @param {string} snapshot @param {Resume} how @param {CallbackOptions} callbacks @returns {Promise<Outcome>} */
  resume(snapshot, { resend, again, moreRounds, expect }, callbacks) {
    return this.#session.resume(snapshot, callbacks, { resend, again, moreRounds, ...expect })
  }

  close() {
    return this.#session.close()
  }

  /** Sets the callbacks that came with sessions. @param {CallbackOptions} callbacks @param {string} name @param {(name: string, object: Record<string, unknown>) => void} note */
  static newer(callbacks, name, note) {
    switch (name) {
      case "fill":
        callbacks.fill = true
        break
      case "onLeg":
        callbacks.onLeg = ({ leg, method, size, answer, state, asks }) => note("leg", { leg, method, size: size || undefined, answer: answer || undefined, state: state || undefined, asks: asks || undefined })
        break
      case "onPause":
        callbacks.onPause = ({ waits }) => note("pause", { waits: waits || undefined })
        break
      default:
        throw new Error(`a callback that nobody knows: ${name}`)
    }
  }
}
