import { el } from "./element.js"
import { icon } from "./icon.js"
import { questionsWaiting } from "./waiting.js"
import { t } from "../../shared-js/language.js"

/** @import { Calls } from "./calls.js" */
/** @import { Catalogue } from "./catalogue.js" */
/** @import { WaitingList } from "./waiting.js" */

/** From which width on there is room beside the conversation; style/layout.css says the same. */
const roomy = "(min-width: 40rem)"

/**
 * What stands beside the conversation: what waits, and what can be called. On a
 * narrow screen it is a drawer, and what can be called stands in the place of the
 * conversation as long as there is none.
 */
export class Rail {
  #content
  #footer
  #calls
  #catalogue
  #wide = matchMedia(roomy)

  /** Beside the conversation. @type {HTMLElement} */
  element = el("aside", { class: "rail", "aria-label": t`Calls and servers` })

  /** Over it. @type {HTMLDialogElement} */
  drawer = el("dialog", { class: "drawer", "aria-label": t`Calls and servers` })

  /** At the top of a narrow screen. @type {HTMLElement} */
  bar

  /** In the place of the conversation. @type {HTMLElement} */
  start = el("div", { class: "start-here" })

  /** @param {Calls} calls @param {WaitingList} waiting @param {Catalogue} catalogue @param {() => void} openSettings */
  constructor(calls, waiting, catalogue, openSettings) {
    this.#calls = calls
    this.#catalogue = catalogue
    const close = el("button", { type: "button", class: "quiet close", onclick: () => this.hide() }, t`Close`)
    this.#footer = el("footer", {}, el("button", { type: "button", class: "quiet", onclick: openSettings }, icon("settings"), t`Folders and model`))
    this.#content = el("div", { class: "content" }, el("header", {}, brand(), close), waiting.element, this.#footer)
    const badge = el("span", { class: "count" })
    const menu = el("button", { type: "button", class: "menu", onclick: () => this.show() }, icon("menu"), badge)
    this.bar = el("header", { class: "bar" }, brand(), menu)
    this.#wide.addEventListener("change", () => this.#place())
    this.drawer.addEventListener("close", () => this.#placeCatalogue())
    calls.addEventListener("change", () => {
      tell()
      this.#placeCatalogue()
    })
    const tell = () => {
      const n = waiting.size
      badge.textContent = n ? String(n) : ""
      menu.setAttribute("aria-label", t`Menu. ${questionsWaiting(n)}`)
    }
    tell()
    this.#place()
  }

  /** Brings it in sight. */
  show() {
    if (this.#wide.matches || this.drawer.open) return
    this.drawer.showModal()
    this.#placeCatalogue()
  }

  /** Brings what can be called in sight, and the focus there. */
  browse() {
    if (!this.#startsHere) this.show()
    this.#catalogue.focus()
  }

  hide() {
    if (this.drawer.open) this.drawer.close()
  }

  #place() {
    this.hide()
    const place = this.#wide.matches ? this.element : this.drawer
    place.append(this.#content)
    this.#placeCatalogue()
  }

  /** Whether what can be called stands in the place of the conversation. */
  get #startsHere() {
    return !this.#wide.matches && !this.drawer.open && this.#calls.list().length === 0
  }

  #placeCatalogue() {
    const { element } = this.#catalogue
    const place = this.#startsHere ? this.start : this.#content
    if (element.parentElement === place) return
    place.insertBefore(element, place === this.#content ? this.#footer : null)
  }
}

function brand() {
  return el("p", { class: "brand" }, icon("parley"), "Parley")
}
