import { t } from "../../shared-js/language.js"
import { el, newId } from "./element.js"
import { choose, chosen, languages } from "./language.js"

/** The choice of the page's language. It holds from the next load on: calls under way are not torn for it. */
export function languageField() {
  const told = el("p", { class: "tip", role: "status", hidden: true }, t`Reload the page to see it in that language.`)
  const input = el(
    "select",
    { id: newId("language"), onchange: () => pick() },
    el("option", { value: "" }, t`As the browser says`),
    Object.entries(languages).map(([value, name]) => el("option", { value, lang: value }, name)),
  )
  input.value = chosen()
  const pick = () => {
    choose(input.value)
    told.hidden = false
  }
  return el("div", { class: "field" }, el("label", { for: input.id }, t`Language`), input, told)
}
