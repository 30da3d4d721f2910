/** @import { Askers } from "./askers.js" */
/** @import { Begin, Expect, Json, Options } from "../engine/call.js" */
/** @import { Watchers } from "./watchers.js" */

/**
 * The host's side of a call: who answers, who is told, who keeps it, and what
 * stops it.
 *
 * @typedef {object} HostSide
 * @property {Askers} [askers]
 *   answer this call's questions; all of the session's are then left out. Servers of
 *   earlier eras were told of the session's alone, and once
 * @property {Watchers} [watchers] are told about this call
 * @property {(snapshot: string) => unknown} [save]
 *   Keeps a snapshot, which holds a secret. It is awaited before each leg is
 *   sent, when questions open and after each answer: with it a page that is
 *   killed loses nothing. A throw ends the call with Code.save.
 * @property {AbortSignal} [park]
 *   parks the call as soon as it can be: a leg in flight is waited for, unless
 *   it can be sent again. A call that cannot be parked continues
 * @property {AbortSignal} [signal] cancels the call at once, even if an asker ignores its own signal
 */

/** Options of a call. What can be answered in it, the askers say. @typedef {Omit<Options, "can">} CallOptions */

/**
 * A call to be made. Text as `params` goes out as it is.
 *
 * @typedef {{method: string, params?: Json, options?: CallOptions} & HostSide} Request
 */

/**
 * A call to resume from its snapshot. `expect` holds the labels that
 * the call was made with. A tool call that was in flight fails with
 * Code.inDoubt, because the tool may have run; `resend` calls it again anyway.
 * `again` starts the call over, as after Code.state, with what people filled in
 * earlier beside the same questions; `moreRounds` lets the server ask in that
 * many more rounds.
 *
 * @typedef {{snapshot: string, expect?: Omit<Expect, "can">} & Pick<Begin, "resend" | "again" | "moreRounds"> & HostSide} Resumption
 */

const ofRequest = new Set(["method", "params", "options", "askers", "watchers", "save", "park", "signal"])
const ofResumption = new Set(["snapshot", "expect", "resend", "again", "moreRounds", "askers", "watchers", "save", "park", "signal"])

/** Throws where something stands beside its group, as an asker may that nobody would ask. @param {Request} request */
export function checkRequest(request) {
  if (typeof request.method !== "string") throw new TypeError("parley: a request is one object, with a method: { method, params }")
  onlyKnown("a request", request, ofRequest)
}

/** The same. @param {Resumption} resumption */
export function checkResumption(resumption) {
  if (typeof resumption.snapshot !== "string") throw new TypeError("parley: a resumption is one object, with a snapshot: { snapshot }")
  onlyKnown("a resumption", resumption, ofResumption)
}

/** @param {string} what @param {object} given @param {Set<string>} known */
function onlyKnown(what, given, known) {
  for (const name of Object.keys(given)) {
    if (!known.has(name) && /** @type {Record<string, unknown>} */ (given)[name] !== undefined) noMember(what, name)
  }
}

/** @param {string} what @param {string} name @returns {never} */
export function noMember(what, name) {
  throw new TypeError(`parley: ${name} is no member of ${what}: who answers goes into askers, who is told into watchers`)
}
