// A value of one of several types: the person picks the type, which is never
// guessed from what they type.

import { hint, needed, titleOf, types } from "../../shared-js/field.js"
import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { control, radios } from "./controls.js"
import { el, fill, newId } from "./element.js"

/** @import { FormField } from "@parley-mcp/parley" */
/** @import { Control, ControlOptions, Draft } from "./controls.js" */

/** @param {FormField} field @param {ControlOptions} options @returns {Control} */
export function union(field, options) {
  const { alternatives = [], alternative } = field
  const kinds = radios(types(field), field, alternative === undefined ? undefined : String(alternative), "options beside")
  const place = el("div", { class: "picked" })
  /** @type {Control | undefined} */
  let inner
  let picked = -1

  /** Shows what the picked type is filled in with. */
  function show() {
    const reading = kinds.read()
    const index = "value" in reading ? Number(reading.value) : -1
    if (index === picked) return
    picked = index
    for (const input of kinds.inputs) input.removeAttribute("aria-invalid")
    const of = alternatives[picked]
    inner = of && control(of, options)
    if (!of || !inner) return fill(place)
    const said = [!of.format?.startsWith("date") && hint({ ...of, unchecked: undefined, examples: undefined, deprecated: undefined }), inner.note].filter(Boolean).join(" ")
    const note = said ? el("p", { class: "hint", id: newId("hint") }, said) : undefined
    const name = t`${plainLine(titleOf(field), 60)}, value`
    if (inner.labelled) {
      inner.element.setAttribute("role", "group")
      inner.element.setAttribute("aria-label", name)
    } else for (const input of inner.inputs) input.setAttribute("aria-label", name)
    const described = inner.labelled ? [inner.element] : inner.inputs
    if (note) for (const one of described) one.setAttribute("aria-describedby", note.id)
    fill(place, note, inner.element)
  }

  kinds.element.setAttribute("role", "radiogroup")
  kinds.element.setAttribute("aria-label", t`What kind of value`)
  if (needed(field)) kinds.element.setAttribute("aria-required", "true")
  kinds.element.addEventListener("input", show) // before the field hears of it
  show()
  return {
    element: el("div", { class: "union" }, kinds.element, place),
    get inputs() {
      return inner?.inputs ?? kinds.inputs
    },
    labelled: true,
    read() {
      const reading = inner?.read() ?? { typed: "" }
      return "typed" in reading && reading.typed ? { ...reading, alternative: picked } : reading
    },
    draft() {
      const kind = String(kinds.draft())
      return kind && [kind, ...[inner?.draft() ?? ""].flat()]
    },
    restore(/** @type {Draft} */ draft) {
      const [kind = "", ...rest] = [draft].flat()
      kinds.restore(kind)
      show()
      inner?.restore(Array.isArray(inner.draft()) ? rest : (rest[0] ?? ""))
    },
  }
}
