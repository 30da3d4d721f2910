// The arguments of a call, asked for one after the other.

import { argumentFields, jsonProblem, paramsOf } from "../../page/src/argument-fields.js"
import { object, string } from "../../page/src/raw-json.js"
import { askField } from "./field.js"
import { BACK } from "./leaving.js"

/** @import { Engine, Field } from "@parley-mcp/parley" */
/** @import { Offer } from "../../page/src/server.js" */
/** @import { Draft } from "./field.js" */
/** @import { Sheet } from "./question-sheet.js" */

/**
 * Asks for the arguments of what a server offers and returns the params of the
 * request, JSON text.
 *
 * @param {Engine} engine @param {Offer} offer @param {Sheet} sheet
 * @returns {Promise<string | typeof BACK>} back from the first step
 */
export async function askArguments(engine, { method, name, schema }, sheet) {
  const { schema: asked, fields, json } = argumentFields(engine, schema)
  /** @type {Draft[]} */
  const drafts = fields.map(() => ({}))
  for (let i = 0; i < fields.length; ) {
    const [field, draft] = [/** @type {Field} */ (fields[i]), /** @type {Draft} */ (drafts[i])]
    const place = { step: i + 1, total: fields.length, back: true }
    if (await askField(checking(engine, json), asked, field, draft, sheet, place)) i++
    else if (i-- === 0) return BACK
  }
  const values = fields.flatMap(({ name }, i) => {
    const value = drafts[i]?.value
    return value ? [{ name, value: json.has(name) ? (string(value) ?? "null") : value }] : []
  })
  return paramsOf(method, name, object(values))
}

/** The engine's check, and for what is typed as JSON one of our own. @param {Engine} engine @param {Set<string>} json @returns {Pick<Engine, "formCheck">} */
function checking(engine, json) {
  return {
    formCheck(check) {
      const checked = engine.formCheck(check)
      if (!json.has(check.field) || checked.problem) return checked
      const message = jsonProblem(string(checked.value) ?? "")
      return message === undefined ? checked : { problem: { property: check.field, message } }
    },
  }
}
