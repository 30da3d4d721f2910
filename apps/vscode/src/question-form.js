import { furtherHint } from "../../shared-js/field.js"
import { declined, dismissed, says } from "../../shared-js/question.js"
import { count, lines, shownOnly } from "../../shared-js/words.js"
import { askField, draftOf } from "./field.js"
import { line } from "./shown.js"
import { BACK, Left } from "./leaving.js"

/** @import { Engine, FormField } from "@parley-mcp/parley" */
/** @import { Filling } from "../../shared-js/field.js" */
/** @import { QuickPickItem } from "vscode" */
/** @import { Open } from "./desk.js" */
/** @import { Drafts } from "./field.js" */
/** @import { Results } from "./results.js" */
/** @import { Sheet } from "./question-sheet.js" */

/** From how many characters on a message can be opened whole. */
const longMessage = 300

/**
 * A form: first what to do with it, then a step for each field, then a review
 * of what is about to be sent.
 *
 * @param {Engine} engine @param {Results} results @param {Open} open @param {Sheet} sheet
 * @returns {Promise<string>} the answer, JSON text
 */
export async function formQuestion(engine, results, open, sheet) {
  const { question, drafts, call } = open
  const { earlier } = question
  const filling = engine.questionForm(question)
  const fields = filling.fields.filter(({ readOnly }) => !readOnly)
  const more = furtherHint({ unchecked: filling.unchecked })
  const only = filling.fields.filter(({ readOnly }) => readOnly).map(shownOnly).map(({ label, value }) => `${label}: ${value}`)
  const message = says(question)
  const total = fields.length + (fields.length ? 2 : 1)
  for (let step = 1; ; ) {
    if (step === 1) {
      const first = await begin(step, total)
      if (first !== "respond") return first
      if (!fields.length) return filling.accept()
      step = open.at ?? (earlier === undefined ? 2 : total)
      continue
    }
    open.at = step
    if (step < total) {
      const field = /** @type {FormField} */ (fields[step - 2])
      step += (await askField(filling, field, draftOf(drafts, field), sheet, { step, total })) ? 1 : -1
    } else {
      const answer = answerOf(engine.questionForm(question), drafts)
      const next = await review(fields, answer, call.record.server, sheet, total, more)
      if (next === "send") return answer
      if (typeof next === "string") return next
      step = next
    }
  }

  /** What to do with it: "respond", or what to answer. @param {number} step @param {number} total */
  async function begin(step, total) {
    const server = line(call.record.server, 60)
    const begun = earlier !== undefined || open.at !== undefined
    const respond = fields.length
      ? { label: "$(edit) Respond", description: begun ? "What you filled in before is there again" : `${count(fields.length, "field")}, then a review`, does: "respond" }
      : { label: "$(check) Yes", does: "respond" }
    /** @type {(QuickPickItem & {does?: string, how?: "park" | "stop"})[]} */
    const items = [respond, ...refusals(server), ...sheet.ways]
    const long = message.length > longMessage || message.includes("\n")
    if (long) items.push({ label: "$(go-to-file) Read the whole question", does: "read" })
    for (;;) {
      const prompt = line([`${server} asks: ${line(message, longMessage)}`, ...only.map((one) => line(one, 200)), more].filter(Boolean).join(" — "), 2000)
      const picked = await sheet.pick({ step, total, prompt, placeholder: "Respond, or decline. Esc puts the question aside.", items })
      if (picked === BACK || picked.does === "respond") return "respond"
      if (picked.how) throw new Left(picked.how)
      if (picked.does !== "read") return String(picked.does)
      await results.read(`Question of ${call.record.server}`, [message, ...only].join("\n\n"))
    }
  }
}

/**
 * What is about to be sent. A field that is chosen is changed.
 *
 * @param {FormField[]} fields @param {string} answer @param {string} server @param {Sheet} sheet @param {number} total
 * @param {string} more what only the server checks
 * @returns {Promise<string | number>} "send", what else to answer, or the step to go to
 */
async function review(fields, answer, server, sheet, total, more) {
  const shown = lines(fields, answer)
  /** @type {(QuickPickItem & {does: string | number})[]} */
  const items = [
    { label: `$(arrow-right) Send to ${line(server, 60)}`, does: "send" },
    ...refusals(line(server, 60)),
    ...shown.map(({ label, value }, i) => ({
      label: line(label, 80),
      description: line(value, 200),
      detail: "Choose to change",
      does: i + 2,
    })),
  ]
  const picked = await sheet.pick({ step: total, total, prompt: [`This is what ${line(server, 60)} gets.`, more].filter(Boolean).join(" "), placeholder: "Send it, or choose what to change", items })
  return picked === BACK ? total - 1 : picked.does
}

/** How a question is answered without what it asks for. @param {string} server its name, to be shown */
export function refusals(server) {
  return [
    { label: "$(circle-slash) Decline", description: `${server} is told no`, does: declined },
    { label: "$(close) Dismiss", description: `${server} is told that you closed it without choosing`, does: dismissed },
  ]
}

/** What was given, without what was typed and left. @param {Filling} filling that is empty @param {Drafts} drafts */
function answerOf(filling, drafts) {
  for (const field of filling.fields) {
    const { value } = draftOf(drafts, field)
    if (value) filling.choose(field, value)
  }
  return filling.accept()
}
