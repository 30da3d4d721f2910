/**
 * A JSON-RPC error object, as a client gets it.
 *
 * @typedef {{code: number, message: string, data?: {reason: string}}} ErrorResponse
 */

/**
 * The one answer to every state that is refused, whatever the cause.
 *
 * Source: MCP 2026-07-28, basic/patterns/mrtr, server requirement 4: servers
 * "MUST reject" such state.
 *
 * @type {ErrorResponse}
 */
export const refused = Object.freeze({
  code: -32602,
  message: "Invalid or expired requestState",
  data: Object.freeze({ reason: "invalid_request_state" }),
})

/** The answer to a number that the SDK has rounded: the person can give another. @type {ErrorResponse} */
export const rounded = Object.freeze({
  code: -32603,
  message: "An answer has a whole number beyond 9007199254740991, which this server's SDK rounds: answer with another",
})

/** The one answer to every result that cannot be sealed. @type {ErrorResponse} */
export const internal = Object.freeze({ code: -32603, message: "Internal error" })

/**
 * Why a state was refused or could not be sealed. The numbers are those of
 * wasm/CODEC.md and are never renumbered.
 */
export const Reason = Object.freeze({
  /** The codec's instance trapped, or was closed. Not from the codec, so not in the ABI. */
  instance: 0,
  malformed: 1,
  tooLarge: 2,
  unknownKey: 3,
  forged: 4,
  clock: 5,
  notYetValid: 6,
  expired: 7,
  flowAge: 8,
  target: 9,
  arguments: 10,
  principal: 11,
  rounds: 12,
  replayed: 13,
  replayStore: 14,
  key: 15,
  options: 16,
  random: 17,
  result: 18,
})

/**
 * A state that was refused or could not be sealed, or unusable options. It is
 * for the server's log; a client must learn nothing from it but `response`.
 */
export class CodecError extends Error {
  /**
   * @param {number} code one of {@link Reason}
   * @param {string} reason in a few words, for the log; never a token, state, key or principal
   * @param {ErrorResponse} response what the client gets
   * @param {ErrorOptions} [options] `cause` is what a callback threw
   */
  constructor(code, reason, response, options) {
    super(`codec: ${reason}`, options)
    this.name = "CodecError"
    this.code = code
    this.reason = reason
    this.response = response
  }
}
