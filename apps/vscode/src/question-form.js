import { member, object, string } from "../../page/src/raw-json.js"
import { lines } from "../../page/src/words.js"
import { askField, title } from "./field.js"
import { line } from "./shown.js"
import { BACK, Left } from "./leaving.js"

/** @import { Engine, Field } from "@parley-mcp/parley" */
/** @import { QuickPickItem } from "vscode" */
/** @import { Drafts, Open } from "./desk.js" */
/** @import { Results } from "./results.js" */
/** @import { Sheet } from "./question-sheet.js" */

/** From how many characters on a message can be opened whole. */
const longMessage = 300

const decline = '{"action":"decline"}'

/**
 * A form: first what to do with it, then a step for each field, then a review
 * of what is about to be sent.
 *
 * @param {Engine} engine @param {Results} results @param {Open} open @param {Sheet} sheet
 * @returns {Promise<string>} the answer, JSON text
 */
export async function formQuestion(engine, results, { question, drafts, call }, sheet) {
  const { params = "{}", earlier } = question
  const schema = member(params, "requestedSchema") ?? "{}"
  const { fields = [] } = engine.form(schema)
  const message = string(member(params, "message")) ?? ""
  const total = fields.length + (fields.length ? 2 : 1)
  for (let step = 1; ; ) {
    if (step === 1) {
      const first = await begin(step, total)
      if (first === "decline") return decline
      if (!fields.length) return '{"action":"accept","content":{}}'
      step = earlier === undefined ? 2 : total
    } else if (step < total) {
      const field = /** @type {Field} */ (fields[step - 2])
      step += (await askField(engine, schema, field, draftOf(drafts, field), sheet, { step, total })) ? 1 : -1
    } else {
      const next = await review(fields, drafts, call.record.label, sheet, total)
      if (next === "decline") return decline
      if (next === "send") return `{"action":"accept","content":${contentOf(fields, drafts)}}`
      step = next
    }
  }

  /** @param {number} step @param {number} total */
  async function begin(step, total) {
    const server = line(call.record.label, 60)
    const respond = fields.length
      ? { label: "$(edit) Respond", description: earlier === undefined ? `${fields.length} ${fields.length === 1 ? "field" : "fields"}, then a review` : "What you filled in before is there again", does: "respond" }
      : { label: "$(check) Say yes", does: "respond" }
    /** @type {(QuickPickItem & {does?: string, how?: "park" | "stop"})[]} */
    const items = [respond, { label: "$(circle-slash) Decline", description: `${server} is told no`, does: "decline" }, ...sheet.ways]
    const long = message.length > longMessage || message.includes("\n")
    if (long) items.push({ label: "$(go-to-file) Read the whole question", does: "read" })
    for (;;) {
      const prompt = line(`${server} asks: ${line(message, longMessage)}`, 2000)
      const picked = await sheet.pick({ step, total, prompt, placeholder: "Respond, or decline. Esc cancels the question.", items })
      if (picked === BACK || picked.does === "respond") return "respond"
      if (picked.how) throw new Left(picked.how)
      if (picked.does === "decline") return "decline"
      await results.read(`Question of ${call.record.label}`, message)
    }
  }
}

/**
 * What is about to be sent. A field that is chosen is changed.
 *
 * @param {Field[]} fields @param {Drafts} drafts @param {string} server @param {Sheet} sheet @param {number} total
 * @returns {Promise<"send" | "decline" | number>} or the step to go to
 */
async function review(fields, drafts, server, sheet, total) {
  const shown = lines(fields.map((field) => ({ field, value: draftOf(drafts, field).value ?? "" })))
  /** @type {(QuickPickItem & {does: "send" | "decline" | number})[]} */
  const items = [
    { label: `$(arrow-right) Send to ${line(server, 60)}`, does: "send" },
    { label: "$(circle-slash) Decline", does: "decline" },
    ...shown.map(({ value }, i) => ({
      label: line(title(/** @type {Field} */ (fields[i])), 80),
      description: line(value, 200),
      detail: "Choose to change",
      does: i + 2,
    })),
  ]
  const picked = await sheet.pick({ step: total, total, prompt: `This is what ${line(server, 60)} gets.`, placeholder: "Send it, or choose what to change", items })
  return picked === BACK ? total - 1 : picked.does
}

/** @param {Field[]} fields @param {Drafts} drafts */
function contentOf(fields, drafts) {
  return object(
    fields.flatMap((field) => {
      const { value } = draftOf(drafts, field)
      return value ? [{ name: field.name, value }] : []
    }),
  )
}

/** @param {Drafts} drafts @param {Field} field */
function draftOf(drafts, { name }) {
  const draft = drafts.get(name) ?? {}
  drafts.set(name, draft)
  return draft
}
