// JSON of results as a person reads it.

import { t } from "./language.js"
import { elements, members, string } from "./raw-json.js"

/** From how many characters on JSON is left as it came: to indent what is nested deep takes time by the square. */
const longJson = 10_000

/** Indents without touching what the values look like. @param {string} json @param {string} [indent] @returns {string} */
export function indented(json, indent = "\n") {
  if (json.length > longJson) return json
  const deeper = `${indent}  `
  const inner = json.startsWith("{")
    ? members(json).map(({ name, value }) => `${JSON.stringify(name)}: ${indented(value, deeper)}`)
    : elements(json).map((value) => indented(value, deeper))
  if (!inner.length) return json
  return `${json[0]}${deeper}${inner.join(`,${deeper}`)}${indent}${json.startsWith("{") ? "}" : "]"}`
}

/** Whether a text is JSON that means the same. @param {string} text @param {string} json */
export function sameJson(text, json) {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(json)) && longNumbers(text) === longNumbers(json)
  } catch {
    return false
  }
}

/** The numbers in JSON that are too long for JSON.parse, as text. @param {string} json */
function longNumbers(json) {
  return (json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs) ?? []).filter((token) => token[0] !== '"' && token.length > 15).join()
}

/** How much a base64 text holds, in words. @param {string | undefined} json the text's JSON */
export function size(json) {
  const length = (string(json) ?? "").replace(/=+$/, "").length
  return t`${Math.floor((length * 3) / 4)} bytes`
}
