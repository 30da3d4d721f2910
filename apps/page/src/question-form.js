import { el, newId } from "./element.js"
import { Form } from "./form.js"
import { button, cancel, decline, primary, QuestionCard, quote } from "./question-card.js"
import { member, members, string } from "./raw-json.js"
import { review } from "./review.js"
import { lines } from "./words.js"

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
  const params = question.params ?? "{}"
  const schema = member(params, "requestedSchema") ?? "{}"
  const { fields = [] } = engine.form(schema)
  const initial = new Map(members(question.earlier ?? "{}").map(({ name, value }) => [name, value]))
  const form = new Form(engine, schema, fields, { initial })
  if (question.draft) form.restore(/** @type {Drafts} */ (question.draft))

  const card = new QuestionCard(question, desk, { wants: "asks", name: "question" })
  const message = quote(string(member(params, "message")) ?? "")
  const refusals = { decline, cancel }
  const asking = el(
    "form",
    { novalidate: true, id: newId("form"), oninput: () => desk.keep(form.drafts), onsubmit },
    form.element,
  )

  /** @param {SubmitEvent} event */
  function onsubmit(event) {
    event.preventDefault()
    const checked = form.check()
    if (!checked) return
    const { element, heading } = review(`Send this to ${desk.server}?`, lines(checked.entries))
    card.body(message, element)
    card.offer(
      [
        primary("Send", () => desk.reply(`{"action":"accept","content":${checked.content}}`)),
        button("Change", () => {
          fillIn()
          form.focus()
        }),
      ],
      refusals,
    )
    heading.focus()
  }

  function fillIn() {
    card.body(question.earlier && el("p", { class: "tip" }, "Filled in with what you answered before."), el("div", { class: "quoted" }, message, asking))
    const next = primary("Review answer")
    next.setAttribute("form", asking.id)
    card.offer([next], refusals)
  }

  if (fields.length) {
    fillIn()
  } else {
    card.body(message)
    card.offer([primary("Say yes", () => desk.reply('{"action":"accept","content":{}}'))], refusals)
  }
  return card
}
