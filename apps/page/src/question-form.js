import { t } from "../../shared-js/language.js"
import { says } from "../../shared-js/question.js"
import { lines } from "../../shared-js/words.js"
import { el, newId } from "./element.js"
import { Form } from "./form.js"
import { button, primary, QuestionCard, quote } from "./question-card.js"
import { review } from "./review.js"

/** @import { Engine } from "@parley-mcp/parley" */
/** @import { OpenQuestion } from "./record.js" */
/** @import { Desk, QuestionView } from "./question-card.js" */
/** @import { Drafts } from "./form.js" */

/**
 * A form to fill in, review and send.
 *
 * @param {Engine} engine
 * @param {OpenQuestion} question
 * @param {Desk} desk
 * @returns {QuestionView}
 */
export function formQuestion(engine, question, desk) {
  const filling = engine.questionForm(question)
  const form = new Form(filling)
  if (question.draft) form.restore(/** @type {Drafts} */ (question.draft))

  const card = new QuestionCard(question, desk, { wants: t`asks`, name: "question" })
  const message = quote(says(question))
  const asking = el(
    "form",
    { novalidate: true, id: newId("form"), oninput: () => desk.keep(form.drafts), onsubmit },
    form.element,
    form.keys && el("p", { class: "tip keys" }, form.keys),
  )

  /** @param {SubmitEvent} event */
  function onsubmit(event) {
    event.preventDefault()
    if (!form.check()) return
    const answer = filling.accept()
    const { element, heading } = review(t`Send this to ${desk.server}?`, lines(filling.fields, answer))
    card.body(message, element)
    card.offer(
      [
        primary(t`Send`, () => desk.reply(answer)),
        button(t`Change`, () => {
          fillIn()
          form.focus()
        }),
      ],
      true,
    )
    heading.focus()
  }

  function fillIn() {
    card.body(question.earlier && el("p", { class: "tip" }, t`Filled in with what you answered before.`), el("div", { class: "quoted" }, message, asking))
    const next = form.sentBy(primary(t`Review answer`))
    next.setAttribute("form", asking.id)
    card.offer([next], true)
  }

  if (filling.fields.some(({ readOnly }) => !readOnly)) {
    fillIn()
  } else {
    card.body(message, form.element)
    card.offer([primary(t`Yes`, () => desk.reply(filling.accept()))], true)
  }
  return card
}
