import { Code, ParleyError } from "./errors.js"
import { say, withMarkedReason } from "./sentence.js"

/** @import { Engine } from "./core.js" */
/** @import { Bytes } from "./frame.js" */
/** @import { Instance } from "./instance.js" */
/** @import { Sentence } from "./sentence.js" */
/** @import { SessionEvent } from "./session-core.js" */

/**
 * JSON text, or a value to turn into JSON text. What came from a server is
 * passed on as text: parsing and writing it again would turn 1.0 into 1.
 *
 * @typedef {string | object} Json
 */

/** What the host can answer. @typedef {{form?: boolean, url?: boolean, sampling?: boolean, samplingTools?: boolean, roots?: boolean, tasks?: boolean, authorize?: boolean, anyForm?: boolean}} Can `anyForm`: the host draws forms itself that Parley cannot read */

/**
 * The options of a flow; wasm/ABI.md has the defaults. Times are milliseconds.
 *
 * @typedef {object} Options
 * @property {Can} [can] what can be answered; questions of other kinds fail the call
 * @property {Json} [capabilities] clientCapabilities to declare beside that, such as extensions
 * @property {number} [askConcurrency] questions open at once; negative is all
 * @property {number} [legTimeout] a leg in flight; negative is none
 * @property {number} [legMax] bounds a leg while there is progress
 * @property {number} [askTimeout] a question open
 * @property {number} [budget] the whole call, without the time a person took
 * @property {number} [deadline] Unix time; keeps running while the call is parked
 * @property {number} [maxRounds] rounds with questions
 * @property {number} [maxWaits] rounds without, in a row
 * @property {number} [maxPace] the longest pause after a round without questions
 * @property {number} [maxTries] answers to one question that cannot be used
 * @property {boolean} [resendTools] send a lost tools/call again by itself
 * @property {boolean} [fresh] in a session, ask the server even if an earlier result may be used again
 * @property {{params?: number, response?: number, result?: number, state?: number, asks?: number, key?: number, snapshot?: number}} [limits] in bytes, but for asks
 * @property {boolean} [audit] note actions
 * @property {string} [id] label of the call
 * @property {string} [peer] the host's own label for the server
 * @property {string} [principal] the host's own label for who calls
 */

/**
 * What a snapshot must match, and which of its bounds to replace.
 *
 * @typedef {object} Expect
 * @property {Can} [can] what the host can answer: a call that declared more is refused. A session fills it in itself
 * @property {string} [peer] must be what the flow was made with
 * @property {string} [principal] must be what the flow was made with
 * @property {number} [deadline]
 * @property {number} [budget]
 * @property {number} [maxRounds]
 * @property {number} [maxWaits]
 * @property {number} [size] the longest snapshot accepted, in bytes; 8 MiB if absent
 */

/**
 * Starts a flow or continues it. `resend` sends a leg again although nobody
 * knows whether it arrived, `again` starts over, `moreRounds` raises the bound;
 * `save` asks for save actions, `watch` for those about legs and pauses.
 *
 * @typedef {{type: "begin", resend?: boolean, again?: boolean, moreRounds?: number, save?: boolean, watch?: boolean}} Begin
 */

/**
 * A long response may come in `part`s, whose last slice is the `response`'s.
 *
 * @typedef {Begin
 *   | {type: "part", leg: number, body: Bytes}
 *   | {type: "response", leg: number, body: Bytes}
 *   | {type: "lost", leg: number, reason?: string | Sentence, unsent?: boolean}
 *   | {type: "progress", leg: number}
 *   | {type: "answer", ask: number, raw: string, fill?: boolean}
 *   | {type: "refuse", ask: number, reason?: string | Sentence}
 *   | {type: "saved"} | {type: "saveFailed", reason?: string | Sentence}
 *   | {type: "park", ask?: number} | {type: "cancel"} | {type: "tick"}} Event
 */

/**
 * A question of the server. `params` is JSON text, absent if the server sent
 * none. The hints are those of a url: `host` is where it leads, and `repeat`
 * says that the person has agreed to this very url before.
 *
 * `problem` says why the last answer to this very question could not be used,
 * in words for a person. `earlier` is JSON text: what this very form was filled
 * in with before the call was started over, for the person to look at.
 *
 * @typedef {object} Ask
 * @property {number} ask the question's id, never reused in the flow; negative if it is to authorize
 * @property {string} key the server's own name for it
 * @property {"elicitation/create" | "sampling/createMessage" | "roots/list" | "authorize"} kind
 * @property {"form" | "url"} [mode] of an elicitation
 * @property {string} [params]
 * @property {number} round
 * @property {string} [host]
 * @property {boolean} [loopback]
 * @property {boolean} [punycode]
 * @property {boolean} [repeat]
 * @property {string} [problem]
 * @property {Sentence} [sentence] the problem, to be translated
 * @property {string} [earlier]
 */

/**
 * A leg goes out: `method`, and the bytes of its params. Or it is over: `answer`
 * is complete, input_required, task, error, lost, or the server's own word;
 * `size` is that of the response, `state` that of its requestState, `asks` how
 * many questions it has.
 *
 * @typedef {{leg: number, method?: string, size: number, answer?: string, state?: number, asks?: number}} Leg
 */

/** When the next leg goes out, in Unix milliseconds, and how many rounds in a row have asked nothing. @typedef {{until: number, waits?: number}} Pause */

/**
 * An audit record. It never holds state or content.
 *
 * @typedef {object} Note
 * @property {string} kind
 * @property {string} [flow] Options.id
 * @property {number} leg
 * @property {number} round
 * @property {number} time Unix time in milliseconds
 * @property {number} [ask]
 * @property {string} [action]
 * @property {string} [fingerprint]
 * @property {number} [code]
 */

/** The final result, as JSON text; of a page of a list what asks for the next one, as JSON text; and what the result lacks. @typedef {{type: "done", result: string, noStore?: boolean, cached?: boolean, next?: string, lacks?: string, sentence?: Sentence}} Done */

/** What comes in place of {@link Done}, and only then, after a response that came in parts: where in all of them the result stands, in bytes. @typedef {{type: "done", result?: undefined, from: number, to: number, noStore?: boolean, cached?: boolean}} DoneWithin */

/**
 * @typedef {{type: "send", leg: number, method: string, params: string}
 *   | {type: "abandon", leg: number}
 *   | {type: "save"}
 *   | {type: "leg"} & Leg
 *   | {type: "pause"} & Pause
 *   | {type: "ask"} & Ask
 *   | {type: "withdraw", ask: number}
 *   | {type: "task", status: string, message?: string}
 *   | {type: "tell", method: string, params: string}
 *   | {type: "wait", until: number}
 *   | {type: "note"} & Note
 *   | Done
 *   | {type: "parked"}
 *   | {type: "failed", code: number, detail: string, resumable: boolean, error?: string}} Action
 */

/**
 * What a flow is, for a list of parked calls. The flags say what was declared,
 * but for `inDoubt` (only begin with resend goes on) and `over`.
 *
 * @typedef {object} Info
 * @property {string} method
 * @property {string} params JSON text
 * @property {string} capabilities JSON text
 * @property {string} [id]
 * @property {string} [peer]
 * @property {string} [principal]
 * @property {number} round
 * @property {number} leg
 * @property {number} questions not answered
 * @property {boolean} [form]
 * @property {boolean} [url]
 * @property {boolean} [sampling]
 * @property {boolean} [samplingTools]
 * @property {boolean} [roots]
 * @property {boolean} [inDoubt]
 * @property {boolean} [over]
 * @property {string} [task] the status of the task that the call has become
 */

/**
 * One logical call: a request with all its rounds. It lives in the engine's
 * instance until {@link Flow.free}, and ends with it: after a trap,
 * {@link Engine.restoreFlow} continues it from a snapshot that was kept.
 */
export class Flow {
  #instance
  #handle
  #freed = false

  /** @param {Instance} instance @param {number} handle */
  constructor(instance, handle) {
    this.#instance = instance
    this.#handle = handle
  }

  /**
   * Advances the flow by one event and returns every action that follows from
   * it. A {@link ParleyError} (Code.order, Code.notParkable) leaves it as it was.
   *
   * @param {number} now Unix time in milliseconds
   * @param {Event} event
   * @returns {Action[]}
   */
  step(now, event) {
    return this.#live().give("parley_flow_step", withMarkedReason(event), this.#handle, now).actions
  }

  /** Everything needed to continue elsewhere. It holds a secret. @returns {string} */
  snapshot() {
    return this.#live().ask("parley_flow_snapshot", this.#handle).snapshot
  }

  /** @returns {Info} */
  info() {
    return this.#live().ask("parley_flow_info", this.#handle)
  }

  /** Lets go of the flow. It may be called more than once. */
  free() {
    if (!this.#freed) this.#instance.free("parley_flow_free", this.#handle)
    this.#freed = true
  }

  #live() {
    if (this.#freed) throw new ParleyError(Code.order, say`the flow was freed`)
    return this.#instance
  }
}

/**
 * The request for a new flow or call.
 *
 * @param {string} method @param {Json} params @param {Options} options
 */
export function request(method, params, options) {
  const { capabilities } = options
  return { method, params: text(params), options: capabilities === undefined ? options : { ...options, capabilities: text(capabilities) } }
}

/** @param {Json} value */
export function text(value) {
  return typeof value === "string" ? value : JSON.stringify(value)
}
