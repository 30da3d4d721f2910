import { quoted } from "../texts/plain.js"
import { sentenceOf } from "../texts/sentence.js"

/** @import { Failed } from "../calls/driver.js" */
/** @import { Sentence } from "../texts/sentence.js" */

/**
 * What a typed call without a result rejects with: its outcome, as an error.
 * `status` tells a call that failed from one that is parked. `message` is for a
 * person and has what the server said.
 */
export class Failure extends Error {
  #snapshot
  #raw

  /**
   * @param {Omit<Failed, "status" | "code"> & {status: "failed" | "parked", code?: number}} outcome
   * @param {string} [raw]
   */
  constructor({ status, code, detail, sentence = sentenceOf(detail), resumable, inDoubt = false, snapshot, response, cause }, raw) {
    super(`parley: ${detail}${said(response)}`, { cause })
    this.name = "Failure"
    this.status = status
    /** One of Code; undefined if the call is parked. */
    this.code = code
    /** What is wrong and where; never a state or an answer. */
    this.detail = detail
    /** The detail, to be translated. @type {Sentence} */
    this.sentence = sentence
    /** `resume` can continue the call from the snapshot. */
    this.resumable = resumable
    /** No answer to a tool call came and the tool may have run: resuming needs `resend`. */
    this.inDoubt = inDoubt
    /** The server's JSON-RPC error object as JSON text, if it sent one. */
    this.response = response
    this.#snapshot = snapshot
    this.#raw = raw
  }

  /** Everything that was collected, and a secret: no log has it, though it has the error. */
  get snapshot() {
    return this.#snapshot
  }

  /** The result as JSON text, if there is one that cannot be read: the call was carried out. */
  get raw() {
    return this.#raw
  }
}

/** The server's own words. @param {string | undefined} response */
function said(response) {
  const message = response && JSON.parse(response).message
  return typeof message === "string" && message ? `: the server says ${quoted(message)}` : ""
}
