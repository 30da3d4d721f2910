import { t } from "../../shared-js/language.js"
import { messages } from "../../shared-js/prompt.js"
import { pageOf, says } from "../../shared-js/question.js"
import { elements, member, string } from "../../shared-js/raw-json.js"
import { scopesTitle, wanted } from "../../shared-js/sign-in.js"
import { lines } from "../../shared-js/words.js"
import { modelLabel } from "./sampler.js"

/** @import { Engine, Question } from "@parley-mcp/parley" */
/** @import { OpenQuestion, Turn } from "./record.js" */
/** @import { Line } from "../../shared-js/words.js" */

/**
 * A question and its answer, as they are read later: whoever gave the answer,
 * in whichever tab.
 *
 * @param {Engine} engine
 * @param {OpenQuestion} question
 * @param {string} raw the answer, JSON text
 * @returns {Turn}
 */
export function turnOf(engine, question, raw) {
  const { kind, params = "{}" } = question
  const turn = { type: /** @type {const} */ ("answered"), kind }
  if (kind === "sampling/createMessage") {
    return { ...turn, said: messages(params).at(-1)?.text ?? "", did: t`You answered`, lines: sampled(raw) }
  }
  if (kind === "roots/list") {
    const roots = elements(member(raw, "roots") ?? "[]").map((root) => ({
      label: string(member(root, "name")) ?? t`Folder`,
      value: string(member(root, "uri")) ?? root,
    }))
    return { ...turn, said: "", did: roots.length === 0 ? t`You shared no folders` : roots.length === 1 ? t`You shared 1 folder` : t`You shared ${roots.length} folders`, lines: roots }
  }
  const said = says(question)
  const action = string(member(raw, "action"))
  if (action === "decline") return { ...turn, said, did: t`You declined` }
  if (action === "cancel") return { ...turn, said, did: t`You dismissed it` }
  if (question.mode === "url") {
    return {
      ...turn,
      said,
      did: question.repeat ? t`You said that you are done there` : t`You agreed to open the page`,
      lines: question.repeat ? undefined : [{ label: t`Address`, value: pageOf(question) }],
    }
  }
  const { fields } = engine.questionForm(question)
  return {
    ...turn,
    said,
    did: fields.some(({ readOnly }) => !readOnly) ? t`You answered` : t`You said yes`,
    lines: lines(fields, raw),
  }
}

/** A sign-in, as it is read later. @param {Question} question @returns {Turn} */
export function signedIn(question) {
  const { status, scopes } = wanted(question)
  return { type: "answered", kind: question.kind, said: "", did: status === 403 ? t`You allowed more` : t`You signed in`, lines: scopes.length ? [{ label: scopesTitle, value: scopes.join(", ") }] : [] }
}

/** A CreateMessageResult in words. @param {string} raw @returns {Line[]} */
function sampled(raw) {
  const text = string(member(member(raw, "content") ?? "{}", "text")) ?? ""
  return [{ label: t`Answer by ${modelLabel(string(member(raw, "model")) ?? t`a model`)}`, value: text }]
}
