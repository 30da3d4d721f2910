import { formQuestion } from "./question-form.js"
import { rootsQuestion } from "./question-roots.js"
import { sampleQuestion } from "./question-sample.js"
import { signInQuestion } from "./question-sign-in.js"
import { urlQuestion } from "./question-url.js"

/** @import { Engine } from "@parley-mcp/parley" */
/** @import { Accounts } from "./accounts.js" */
/** @import { Calls } from "./calls.js" */
/** @import { CallView } from "./call-view.js" */
/** @import { CallRecord, OpenQuestion } from "./record.js" */
/** @import { Desk, QuestionView } from "./question-card.js" */
/** @import { Records } from "./records.js" */
/** @import { Settings } from "./settings.js" */

/**
 * What the views share.
 *
 * @typedef {object} Context
 * @property {Engine} engine
 * @property {Calls} calls
 * @property {Records} records
 * @property {Settings} settings
 * @property {Accounts} accounts
 * @property {(call: CallView, question: QuestionView) => void} arrived a question is new on the page
 */

/** The view of a question of a call, by its kind. @param {Context} context @param {CallRecord} call @param {OpenQuestion} question @param {Desk} desk @returns {QuestionView} */
export function view({ engine, calls, settings, accounts }, { id, address }, question, desk) {
  if (question.kind === "authorize") return signInQuestion(calls.isElsewhere(id) ? undefined : accounts.signingIn(address), question, desk)
  if (question.kind === "sampling/createMessage") return sampleQuestion(settings.sampler, question, desk)
  if (question.kind === "roots/list") return rootsQuestion(settings, question, desk)
  return question.mode === "url" ? urlQuestion(question, desk) : formQuestion(engine, question, desk)
}
