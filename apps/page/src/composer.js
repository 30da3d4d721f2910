import { argumentFields } from "../../shared-js/argument-fields.js"
import { given } from "../../shared-js/field.js"
import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { maySuggest } from "../../shared-js/suggestions.js"
import { kinds, lines } from "../../shared-js/words.js"
import { el, fill } from "./element.js"
import { Form } from "./form.js"
import { icon, kindIcon } from "./icon.js"
import { primary, quiet } from "./question-card.js"
import { shown, shownLine } from "./shown.js"

/** @import { Engine, Field } from "@parley-mcp/parley" */
/** @import { Request } from "./calls.js" */
/** @import { Offer } from "../../shared-js/offers.js" */
/** @import { Server } from "../../shared-js/sessions.js" */
/** @import { Suggestions } from "../../shared-js/suggestions.js" */

/** Asks a server what an argument could be. @typedef {(server: Server, offer: Offer, argument: string, texts: Record<string, string>, signal: AbortSignal) => Promise<Suggestions>} Suggest */

/** Where a call is made: what was picked, its arguments, and the button. */
export class Composer {
  #engine
  #call
  #browse
  #suggest
  #open

  /** @type {HTMLElement} */
  element = el("section", { class: "composer", "aria-label": t`New call` })

  /**
   * @param {Engine} engine
   * @param {{call: (request: Request) => void, browse: () => void, suggest: Suggest}} does `browse` shows what can be picked
   */
  constructor(engine, { call, browse, suggest }) {
    this.#engine = engine
    this.#call = call
    this.#browse = browse
    this.#suggest = suggest
    this.#open = el("button", { type: "button", class: "start", onclick: () => this.#browse() }, icon("plus"), t`Pick something to call`)
    this.close()
  }

  close() {
    this.element.classList.remove("busy")
    fill(this.element, this.#open)
  }

  focus() {
    this.#open.focus()
  }

  /**
   * Shows the form of what was picked.
   *
   * @param {Server} server
   * @param {Offer} offer
   * @param {string} [earlier] arguments of an earlier call, JSON text
   */
  compose(server, offer, earlier) {
    const { method, name, title, description } = offer
    const filling = argumentFields(this.#engine, offer, earlier)
    const suggest = (/** @type {Field} */ { name }, /** @type {AbortSignal} */ signal) => {
      const texts = Object.entries(form.drafts).map(([name, draft]) => [name, String(draft)])
      return this.#suggest(server, offer, name, Object.fromEntries(texts), signal)
    }
    const form = new Form(filling, { multiline: !offer.template, ...(maySuggest(offer) && { suggest }) })
    const heading = el("h2", { tabindex: -1 }, icon(kindIcon(method)), el("span", { class: "theirs" }, shownLine(title, 120)))
    const onsubmit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault()
      if (!form.check()) return
      this.close()
      const answer = filling.accept()
      const sent = filling.fields.filter((field) => given(field, answer))
      this.#call({ address: server.address, server: server.label, method, name, title, params: filling.params(), lines: lines(sent, answer) })
    }
    const close = () => {
      this.close()
      this.focus()
    }
    this.element.classList.add("busy")
    fill(
      this.element,
      el(
        "form",
        { novalidate: true, onsubmit, onkeydown: (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && close() },
        el(
          "header",
          {},
          heading,
          el("p", { class: "meta" }, t`${kinds[method] ?? method} of ${plainLine(server.label, 100)}`, " · ", el("code", { class: "theirs" }, shownLine(name, 100))),
        ),
        description && el("p", { class: "about theirs" }, shown(description, 600)),
        form.element,
        el("div", { class: "answers" }, form.sentBy(primary(verbs[method])), quiet(t`Close`, close)),
        form.keys && el("p", { class: "tip keys" }, form.keys),
      ),
    )
    heading.focus()
    if (getComputedStyle(this.element).position === "static") this.element.scrollIntoView({ block: "start" }) // below a conversation
  }
}

/** @type {Record<string, string>} */
const verbs = { "tools/call": t`Call the tool`, "prompts/get": t`Get the prompt`, "resources/read": t`Read the resource` }
