// A text field with suggestions below it: a combobox. Picking one is only typing:
// any other text will do as well.

import { announce } from "./announce.js"
import { el, fill, newId } from "./element.js"
import { shownLine } from "./shown.js"
import { t } from "../../shared-js/language.js"

/** @import { Suggestions } from "../../shared-js/suggestions.js" */

/** How long somebody has stopped to type before suggestions are asked for, in milliseconds. */
const pause = 200

/**
 * Suggestions for a text field. It is a combobox from when there have been any:
 * at a server without them it stays an ordinary field.
 *
 * Source: the combobox pattern of the ARIA Authoring Practices Guide, with list
 * autocomplete.
 */
export class Combobox {
  #input
  #suggest
  #list = el("ul", { role: "listbox", id: newId("list"), "aria-label": t`Suggestions` })
  #more = el("p", { class: "tip" }, t`There are more: type on.`)
  #popup = el("div", { class: "suggestions", hidden: true }, this.#list, this.#more)
  #asked = new AbortController()
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  /** @type {string[]} */
  #values = []
  /** The suggestion that Enter takes, -1 for none. */
  #at = -1
  #picking = false

  /** @type {HTMLElement} */
  element

  /** @param {HTMLInputElement | HTMLTextAreaElement} input @param {(signal: AbortSignal) => Promise<Suggestions>} suggest for what stands in it */
  constructor(input, suggest) {
    this.#input = input
    this.#suggest = suggest
    this.element = el("div", { class: "combobox" }, input, this.#popup)
    input.addEventListener("focus", () => void this.#ask(false))
    input.addEventListener("blur", () => this.#leave())
    input.addEventListener("input", () => this.#typed())
    input.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)))
    this.#popup.addEventListener("mousedown", (event) => event.preventDefault()) // the focus stays
  }

  #typed() {
    if (this.#picking) return
    this.#leave()
    this.#timer = setTimeout(() => void this.#ask(true), pause)
  }

  /** Forgets what was asked, and closes the list. */
  #leave() {
    clearTimeout(this.#timer)
    this.#asked.abort()
    this.#values = []
    this.#close()
  }

  /** Asks for the text as it is. What comes when it is another is thrown away. @param {boolean} open */
  async #ask(open) {
    this.#asked.abort()
    const { signal } = (this.#asked = new AbortController())
    const { values, more } = await this.#suggest(signal)
    if (signal.aborted) return
    const useful = values.length === 1 && values[0] === this.#input.value ? [] : values
    if (values.length > 0) this.#become()
    this.#values = useful
    this.#more.hidden = !more
    if (open) this.#open()
  }

  /** Makes it a combobox. */
  #become() {
    if (this.#input.hasAttribute("role")) return
    for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": this.#list.id, "aria-expanded": "false" })) {
      this.#input.setAttribute(name, value)
    }
  }

  #open() {
    if (this.#values.length === 0 || document.activeElement !== this.#input) return
    this.#at = -1
    fill(
      this.#list,
      this.#values.map((value, i) => el("li", { role: "option", id: newId("option"), "aria-selected": "false", class: "theirs", onclick: () => this.#pick(i) }, shownLine(value, 200))),
    )
    this.#popup.hidden = false
    this.#popup.scrollIntoView({ block: "nearest" })
    this.#input.scrollIntoView({ block: "nearest" })
    this.#input.setAttribute("aria-expanded", "true")
    announce(this.#values.length === 1 ? t`1 suggestion` : t`${this.#values.length} suggestions`)
  }

  #close() {
    this.#at = -1
    if (this.#popup.hidden) return
    this.#popup.hidden = true
    this.#input.setAttribute("aria-expanded", "false")
    this.#input.removeAttribute("aria-activedescendant")
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey) return
    const open = !this.#popup.hidden
    if (event.key === "ArrowDown" && !open && this.#values.length > 0 && (event.altKey || !this.#input.value.includes("\n"))) {
      this.#open()
      if (!event.altKey) this.#go(0)
    } else if (!open) return
    else if (event.key === "ArrowDown") this.#go(this.#at + 1)
    else if (event.key === "ArrowUp") this.#go(this.#at < 0 ? this.#values.length - 1 : this.#at - 1)
    else if (event.key === "Enter" && this.#at >= 0) this.#pick(this.#at)
    else if (event.key === "Escape") this.#close()
    else return
    event.preventDefault()
    event.stopPropagation() // Escape would close the whole form
  }

  /** Goes to a suggestion; beyond the ends is the text itself. @param {number} to */
  #go(to) {
    this.#at = to < this.#values.length ? to : -1
    for (const [i, option] of [...this.#list.children].entries()) {
      option.setAttribute("aria-selected", String(i === this.#at))
      if (i !== this.#at) continue
      this.#input.setAttribute("aria-activedescendant", option.id)
      option.scrollIntoView({ block: "nearest" })
    }
    if (this.#at < 0) this.#input.removeAttribute("aria-activedescendant")
  }

  /** @param {number} i */
  #pick(i) {
    const value = this.#values[i] ?? ""
    this.#leave()
    this.#input.value = value
    this.#picking = true
    this.#input.dispatchEvent(new Event("input", { bubbles: true }))
    this.#picking = false
  }
}
