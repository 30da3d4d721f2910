// The values of a list: each is typed in a step of its own, and chosen to be
// changed or taken away.

import { complaint, takenOut, typedOf } from "../../shared-js/field.js"
import { hasHidden, stripped } from "../../shared-js/plain.js"
import { elements } from "../../shared-js/raw-json.js"
import { about } from "./field.js"
import { BACK } from "./leaving.js"
import { line } from "./shown.js"

/** @import { FormField } from "@parley-mcp/parley" */
/** @import { Filling } from "../../shared-js/field.js" */
/** @import { Draft } from "./field.js" */
/** @import { Place, Sheet } from "./question-sheet.js" */

/** A problem of a list that is not whole yet. */
const tooFew = 16

/**
 * @param {Filling} filling gets the values @param {FormField} field @param {Draft} draft @param {string} initial JSON text, or empty
 * @param {Sheet} sheet @param {Place} place @param {number} [alternative] which the field is, of several types
 */
export async function fillList(filling, field, draft, initial, sheet, place, alternative) {
  const whole = elements(initial || "[]").map(typedOf)
  const start = whole.map((value) => stripped(value).replaceAll("\n", " "))
  let values = draft.typed?.split("\n").filter(Boolean) ?? start
  let trouble = whole.some(hasHidden) ? takenOut : ""
  const enter = (/** @type {string[]} */ all) =>
    initial && all.join("\n") === whole.join("\n") ? filling.choose(field, initial) : filling.enter(field, all.join("\n"), all.length ? alternative : undefined)
  const put = (/** @type {string[]} */ all) => {
    values = all.filter((value) => value.trim() !== "")
    draft.typed = values.join("\n")
  }
  for (;;) {
    const items = [
      { label: "$(check) Done", description: values.length === 1 ? "1 value" : `${values.length} values`, at: -2 },
      { label: "$(add) Add a value", at: -1 },
      ...values.map((value, at) => ({ label: line(value, 120), description: `Value ${at + 1}`, detail: "Choose to change or remove", at })),
    ]
    const prompt = [about(field), trouble && `⚠ ${trouble}`].filter(Boolean).join(" ")
    const picked = await sheet.pick({ ...place, prompt, placeholder: "Add values, then choose Done", items, active: items[values.length ? 0 : 1] })
    if (picked === BACK) return BACK
    trouble = ""
    if (picked.at === -2) {
      const problem = enter(values)
      if (problem === undefined) return
      trouble = line(complaint(field, problem), 400)
      continue
    }
    const at = picked.at < 0 ? values.length : picked.at
    const others = (/** @type {string} */ typed) => [...values.slice(0, at), typed, ...values.slice(at + 1)]
    const typed = await sheet.input({
      ...place,
      back: true,
      prompt: `${about(field)} Value ${at + 1}.`,
      placeholder: picked.at < 0 ? undefined : "Leave it empty to remove it",
      value: values[at] ?? "",
      check(typed) {
        const problem = enter(others(typed).filter((value) => value.trim() !== ""))
        return problem === undefined || filling.problemOf(field)?.code === tooFew ? undefined : line(complaint(field, problem), 400)
      },
    })
    if (typed !== BACK) put(others(typed))
  }
}
