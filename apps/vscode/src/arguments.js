// The arguments of a call, asked for one after the other.

import { argumentFields } from "../../shared-js/argument-fields.js"
import { askField, draftOf } from "./field.js"
import { BACK } from "./leaving.js"

/** @import { Engine, FormField } from "@parley-mcp/parley" */
/** @import { Offer } from "../../shared-js/offers.js" */
/** @import { Drafts } from "./field.js" */
/** @import { Sheet } from "./question-sheet.js" */

/**
 * Asks for the arguments of what a server offers and returns the params of the
 * request, JSON text.
 *
 * @param {Engine} engine @param {Offer} offer @param {Sheet} sheet @param {Drafts} drafts what was filled in so far
 * @returns {Promise<string | typeof BACK>} back from the first step
 */
export async function askArguments(engine, offer, sheet, drafts) {
  const filling = argumentFields(engine, offer)
  const fields = filling.fields.filter(({ readOnly }) => !readOnly)
  for (let i = 0; i < fields.length; ) {
    const field = /** @type {FormField} */ (fields[i])
    const place = { step: i + 1, total: fields.length, back: true }
    if (await askField(filling, field, draftOf(drafts, field), sheet, place)) i++
    else if (i-- === 0) return BACK
  }
  return filling.params()
}
