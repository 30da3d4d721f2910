/** @import { Ask, Info, Json, Note } from "./flow.js" */

/**
 * What a callback returns, or throws, to park the call: everything is kept in
 * a snapshot, and `resume` asks the question again.
 *
 * @type {unique symbol}
 */
export const PARK = Symbol.for("parley.park")

/**
 * One leg to be sent.
 *
 * @typedef {object} Request
 * @property {number} leg 0 where nobody waits for the answer
 * @property {string} method
 * @property {string} params JSON text, to go out as it is
 * @property {string} capabilities clientCapabilities as JSON text, the same on every leg
 */

/**
 * @typedef {object} SendContext
 * @property {AbortSignal} signal ends when the answer is no longer wanted
 * @property {(params: string) => void} progress to be called with the params of each notifications/progress for this request, as JSON text: it gives the leg its time anew
 */

/**
 * An ask as it is put to a callback. `problem` says why the callback's last
 * answer to this very question could not be sent, in words for a person.
 *
 * @typedef {Ask & {problem?: string}} Question
 */

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
 * @property {boolean} [sampleTools] the server may ask `sample` for tools
 * @property {Asker} [listRoots] a ListRootsResult
 * @property {boolean} [tasks]
 *   lets the server make a task of a `tools/call`, which is polled until it
 *   ends: the extension `io.modelcontextprotocol/tasks` is declared
 */

/**
 * What else a call may be given. It never throws what a callback threw.
 *
 * @typedef {object} Watchers
 * @property {(snapshot: string) => unknown} [save]
 *   Keeps a snapshot, which holds a secret. It is awaited before each leg is
 *   sent, when questions open and after each answer: with it a page that is
 *   killed loses nothing. A throw ends the call.
 * @property {(note: Note) => void} [onNote] gets audit records, with Options.audit
 * @property {(leg: number, params: string) => void} [onProgress] gets the params of progress notifications
 * @property {(leg: number, pause: boolean) => void} [onLeg]
 *   is told when a leg goes out, and, with `pause`, when all that came of it is that the next one goes out later:
 *   the server asked to come back, or the leg was lost and can be sent again
 * @property {(status: string, message: string | undefined) => void} [onTask]
 *   is told how the task stands that a tool call has become, in the words of the tasks extension; the message is the server's
 * @property {AbortSignal} [park]
 *   parks the call as soon as it can be: a leg in flight is waited for, unless
 *   it can be sent again. A call that cannot be parked goes on
 * @property {AbortSignal} [signal] cancels the call at once, even if a callback ignores its own signal
 */

/** The host's side of a call, but for how it is sent. @typedef {Askers & Watchers} Asking */

/**
 * @typedef {object} Sending
 * @property {(request: Request, context: SendContext) => string | Promise<string>} send
 *   Sends one leg as a JSON-RPC request with a fresh id and returns the whole
 *   response as text, an error response included. A throw means that no answer
 *   will come; an error with `unsent: true` also that the server certainly
 *   never saw the request.
 */

/** The host's side of a call. @typedef {Sending & Asking} Callbacks */

/**
 * The clientCapabilities that callbacks can live up to, as JSON text.
 *
 * @param {Askers} callbacks
 */
export function capabilitiesOf({ elicit, elicitUrl, listRoots, sample, sampleTools, tasks }) {
  return JSON.stringify({
    elicitation: elicit || elicitUrl ? { form: elicit && {}, url: elicitUrl && {} } : undefined,
    roots: listRoots && {},
    sampling: sample && { tools: sampleTools ? {} : undefined },
    extensions: tasks ? { "io.modelcontextprotocol/tasks": {} } : undefined,
  })
}

/**
 * The first callback that a flow's capabilities need and that is not there.
 *
 * @param {Askers} callbacks
 * @param {Info} info
 */
export function missing(callbacks, info) {
  if (info.form && !callbacks.elicit) return "elicit"
  if (info.url && !callbacks.elicitUrl) return "elicitUrl"
  if (info.sampling && !callbacks.sample) return "sample"
  if (info.samplingTools && !callbacks.sampleTools) return "sampleTools"
  if (info.roots && !callbacks.listRoots) return "listRoots"
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
