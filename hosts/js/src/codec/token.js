import { CodecError, Reason, refused } from "./errors.js"

/** The longest token any codec opens, in characters. */
const mostToken = 262_144

/** How long that can be in JSON text, with each character escaped. */
const mostQuoted = 6 * mostToken + 2

/**
 * Refuses a token that no codec opens, before it is copied: it may be as long
 * as a request may be.
 *
 * @param {unknown} token
 */
export function boundToken(token) {
  if (typeof token === "string" && token.length > mostToken) throw new CodecError(Reason.tooLarge, "too large", refused)
}

/**
 * The same for the requestState in params, JSON text, which are looked at only
 * where they are long enough to matter. What is wrong with them otherwise is
 * for the module to say.
 *
 * @param {string} params
 */
export function boundState(params) {
  if (params.length <= mostQuoted) return
  let state
  try {
    state = JSON.parse(params).requestState
  } catch {
    return
  }
  boundToken(state)
}
