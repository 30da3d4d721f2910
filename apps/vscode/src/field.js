// One field of a form as a step. What a value has to be, and whether it is, the
// engine says, at every keystroke.

import { choices, complaint, given, hint, leftToDefault, needed, nothing, takenOut, titleOf, typedOf, types } from "../../shared-js/field.js"
import { hasHidden, stripped } from "../../shared-js/plain.js"
import { elements } from "../../shared-js/raw-json.js"
import { line } from "./shown.js"
import { fillList } from "./field-list.js"
import { BACK } from "./leaving.js"

/** @import { Field, FormField } from "@parley-mcp/parley" */
/** @import { Filling } from "../../shared-js/field.js" */
/** @import { QuickPickItem } from "vscode" */
/** @import { Place, Sheet } from "./question-sheet.js" */

/**
 * What was given so far: `value` is JSON text, empty to leave the field out; `typed` is text that is not yet one, JSON text
 * of what is ticked, or the values of a list on a line each; `alternative` is the index of the type that was picked.
 *
 * @typedef {{value?: string, typed?: string, alternative?: number}} Draft
 */

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
  const { alternatives = [] } = field
  if (field.kind !== "union") return fillOne(filling, field, draft, sheet, place)
  for (;;) {
    const start = draft.alternative ?? (draft.value === "" ? undefined : field.alternative)
    const items = types(field).map(({ value, label }) => ({ value, label: line(label, 120) }))
    const picked = await pickOne(field, items, start === undefined ? "" : String(start), sheet, place, "What kind of value?")
    if (picked === BACK) return BACK
    if (picked === "") {
      draft.alternative = undefined
      return put(filling, field, "")
    }
    const alternative = Number(picked)
    const of = alternatives[alternative]
    if (alternative !== start) Object.assign(draft, { value: undefined, typed: undefined }) // another type starts anew
    draft.alternative = alternative
    if (!of || (await fillOne(filling, of, draft, sheet, { ...place, back: true }, alternative)) !== BACK) return
  }
}

/** @param {Filling} filling @param {FormField} field @param {Draft} draft @param {Sheet} sheet @param {Place} place @param {number} [alternative] which the field is, of several types */
async function fillOne(filling, field, draft, sheet, place, alternative) {
  const initial = (draft.value === "null" ? "" : draft.value) ?? field.initial ?? ""
  const complain = (/** @type {string | undefined} */ problem) => problem && line(complaint(field, problem), 400)
  switch (field.kind) {
    case "boolean":
    case "choice": {
      const picked = await pickOne(field, itemsOf(field), initial, sheet, place)
      return picked === BACK ? BACK : put(filling, field, picked)
    }
    case "choices": {
      const items = itemsOf(field)
      const start = elements(draft.typed ?? initial)
      const listed = (/** @type {Item[]} */ chosen) => `[${chosen.map(({ value }) => value).join(",")}]`
      const list = (/** @type {Item[]} */ chosen) => put(filling, field, chosen.length ? listed(chosen) : "")
      const picked = await sheet.pickSome({
        ...place,
        prompt: about(field),
        placeholder: "Tick what is to be sent, then press Enter",
        items,
        picked: items.filter(({ value }) => start.includes(value)),
        onTick: (chosen) => (draft.typed = listed(chosen)),
        check: (chosen) => complain(list(chosen)),
      })
      return picked === BACK ? BACK : list(picked)
    }
    case "list":
      return fillList(filling, field, draft, initial, sheet, place, alternative)
  }
  const whole = typedOf(initial)
  const start = stripped(whole).replaceAll("\n", " ")
  const text = (/** @type {string} */ typed) => (initial && typed === whole ? filling.choose(field, initial) : filling.enter(field, typed, typed ? alternative : undefined)) // as it came
  const typed = await sheet.input({
    ...place,
    prompt: [about(field), hasHidden(whole) ? takenOut : ""].filter(Boolean).join(" "),
    placeholder: needed(field) ? undefined : whenEmpty(field),
    value: draft.typed ?? start,
    check(typed) {
      draft.typed = typed
      return complain(text(typed))
    },
  })
  return typed === BACK ? BACK : text(typed)
}

/** What comes of a field that is left empty. @param {FormField} field */
function whenEmpty(field) {
  if (field.default !== undefined && !field.nullable) return leftToDefault
  return field.nullable ? "It may be left empty" : "Leave it empty to leave it out"
}

/** What a field is about: its title, what the server says of it, and what goes into it in our words. @param {FormField} field */
export function about(field) {
  const optional = needed(field) ? "" : " (optional)"
  const text = [`${line(titleOf(field), 120)}${optional}`, field.description ? line(field.description, 500) : "", line(hint(field), 600)].filter(Boolean)
  return line(text.join(" — "), 1200)
}

/** @param {FormField} field @param {Item[]} items @param {string} initial @param {Sheet} sheet @param {Place} place @param {string} [placeholder] */
async function pickOne(field, items, initial, sheet, place, placeholder = "Choose one") {
  const all = needed(field) ? items : [...items, { label: `$(dash) ${nothing(field)}`, description: whenLeft(field), value: "" }]
  const active = all.find(({ value }) => value === initial)
  const picked = await sheet.pick({ ...place, prompt: about(field), placeholder, items: all, active })
  return picked === BACK ? BACK : picked.value
}

/** What comes of choosing nothing. @param {FormField} field */
function whenLeft(field) {
  if (field.default !== undefined && !field.nullable) return "Nothing is sent for this: the server may use its default"
  return field.required || (field.nullable && field.default !== undefined) ? "The server is told that there is none" : "Nothing is sent for this"
}

/** @param {FormField} field @returns {Item[]} */
function itemsOf(field) {
  return choices(field).map(({ value, label }) => ({ value, label: line(label, 120) }))
}
