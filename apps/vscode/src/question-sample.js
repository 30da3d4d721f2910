import { messages } from "../../shared-js/prompt.js"
import { person, sampled } from "../../shared-js/question.js"
import { models, say } from "./model.js"
import { line } from "./shown.js"
import { BACK, Left } from "./leaving.js"

/** @import { LanguageModelChat, QuickPickItem } from "vscode" */
/** @import { Open } from "./desk.js" */
/** @import { Results } from "./results.js" */
/** @import { Sheet } from "./question-sheet.js" */

/** What can be done with a prompt. @typedef {QuickPickItem & {model?: LanguageModelChat, does?: "write", how?: "park" | "stop"}} Way */

/**
 * A prompt for a model. The person sees it first, allows it, and sees what the
 * model says before the server does.
 *
 * @param {Results} results @param {Open} open @param {Sheet} sheet
 * @returns {Promise<string>} the answer, JSON text
 */
export async function sampleQuestion(results, open, sheet) {
  const { question, call } = open
  const { params = "{}" } = question
  const server = line(call.record.server, 60)
  const available = await models()
  await results.read(`Prompt of ${call.record.server}`, promptText(params), true)
  for (;;) {
    if (open.said) {
      const answer = await review(open.said)
      if (answer !== BACK) return answer
      open.said = undefined
    }
    /** @type {Way[]} */
    const items = [
      ...available.map((model) => ({ label: `$(sparkle) Give it to ${line(model.name, 60)}`, description: line(`${model.vendor}, ${model.family}`, 80), model })),
      { label: "$(edit) Write the answer myself", does: "write" },
      ...sheet.ways,
    ]
    const prompt = line(`${server} wants a model’s answer to the prompt that is open in the editor. Nothing goes to a model before you say so.`, 600)
    const picked = await sheet.pick({ step: 1, total: 2, prompt, placeholder: "Who is to answer?", items })
    if (picked === BACK) continue
    if (picked.how) throw new Left(picked.how)
    try {
      const { model } = picked
      const name = model?.name ?? person
      const text = model ? await say(model, params, sheet.signal) : ""
      open.said = { name, text }
      sheet.trouble = ""
    } catch (error) {
      if (error instanceof Left) throw error
      if (sheet.signal.aborted) throw sheet.signal.reason
      sheet.trouble = `${picked.model?.name ?? "The model"} gave no answer: ${line(error instanceof Error ? error.message : String(error), 300)}. `
    }
  }

  /** @param {NonNullable<Open["said"]>} said */
  async function review(said) {
    const { name, text } = said
    if (text) {
      await results.read(`Answer of ${name}`, text, true)
      const items = [
        { label: `$(arrow-right) Send to ${line(server, 60)}`, does: "send" },
        { label: "$(edit) Change it", does: "change" },
      ]
      const picked = await sheet.pick({ step: 2, total: 2, prompt: line(`${name} says: ${line(text, 400)}`, 600), placeholder: "The server gets nothing before you send it", items })
      if (picked === BACK) return BACK
      if (picked.does === "send") return sampled(name, text, text)
    }
    const written = await sheet.input({
      step: 2,
      total: 2,
      prompt: text ? `What ${line(name, 60)} says, as you change it` : "Your answer, in place of a model’s",
      value: said.written ?? text.replaceAll(/\s*\n\s*/g, " "),
      check(typed) {
        said.written = typed
        return typed.trim() ? undefined : "Write what the model would say."
      },
    })
    if (written === BACK) return BACK
    return sampled(name, text, written)
  }
}

/** @param {string} params */
function promptText(params) {
  return messages(params)
    .map(({ who, text }) => `${who}:\n${text}`)
    .join("\n\n")
}
