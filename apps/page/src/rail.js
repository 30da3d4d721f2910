import { el } from "./element.js"
import { icon } from "./icon.js"
import { questionsWaiting } from "./waiting.js"
import { t } from "../../kit/language.js"

/** @import { Calls } from "./calls.js" */
/** @import { Catalogue } from "./catalogue.js" */
/** @import { WaitingList } from "./waiting.js" */

/** From which width on there is room beside the conversation; style/layout.css says the same. */
const roomy = "(min-width: 56rem)"

/**
 * What stands beside the conversation: what waits, and what can be called. On a
 * narrow screen it is a drawer.
 */
export class Rail {
  #content
  #wide = matchMedia(roomy)

  /** Beside the conversation. @type {HTMLElement} */
  element = el("aside", { class: "rail", "aria-label": t`Calls and servers` })

  /** Over it. @type {HTMLDialogElement} */
  drawer = el("dialog", { class: "drawer", "aria-label": t`Calls and servers` })

  /** At the top of a narrow screen. @type {HTMLElement} */
  bar

  /** @param {Calls} calls @param {WaitingList} waiting @param {Catalogue} catalogue @param {() => void} openSettings */
  constructor(calls, waiting, catalogue, openSettings) {
    const close = el("button", { type: "button", class: "quiet close", onclick: () => this.hide() }, t`Close`)
    this.#content = el(
      "div",
      { class: "content" },
      el("header", {}, brand(), close),
      waiting.element,
      catalogue.element,
      el("footer", {}, el("button", { type: "button", class: "quiet", onclick: openSettings }, icon("settings"), t`Folders and model`)),
    )
    const badge = el("span", { class: "count" })
    const menu = el("button", { type: "button", class: "menu", onclick: () => this.show() }, icon("menu"), badge)
    this.bar = el("header", { class: "bar" }, brand(), menu)
    this.#wide.addEventListener("change", () => this.#place())
    calls.addEventListener("change", () => tell())
    const tell = () => {
      const n = waiting.size
      badge.textContent = n ? String(n) : ""
      menu.setAttribute("aria-label", t`Menu. ${questionsWaiting(n)}`)
    }
    tell()
    this.#place()
  }

  /** Brings it in sight. @param {() => void} [then] */
  show(then) {
    if (!this.#wide.matches && !this.drawer.open) this.drawer.showModal()
    then?.()
  }

  hide() {
    if (this.drawer.open) this.drawer.close()
  }

  #place() {
    this.hide()
    const place = this.#wide.matches ? this.element : this.drawer
    place.append(this.#content)
  }
}

function brand() {
  return el("p", { class: "brand" }, icon("parley"), "Parley")
}
