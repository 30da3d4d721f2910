/** @import { Ask, Can, Json, Leg, Note, Pause } from "./flow.js" */

/**
 * What a callback returns, or throws, to park the call: everything is kept in
 * a snapshot, and `resume` asks the question again.
 *
 * @type {unique symbol}
 */
export const PARK = Symbol.for("parley.park")

/** A question as it is put to a callback. @typedef {Ask} Question */

/** @typedef {{signal: AbortSignal}} AskContext `signal` ends when the question is moot: close its dialog */

/**
 * The result of a question: JSON text, which goes out byte for byte, or a value
 * to be made JSON text of; or {@link PARK}, the one symbol that is taken.
 *
 * @typedef {Json | symbol} Answer
 */

/** @typedef {(question: Question, context: AskContext) => Answer | Promise<Answer>} Asker */

/**
 * Who answers a server's questions. A missing callback is a capability not
 * declared. One that throws refuses its question, which ends the call
 * resumably.
 *
 * @typedef {object} Askers
 * @property {Asker} [elicit] asks the person to fill in a form; an ElicitResult
 * @property {Asker} [elicitUrl] asks for consent to open a url, and opens it; an ElicitResult without content
 * @property {Asker} [sample] asks a model; a CreateMessageResult
 * @property {boolean} [sampleTools] the server may ask the `sample` beside it for tools
 * @property {Asker} [listRoots] a ListRootsResult
 * @property {boolean} [tasks]
 *   lets the server make a task of a `tools/call`, which is polled until it
 *   ends: the extension `io.modelcontextprotocol/tasks` is declared
 * @property {boolean} [fill] accepted forms get the schema's defaults where the answer leaves fields out
 */

/**
 * What else a call may be given. It never throws what a callback threw.
 *
 * @typedef {object} Watchers
 * @property {(snapshot: string) => unknown} [save]
 *   Keeps a snapshot, which holds a secret. It is awaited before each leg is
 *   sent, when questions open and after each answer: with it a page that is
 *   killed loses nothing. A throw ends the call with Code.save.
 * @property {(note: Note) => void} [onNote] gets audit records, with Options.audit
 * @property {(leg: number, params: string) => void} [onProgress] gets the params of progress notifications
 * @property {(leg: Leg) => void} [onLeg] is told what goes out and what comes back
 * @property {(pause: Pause) => void} [onPause] is told when the next leg goes out at a time, and nothing happens before
 * @property {(status: string, message: string | undefined) => void} [onTask]
 *   is told how the task stands that a tool call has become, in the words of the tasks extension; the message is the server's
 * @property {OnNotification} [onNotification] gets what else comes in the call's own responses
 * @property {AbortSignal} [park]
 *   parks the call as soon as it can be: a leg in flight is waited for, unless
 *   it can be sent again. A call that cannot be parked goes on
 * @property {AbortSignal} [signal] cancels the call at once, even if a callback ignores its own signal
 */

/** @typedef {(method: string, params: string | undefined) => void} OnNotification */

/**
 * The host's side of one call. Those that ask stand in for the session's;
 * servers of earlier eras were told of those alone, and once.
 *
 * @typedef {Askers & Watchers} Callbacks
 */

/** What callbacks can do, in the engine's words. */
const abilities = /** @type {const} */ ([["form", "elicit"], ["url", "elicitUrl"], ["sampling", "sample"], ["samplingTools", "sampleTools"], ["roots", "listRoots"], ["tasks", "tasks"]])

/** What can be answered. @param {Askers} askers */
export function can(askers) {
  /** @type {Can} */
  const said = {}
  for (const [ability, name] of abilities) if (askers[name]) said[ability] = true
  return said
}

/** Whether callbacks say what can be answered. @param {Askers} askers */
export function asks(askers) {
  return abilities.some(([, name]) => askers[name] !== undefined)
}

/**
 * The callbacks of a call, and the session's where it has none: whoever samples
 * says whether there are tools.
 *
 * @param {Callbacks} callbacks @param {Askers} others @returns {Callbacks}
 */
export function merge(callbacks, others) {
  /** @type {any} */
  const merged = { ...others, ...callbacks }
  for (const [name, value] of Object.entries(others)) merged[name] ??= value
  if (callbacks.sample) merged.sampleTools = callbacks.sampleTools
  return merged
}

/** Which callback a question is for. @param {Ask} ask */
export function asker({ kind, mode }) {
  if (kind === "sampling/createMessage") return "sample"
  if (kind === "roots/list") return "listRoots"
  return mode === "url" ? "elicitUrl" : "elicit"
}

/** Calls a callback that only watches: if it fails, the call goes on. @param {() => unknown} call */
export function observe(call) {
  try {
    const watching = call()
    if (watching) Promise.resolve(watching).catch(() => {})
  } catch {}
}
