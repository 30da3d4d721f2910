// One field of a form as a step. What a value has to be, and whether it is, the
// engine says, at every keystroke.

import { choices, complaint, given, hint, takenOut, titleOf, typedOf } from "../../kit/field.js"
import { hasHidden, stripped } from "../../kit/plain.js"
import { elements, string } from "../../kit/raw-json.js"
import { line } from "./shown.js"
import { BACK } from "./leaving.js"

/** @import { Field, FormField } from "@parley-mcp/parley" */
/** @import { Filling } from "../../kit/field.js" */
/** @import { QuickPickItem } from "vscode" */
/** @import { Place, Sheet } from "./question-sheet.js" */

/** What was given so far: `value` is JSON text, empty to leave the field out; `typed` is text that is not yet one, or JSON text of what is ticked. @typedef {{value?: string, typed?: string}} Draft */

/** What was filled in so far, by the names of fields. @typedef {Map<string, Draft>} Drafts */

/** An item of a list and the value it stands for, as JSON text; empty to leave the field out. @typedef {QuickPickItem & {value: string}} Item */

/** @param {Drafts} drafts @param {Pick<Field, "name">} field */
export function draftOf(drafts, { name }) {
  const draft = drafts.get(name) ?? {}
  drafts.set(name, draft)
  return draft
}

/**
 * Asks for one field. False if the person goes back; what they have typed stays
 * in the draft.
 *
 * @param {Filling} filling gets the value
 * @param {FormField} field of it
 * @param {Draft} draft gets the value, too; where it has none, what the field starts from counts
 * @param {Sheet} sheet
 * @param {Place} place
 * @returns {Promise<boolean>}
 */
export async function askField(filling, field, draft, sheet, place) {
  if ((await fill(filling, field, draft, sheet, place)) === BACK) return false
  draft.value = given(field, filling.accept())
  draft.typed = undefined
  return true
}

/** Gives a value to a field, or leaves the field out. @param {Filling} filling @param {FormField} field @param {string} value JSON text, or empty */
function put(filling, field, value) {
  return value ? filling.choose(field, value) : filling.enter(field, "")
}

/** @param {Filling} filling @param {FormField} field @param {Draft} draft @param {Sheet} sheet @param {Place} place */
async function fill(filling, field, draft, sheet, place) {
  const initial = draft.value ?? field.initial ?? ""
  const complain = (/** @type {string | undefined} */ problem) => problem && line(complaint(field, problem), 400)
  switch (field.kind) {
    case "boolean":
    case "choice": {
      const picked = await pickOne(field, initial, sheet, place)
      return picked === BACK ? BACK : put(filling, field, picked)
    }
    case "choices": {
      const items = itemsOf(field)
      const start = elements(draft.typed ?? initial).map(string)
      const listed = (/** @type {Item[]} */ chosen) => `[${chosen.map(({ value }) => value).join(",")}]`
      const list = (/** @type {Item[]} */ chosen) => put(filling, field, chosen.length ? listed(chosen) : "")
      const picked = await sheet.pickSome({
        ...place,
        prompt: about(field),
        placeholder: "Tick what is to be sent, then press Enter",
        items,
        picked: items.filter(({ value }) => start.includes(string(value))),
        onTick: (chosen) => (draft.typed = listed(chosen)),
        check: (chosen) => complain(list(chosen)),
      })
      return picked === BACK ? BACK : list(picked)
    }
  }
  const whole = typedOf(initial)
  const start = stripped(whole).replaceAll("\n", " ")
  const text = (/** @type {string} */ typed) => (initial && typed === whole ? filling.choose(field, initial) : filling.enter(field, typed)) // as it came
  const typed = await sheet.input({
    ...place,
    prompt: [about(field), hasHidden(whole) ? takenOut : ""].filter(Boolean).join(" "),
    placeholder: field.required || field.default ? undefined : "Leave it empty to leave it out",
    value: draft.typed ?? start,
    check(typed) {
      draft.typed = typed
      return complain(text(typed))
    },
  })
  return typed === BACK ? BACK : text(typed)
}

/** What a field is about: its title, what the server says of it, and what goes into it in our words. @param {Field} field */
export function about(field) {
  const optional = field.required ? "" : " (optional)"
  const text = [`${line(titleOf(field), 120)}${optional}`, field.description ? line(field.description, 500) : "", hint(field)].filter(Boolean)
  return line(text.join(" — "), 900)
}

/** @param {Field} field @param {string} initial @param {Sheet} sheet @param {Place} place */
async function pickOne(field, initial, sheet, place) {
  const items = itemsOf(field)
  const all = field.required ? items : [...items, leaveOut]
  const active = all.find(({ value }) => value === initial)
  const picked = await sheet.pick({ ...place, prompt: about(field), placeholder: "Choose one", items: all, active })
  return picked === BACK ? BACK : picked.value
}

/** @type {Item} */
const leaveOut = { label: "$(dash) Leave it out", description: "Nothing is sent for this", value: "" }

/** @param {Field} field @returns {Item[]} */
function itemsOf(field) {
  return choices(field).map(({ value, label }) => ({ value, label: line(label, 120) }))
}
