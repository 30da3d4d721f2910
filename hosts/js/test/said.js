// What sources say to a person: the texts of a tag, by reading the sources.

import { readdirSync, readFileSync } from "node:fs"

/** @typedef {{file: string, text: string}} Said */

/** All that the modules of a folder say. @param {URL} folder @param {string} [tag] @returns {Said[]} */
export function saidIn(folder, tag) {
  return sources(folder).flatMap(({ file, source }) => said(source, tag).map((text) => ({ file, text })))
}

/** The modules of a folder and of those in it, without tables and tests. @param {URL} folder */
export function sources(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js") && !/german|^test\//.test(file))
  return files.map((file) => ({ file, source: readFileSync(new URL(file, folder), "utf8") }))
}

/** The texts of a source, as they are the keys of tables. @param {string} source @param {string} [tag] */
export function said(source, tag = "t") {
  return [...source.matchAll(tagged(tag))].map(({ index }) => template(source, index + tag.length + 1).text)
}

/** @param {string} tag */
function tagged(tag) {
  return new RegExp(`(?<![\\w$\`])${tag}\``, "g")
}

/** A source without what it says by t, and without comments. @param {string} source */
export function unsaid(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/ .*$/gm, "")
  let rest = ""
  let at = 0
  for (const { index } of code.matchAll(tagged("t"))) {
    if (index < at) continue
    rest += code.slice(at, index)
    at = template(code, index + 2).end + 1
  }
  return rest + code.slice(at)
}

/** Reads a template from after its backtick. @param {string} source @param {number} at @returns {{text: string, end: number}} */
function template(source, at) {
  let text = ""
  let values = 0
  for (; source[at] !== "`"; at++) {
    if (source[at] === undefined) throw new Error("a template does not end")
    if (source[at] === "\\") text += source[++at]
    else if (source.startsWith("${", at)) {
      at = value(source, at + 2)
      text += `{${values++}}`
    } else text += source[at]
  }
  return { text, end: at }
}

/** The brace that ends what goes into a template. @param {string} source @param {number} at */
function value(source, at) {
  for (let depth = 1; ; at++) {
    if (source[at] === undefined) throw new Error("a value in a template does not end")
    if (source[at] === "`") at = template(source, at + 1).end
    else if (source[at] === "{") depth++
    else if (source[at] === "}" && --depth === 0) return at
  }
}
