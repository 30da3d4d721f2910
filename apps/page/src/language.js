// Which language the page speaks: one that the person has chosen, or else the
// first of the browser's that it knows.

import { speak } from "../../shared-js/language.js"

/** @import { Texts } from "../../shared-js/language.js" */

const key = "parley-chat-language"

/** The languages but English, and where their texts are: they are loaded only where they are spoken. @type {Record<string, () => Promise<{texts: Texts}[]>>} */
const others = {
  de: () => Promise.all([import("../../shared-js/german.js"), import("../../shared-js/german-sentences.js"), import("./german.js")]),
}

/** The languages, by their tags, as those call them who speak them. */
export const languages = { en: "English", de: "Deutsch" }

/** What the person has chosen; "" leaves it to the browser. */
export function chosen() {
  try {
    const tag = localStorage.getItem(key) ?? ""
    return Object.hasOwn(languages, tag) ? tag : ""
  } catch {
    return ""
  }
}

/** Remembers a choice, for when the page is loaded again. @param {string} tag "" for what the browser says */
export function choose(tag) {
  try {
    if (tag) localStorage.setItem(key, tag)
    else localStorage.removeItem(key)
  } catch {} // the browser's it is then
}

/** Finds out the language, and gets its texts. If they cannot be had, it is English. */
export async function prepare() {
  const own = chosen()
  const tag = [...(own ? [own] : []), ...navigator.languages].find((one) => Object.hasOwn(languages, primary(one))) ?? "en"
  const known = navigator.languages.find((one) => primary(one) === primary(tag)) ?? tag // with the country, if there is one
  try {
    const tables = await others[primary(tag)]?.()
    speak(known, tables && Object.assign({}, ...tables.map(({ texts }) => texts)))
    document.documentElement.lang = known
  } catch {
    document.documentElement.lang = "en"
  }
}

/** @param {string} tag */
function primary(tag) {
  return tag.toLowerCase().split("-")[0] ?? ""
}
