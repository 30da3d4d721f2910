// Values of a list, each in a box of its own, to be added and removed.

import { takenOut, titleOf, typedOf } from "../../shared-js/field.js"
import { t } from "../../shared-js/language.js"
import { hasHidden, plainLine, stripped } from "../../shared-js/plain.js"
import { elements } from "../../shared-js/raw-json.js"
import { announce } from "./announce.js"
import { types } from "./controls.js"
import { el, fill } from "./element.js"
import { icon } from "./icon.js"

/** @import { FormField } from "@parley-mcp/parley" */
/** @import { Control, Draft } from "./controls.js" */

/** @param {FormField} field @returns {Control} */
export function list(field) {
  const { initial, items, maxItems = Infinity } = field
  const { kind = "string", format = "" } = items ?? {}
  const title = plainLine(titleOf(field), 60)
  const whole = elements(initial ?? "[]").map(typedOf)
  const start = whole.map((value) => stripped(value).replaceAll("\n", " "))
  const hidden = whole.some((value, i) => value !== start[i])

  const rows = el("ol", { class: "values" })
  const add = el("button", { type: "button", class: "quiet add-value", onclick: () => added("").focus() }, icon("plus"), t`Add a value`)
  const inputs = () => [...rows.querySelectorAll("input")]
  const texts = () => inputs().map(({ value }) => value)
  const filled = () => texts().filter((text) => text.trim() !== "")

  /** @param {string} value */
  function row(value) {
    const input = el("input", { type: kind === "string" ? (types[format] ?? "text") : "text", autocomplete: "off", class: kind !== "string" && "short", onpaste })
    if (kind !== "string") input.inputMode = kind === "integer" && !items?.minimum?.startsWith("-") ? "numeric" : "decimal"
    input.value = value
    const item = el("li", { class: "row" }, input)
    item.append(el("button", { type: "button", class: "quiet", onclick: () => remove(item) }, t`Remove`))
    return item
  }

  /** The last one stays, empty. @param {HTMLElement} item */
  function remove(item) {
    const next = item.nextElementSibling ?? item.previousElementSibling
    if (next) item.remove()
    const input = /** @type {HTMLInputElement} */ ((next ?? item).querySelector("input"))
    if (!next) input.value = ""
    changed()
    announce(t`Removed`)
    input.focus()
  }

  /** Lines that are pasted are values. @param {ClipboardEvent} event */
  function onpaste(event) {
    const lines = (event.clipboardData?.getData("text") ?? "").split(/\r?\n/).filter((line) => line.trim() !== "")
    const input = /** @type {HTMLInputElement} */ (event.currentTarget)
    if (lines.length < 2) return
    event.preventDefault()
    if (input.value.trim() === "") input.value = lines.shift() ?? ""
    const item = /** @type {HTMLElement} */ (input.parentElement)
    item.after(...lines.map(row))
    changed()
    inputs()[[...rows.children].indexOf(item) + lines.length]?.focus()
  }

  /** @param {string} value */
  function added(value) {
    const item = row(value)
    rows.append(item)
    changed()
    return /** @type {HTMLInputElement} */ (item.querySelector("input"))
  }

  /** Everything has its number, and the form hears of it. */
  function changed() {
    inputs().forEach((input, i) => {
      input.setAttribute("aria-label", t`${title}, value ${i + 1}`)
      input.nextElementSibling?.setAttribute("aria-label", t`Remove value ${i + 1}`)
    })
    add.disabled = rows.children.length >= maxItems
    rows.dispatchEvent(new Event("input", { bubbles: true }))
  }

  /** @param {string[]} values */
  function put(values) {
    fill(rows, (values.length ? values : [""]).map(row))
    changed()
  }

  put(start)
  return {
    element: el("div", { class: "list" }, rows, add),
    get inputs() {
      return inputs()
    },
    labelled: true,
    read() {
      const same = initial !== undefined && !hidden && texts().join("\n") === start.join("\n")
      return same ? { value: initial } : { typed: filled().join("\n") }
    },
    draft: filled,
    restore: (/** @type {Draft} */ draft) => put([draft].flat()),
    note: whole.some(hasHidden) ? takenOut : undefined,
  }
}
