/** @import { Ask, Can, Json } from "../engine/call.js" */

/**
 * What an asker returns, or throws, to park the call: everything is kept in a
 * snapshot, and `resume` asks the question again.
 *
 * @type {unique symbol}
 */
export const PARK = Symbol.for("parley.park")

/** A question as it is put to an asker. @typedef {Ask} Question */

/** @typedef {{signal: AbortSignal}} AskContext `signal` aborts when the question is moot: close its dialog */

/**
 * The result of a question: JSON text, which goes out byte for byte, or a value
 * to turn into JSON text; or {@link PARK}, the only symbol that is accepted.
 *
 * @typedef {Json | symbol} Answer
 */

/** @typedef {(question: Question, context: AskContext) => Answer | Promise<Answer>} Asker */

/**
 * Who answers a server's questions. A missing asker is a capability not
 * declared. One that throws refuses its question, which ends the call
 * resumably.
 *
 * @typedef {object} Askers
 * @property {Asker} [elicit] asks the person to fill in a form; an ElicitResult
 * @property {Asker} [elicitURL] asks for consent to open a url, and opens it; an ElicitResult without content
 * @property {Asker} [sample] asks a model; a CreateMessageResult
 * @property {boolean} [sampleTools] the server may ask the `sample` beside it for tools
 * @property {Asker} [listRoots] a ListRootsResult
 * @property {Asker} [authorize]
 *   signs in because the server wants authorization over HTTP; an object, in which
 *   `account` may name the account. Then what was refused goes out again, with what
 *   the transport's `authorization` says by then. The question's `params` have the
 *   `status`, the `challenge` as it came, and `error`, `scope` and
 *   `resource_metadata` where it says them; "./oauth" has such an asker
 * @property {boolean} [tasks]
 *   lets the server make a task of a `tools/call`, which is polled until it
 *   ends: the extension `io.modelcontextprotocol/tasks` is declared
 * @property {boolean} [anyForm]
 *   the `elicit` beside it draws forms itself that Parley cannot read, such as one with a list of objects, from the
 *   `requestedSchema` in the question's `params`. Of the answer to such a form only the shape is checked
 * @property {boolean} [fill] accepted forms get the schema's defaults where an answer leaves fields out
 */

/** What askers can do, in the engine's words. */
const abilities = /** @type {const} */ ([["form", "elicit"], ["url", "elicitURL"], ["sampling", "sample"], ["samplingTools", "sampleTools"], ["roots", "listRoots"], ["tasks", "tasks"], ["authorize", "authorize"]])

/** What can be answered. @param {Askers} askers */
export function can(askers) {
  /** @type {Can} */
  const said = {}
  for (const [ability, name] of abilities) if (askers[name]) said[ability] = true
  if (askers.anyForm && askers.elicit) said.anyForm = true
  return said
}

/** Which asker a question is for. @param {Ask} ask */
export function asker({ kind, mode }) {
  if (kind === "authorize") return "authorize"
  if (kind === "sampling/createMessage") return "sample"
  if (kind === "roots/list") return "listRoots"
  return mode === "url" ? "elicitURL" : "elicit"
}
