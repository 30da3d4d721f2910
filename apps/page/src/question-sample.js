import { t } from "../../shared-js/language.js"
import { messages, role } from "../../shared-js/prompt.js"
import { person, sampled } from "../../shared-js/question.js"
import { asSentence } from "../../shared-js/words.js"
import { announce } from "./announce.js"
import { el, newId } from "./element.js"
import { button, primary, quote, QuestionCard } from "./question-card.js"
import { modelLabel } from "./sampler.js"

/** @import { OpenQuestion } from "./record.js" */
/** @import { Desk, QuestionView } from "./question-card.js" */
/** @import { Sampler } from "./sampler.js" */

/**
 * A prompt for a model. The person sees it first, allows it, and sees what the
 * model says before the server does.
 *
 * @param {Sampler | undefined} sampler
 * @param {OpenQuestion} question
 * @param {Desk} desk
 * @returns {QuestionView}
 */
export function sampleQuestion(sampler, question, desk) {
  const params = question.params ?? "{}"
  const card = new QuestionCard(question, desk, { wants: t`wants a model’s answer`, name: "model" })
  const prompt = el(
    "div",
    { class: "prompt" },
    messages(params).map(({ who, text }) => quote(text, role(who))),
  )
  const written = /** @type {{text: string, said: string, model: string} | undefined} */ (question.draft)

  function consent() {
    card.body(prompt, sampler && el("p", { class: "tip" }, `${t`Nothing goes to ${sampler.label} before you say so.`} ${sampler.about}`))
    card.offer([sampler && primary(t`Give it to ${sampler.label}`, ask), (sampler ? button : primary)(t`Write the answer myself`, () => edit("", person))])
  }

  async function ask() {
    if (!sampler) return
    const { name: model, label: name } = sampler
    const stop = new AbortController()
    const waiting = el("p", { class: "working", tabindex: -1 }, t`${name} is thinking…`)
    card.body(prompt, waiting)
    card.offer([button(t`Never mind`, () => stop.abort())])
    waiting.focus()
    try {
      const said = await sampler.run(params, stop.signal)
      if (card.element.isConnected) edit(said, model)
    } catch (error) {
      if (!card.element.isConnected) return
      consent()
      if (!stop.signal.aborted) card.update(question, asSentence(t`${name} gave no answer: ${error instanceof Error ? error.message : String(error)}`))
      card.focus()
    }
  }

  /** @param {string} said by the model @param {string} model @param {string} [text] what the person has made of it */
  function edit(said, model, text = said) {
    const here = card.element.contains(document.activeElement)
    const input = el("textarea", {
      id: newId("answer"),
      rows: 4,
      oninput: () => desk.keep({ text: input.value, said, model }),
      onkeydown(/** @type {KeyboardEvent} */ event) {
        if (event.key !== "Enter" || event.isComposing || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        send()
      },
    })
    input.value = text
    const label = model === person ? t`Your answer, in place of a model’s` : t`What ${modelLabel(model)} says`
    const problem = el("p", { class: "problem", id: newId("problem"), hidden: true })
    input.setAttribute("aria-describedby", problem.id)
    card.body(prompt, el("div", { class: "field" }, el("label", { for: input.id }, label), input, problem))
    function send() {
      const answer = input.value.trim()
      problem.hidden = answer !== ""
      input.setAttribute("aria-invalid", String(answer === ""))
      problem.textContent = answer ? "" : t`Write what the model would say.`
      if (!answer) return input.focus()
      desk.reply(sampled(model, said, answer))
    }
    card.offer([
      primary(t`Send`, send),
      sampler && model !== person && button(t`Ask ${modelLabel(model)} again`, ask),
      button(t`Back`, () => {
        consent()
        card.focus()
      }),
    ])
    if (here) input.focus()
    else if (card.element.isConnected) announce(t`${modelLabel(model)} has answered.`)
  }

  if (written) edit(written.said, written.model, written.text)
  else consent()
  return card
}
