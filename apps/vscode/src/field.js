// One field of a form as a step. What a value has to be, and whether it is, the
// engine says, at every keystroke.

import { hasHidden, stripped } from "../../page/src/plain.js"
import { elements, string } from "../../page/src/raw-json.js"
import { line } from "./shown.js"
import { BACK } from "./leaving.js"

/** @import { Engine, Field } from "@parley-mcp/parley" */
/** @import { QuickPickItem } from "vscode" */
/** @import { Place, Sheet } from "./question-sheet.js" */

/** What was given so far: `value` is JSON text, empty to leave the field out; `typed` is text that is not yet one. @typedef {{value?: string, typed?: string}} Draft */

/** An item of a list and the value it stands for, as JSON text; empty to leave the field out. @typedef {QuickPickItem & {value: string}} Choice */

/**
 * Asks for one field. False if the person goes back; what they have typed stays
 * in the draft.
 *
 * @param {Pick<Engine, "formCheck">} engine
 * @param {string} schema the whole schema, JSON text as it came
 * @param {Field} field
 * @param {Draft} draft gets the value; where it is empty the default counts
 * @param {Sheet} sheet
 * @param {Place} place
 * @returns {Promise<boolean>}
 */
export async function askField(engine, schema, field, draft, sheet, place) {
  const value = await valueOf(engine, schema, field, draft, sheet, place)
  if (value === BACK) return false
  draft.value = value
  draft.typed = undefined
  return true
}

/**
 * @param {Pick<Engine, "formCheck">} engine @param {string} schema @param {Field} field
 * @param {Draft} draft @param {Sheet} sheet @param {Place} place
 */
async function valueOf(engine, schema, field, draft, sheet, place) {
  const initial = draft.value ?? (field.default !== undefined && fits(engine, schema, field, field.default) ? field.default : "")
  const check = { schema, field: field.name }
  switch (field.kind) {
    case "boolean":
    case "choice":
      return pickOne(field, initial, sheet, place)
    case "choices": {
      const items = choices(field)
      const picked = await sheet.pickSome({
        ...place,
        prompt: about(field),
        placeholder: "Tick what is to be sent, then press Enter",
        items,
        picked: items.filter(({ value }) => elements(initial || "[]").includes(value)),
        check: (chosen) => {
          if (leavesOut(field, chosen)) return
          return words(field, engine.formCheck({ ...check, value: listOf(chosen) }).problem?.message)
        },
      })
      if (picked === BACK) return BACK
      return leavesOut(field, picked) ? "" : listOf(picked)
    }
  }
  const start = startOf(initial)
  const read = (/** @type {string} */ typed) => {
    if (typed === start && initial !== "" && string(initial) === start) return { value: initial } // as it came
    const { value, problem } = engine.formCheck({ ...check, typed })
    return problem && typed.trim() === "" && !field.required ? { value: "" } : typed === "" && !field.required ? { value: "" } : { value, problem }
  }
  const typed = await sheet.input({
    ...place,
    prompt: [about(field), initial && hasHidden(string(initial) ?? "") ? "The suggested text has hidden characters; they were taken out." : ""].filter(Boolean).join(" "),
    placeholder: field.required ? undefined : "Leave it empty to leave it out",
    value: draft.typed ?? start,
    check(typed) {
      draft.typed = typed
      return words(field, read(typed).problem?.message)
    },
  })
  return typed === BACK ? BACK : (read(typed).value ?? "")
}

/** What a field is about: its title, what the server says of it, and what goes into it in our words. @param {Field} field */
export function about(field) {
  const optional = field.required ? "" : " (optional)"
  const text = [`${line(title(field), 120)}${optional}`, field.description ? line(field.description, 500) : "", hint(field)].filter(Boolean)
  return line(text.join(" — "), 900)
}

/** @param {Field} field @param {string} initial @param {Sheet} sheet @param {Place} place */
async function pickOne(field, initial, sheet, place) {
  const items = field.kind === "boolean" ? yesOrNo : choices(field)
  const all = field.required ? items : [...items, leaveOut]
  const active = all.find(({ value }) => value === initial)
  const picked = await sheet.pick({ ...place, prompt: about(field), placeholder: "Choose one", items: all, active })
  return picked === BACK ? BACK : picked.value
}

/** @type {Choice[]} */
const yesOrNo = [
  { label: "Yes", value: "true" },
  { label: "No", value: "false" },
]

/** @type {Choice} */
const leaveOut = { label: "$(dash) Leave it out", description: "Nothing is sent for this", value: "" }

/** @param {Field} field @returns {Choice[]} */
function choices({ options = [] }) {
  return options.map(({ value, title }) => ({
    label: line(title || value || "(empty)", 120),
    description: title && title !== value ? line(value, 80) : undefined,
    value: JSON.stringify(value),
  }))
}

/** @param {Choice[]} chosen */
function listOf(chosen) {
  return `[${chosen.map(({ value }) => value).join(",")}]`
}

/** Whether nothing chosen means that the field is left out. @param {Field} field @param {Choice[]} chosen */
function leavesOut({ required }, chosen) {
  return !required && chosen.length === 0
}

/** @param {Pick<Engine, "formCheck">} engine @param {string} schema @param {Field} field @param {string} value */
function fits(engine, schema, field, value) {
  return !engine.formCheck({ schema, field: field.name, value }).problem
}

/** What a box starts with. @param {string} initial JSON text */
function startOf(initial) {
  return initial.startsWith('"') ? stripped(string(initial) ?? "").replaceAll("\n", " ") : initial
}

/** @param {Field} field */
export function title(field) {
  return field.title || field.name
}

/** What is wrong, as a sentence. @param {Field} field @param {string | undefined} problem goes on after the title */
function words(field, problem) {
  return problem === undefined ? undefined : line(`${title(field)} ${problem}`, 400)
}

/** @type {Record<string, string>} */
const formats = {
  email: "An e-mail address.",
  uri: "An address, such as https://example.com/.",
  date: "A date, such as 2026-07-28.",
  "date-time": "A date and time, such as 2026-07-28T09:30:00Z.",
}

/** What goes into a field, in our own words. @param {Field} field */
function hint({ kind, format, minLength, maxLength, minimum, maximum, minItems, maxItems }) {
  switch (kind) {
    case "string":
      return format === undefined ? bounds("", minLength, maxLength, " characters") : (formats[format] ?? "")
    case "integer":
      return bounds("A whole number", minimum, maximum) || "A whole number."
    case "number":
      return bounds("A number", minimum, maximum) || "A number."
    case "choices":
      return bounds("Choose", minItems, maxItems) || "Choose any."
  }
  return ""
}

/** @param {string} what @param {string | number | undefined} least @param {string | number | undefined} most @param {string} [unit] */
function bounds(what, least, most, unit = "") {
  let range = ""
  if (least && most) range = least === most ? `exactly ${least}` : `${least} to ${most}`
  else if (least) range = `at least ${least}`
  else if (most) range = `at most ${most}`
  if (!range) return ""
  const text = `${what && `${what}${what === "Choose" ? " " : ", "}`}${range}${unit}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}
