import { messages } from "../../kit/prompt.js"
import { pageOf, says } from "../../kit/question.js"
import { elements, member, string } from "../../kit/raw-json.js"
import { count, lines } from "../../kit/words.js"

/** @import { Engine } from "@parley-mcp/parley" */
/** @import { OpenQuestion, Turn } from "./record.js" */
/** @import { Line } from "../../kit/words.js" */

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
    return { ...turn, said: messages(params).at(-1)?.text ?? "", did: "answered", lines: sampled(raw) }
  }
  if (kind === "roots/list") {
    const roots = elements(member(raw, "roots") ?? "[]").map((root) => ({
      label: string(member(root, "name")) ?? "Folder",
      value: string(member(root, "uri")) ?? root,
    }))
    return { ...turn, said: "", did: roots.length ? `shared ${count(roots.length, "folder")}` : "shared no folders", lines: roots }
  }
  const said = says(question)
  const action = string(member(raw, "action"))
  if (action === "decline") return { ...turn, said, did: "declined" }
  if (action === "cancel") return { ...turn, said, did: "dismissed it" }
  if (question.mode === "url") {
    return {
      ...turn,
      said,
      did: question.repeat ? "said that you are done there" : "agreed to open the page",
      lines: question.repeat ? undefined : [{ label: "Address", value: pageOf(question) }],
    }
  }
  const { fields } = engine.questionForm(question)
  return {
    ...turn,
    said,
    did: fields.length ? "answered" : "said yes",
    lines: lines(fields, raw),
  }
}

/** A CreateMessageResult in words. @param {string} raw @returns {Line[]} */
function sampled(raw) {
  const text = string(member(member(raw, "content") ?? "{}", "text")) ?? ""
  return [{ label: `Answer by ${string(member(raw, "model")) ?? "a model"}`, value: text }]
}
