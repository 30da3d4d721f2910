import { formQuestion } from "./question-form.js"
import { rootsQuestion } from "./question-roots.js"
import { sampleQuestion } from "./question-sample.js"
import { urlQuestion } from "./question-url.js"
import { member, string } from "./raw-json.js"

/** @import { Engine } from "@parley-mcp/parley" */
/** @import { Calls } from "./calls.js" */
/** @import { CallView } from "./call-view.js" */
/** @import { OpenQuestion } from "./record.js" */
/** @import { Desk, QuestionView } from "./question-card.js" */
/** @import { Settings } from "./settings.js" */

/**
 * What the views share.
 *
 * @typedef {object} Context
 * @property {Engine} engine
 * @property {Calls} calls
 * @property {Settings} settings
 * @property {(call: CallView, question: QuestionView) => void} arrived a question is new on the page
 */

/** The view of a question, by its kind. @param {Context} context @param {OpenQuestion} question @param {Desk} desk @returns {QuestionView} */
export function view({ engine, settings }, question, desk) {
  if (question.kind === "sampling/createMessage") return sampleQuestion(settings.sampler, question, desk)
  if (question.kind === "roots/list") return rootsQuestion(settings, question, desk)
  return question.mode === "url" ? urlQuestion(question, desk) : formQuestion(engine, question, desk)
}

/** What a question says, for a list: the server's text, or the page's where it has none. @param {OpenQuestion} question */
export function says({ kind, params = "{}" }) {
  if (kind === "sampling/createMessage") return "A model’s answer"
  if (kind === "roots/list") return "Which folders may it work on?"
  return string(member(params, "message")) ?? ""
}
