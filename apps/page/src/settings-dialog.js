import { t } from "../../shared-js/language.js"
import { plainLine } from "../../shared-js/plain.js"
import { el, fill, newId } from "./element.js"
import { folderForm } from "./folder-form.js"
import { languageField } from "./language-field.js"
import { exampleModel } from "./sampler.js"

/** @import { Samples, Settings } from "./settings.js" */

/** What servers may ask of this page: a model, and folders. */
export class SettingsDialog {
  #settings
  #folders = el("ul", { class: "folders" })
  #adding

  /** @type {HTMLDialogElement} */
  element

  /** @param {Settings} settings */
  constructor(settings) {
    this.#settings = settings
    this.#adding = folderForm(t`Add a folder`, (root) => settings.addRoot(root))
    const share = el("input", { type: "checkbox", onchange: () => settings.change({ shareRoots: share.checked }) })
    share.checked = settings.shareRoots
    const name = newId("model")
    const radios = samples.map(([value, title, about]) => {
      const input = el("input", { type: "radio", name, value, onchange: () => settings.change({ samples: value }) })
      input.checked = settings.samples === value
      return el("label", { class: "option" }, input, el("span", {}, title, el("small", {}, about)))
    })
    const title = el("h2", { id: newId("settings") }, t`Folders and model`)
    this.element = el(
      "dialog",
      { "aria-labelledby": title.id, class: "settings" },
      el(
        "div",
        {},
        title,
        el("p", { class: "tip" }, t`What servers may ask for. It holds for new calls.`),
        el("fieldset", { class: "field" }, el("legend", {}, t`When a server wants a model’s answer`), el("div", { class: "options" }, radios)),
        el(
          "fieldset",
          { class: "field" },
          el("legend", {}, t`Folders`),
          el(
            "div",
            { class: "options" },
            el(
              "label",
              { class: "option" },
              share,
              el("span", {}, t`Servers may ask which folders to work on`, el("small", {}, t`You choose each time. Only addresses are shared.`)),
            ),
          ),
          this.#folders,
          this.#adding.element,
        ),
        languageField(),
        el("form", { method: "dialog", class: "answers" }, el("button", { class: "primary" }, t`Done`)),
      ),
    )
    settings.addEventListener("change", () => this.#show())
    this.#show()
  }

  open() {
    this.element.showModal()
  }

  #show() {
    const { roots } = this.#settings
    fill(
      this.#folders,
      roots.map((root) =>
        el(
          "li",
          {},
          el("span", {}, el("strong", {}, plainLine(root.name)), " ", el("code", {}, plainLine(root.uri))),
          el("button", { type: "button", class: "quiet", "aria-label": t`Remove ${plainLine(root.name)}`, onclick: () => this.#remove(root.uri) }, t`Remove`),
        ),
      ),
      !roots.length && el("li", { class: "none" }, t`None yet.`),
    )
  }

  /** @param {string} uri */
  #remove(uri) {
    this.#settings.change({ roots: this.#settings.roots.filter((root) => root.uri !== uri) })
    this.#adding.focus()
  }
}

/** @type {[Samples, string, string][]} */
const samples = [
  ["model", t`Ask the example model`, exampleModel.about],
  ["person", t`I answer myself`, t`You write what a model would.`],
  ["nobody", t`Servers may not ask`, t`Tools that need a model will say so.`],
]
