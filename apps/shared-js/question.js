// What a question says, and the results that answer it.

import { t } from "./language.js"
import { member, string } from "./raw-json.js"

/** @import { Question } from "./parley.js" */

/** Consent to open a page: what the person does there is between them and the page. */
export const accepted = '{"action":"accept"}'
export const declined = '{"action":"decline"}'
export const dismissed = '{"action":"cancel"}'

/** The name of the model where the person answers in its place. */
export const person = "a person"

/** What a question says, for a list: the server's text, or ours where it has none. @param {Pick<Question, "kind" | "params">} question */
export function says({ kind, params = "{}" }) {
  if (kind === "sampling/createMessage") return t`A model’s answer`
  if (kind === "roots/list") return t`Which folders may it work on?`
  if (kind === "authorize") return t`It wants you to sign in.`
  return string(member(params, "message")) ?? ""
}

/** The page that is to be opened: the engine let it through, plain ASCII, http or https. @param {Question} question */
export function pageOf({ params = "{}" }) {
  return string(member(params, "url")) ?? ""
}

/** What a host name made of other letters is to be met with. @param {string} host */
export function warning(host) {
  return t`“${host}” stands for letters beyond a to z: what a browser shows may look like another name. Open it only if you know it.`
}

/** A CreateMessageResult. @param {string} model what answered @param {string} said by it, empty if it was nobody @param {string} text as it is sent */
export function sampled(model, said, text) {
  const by = said.trim() && text.trim() !== said.trim() ? `${model}, changed by a person` : model
  return JSON.stringify({ role: "assistant", content: { type: "text", text }, model: by, stopReason: "endTurn" })
}

/** A ListRootsResult. @param {{uri: string, name: string}[]} roots */
export function shared(roots) {
  return JSON.stringify({ roots })
}
