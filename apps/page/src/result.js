// The three results of the schema, as text.

import { el } from "./element.js"
import { indented, sameJson, size } from "./json-text.js"
import { plainLine, shown, shownLine } from "./plain.js"
import { elements, member, string } from "./raw-json.js"

/** @import { Child } from "./element.js" */

/** The most of a text that is shown, in characters. */
const mostText = 100_000

/** What a result has to show. @param {string} result JSON text @returns {Child[]} */
export function shownResult(result) {
  const structured = member(result, "structuredContent")
  const shownBlocks = elements(member(result, "content") ?? "[]").flatMap((content) => {
    const text = string(member(content, "text"))
    // Tools repeat structured content as text, for older clients.
    return structured !== undefined && text !== undefined && sameJson(text, structured) ? [] : [block(content)]
  })
  const parts = [
    ...shownBlocks,
    structured !== undefined && code(structured),
    ...elements(member(result, "messages") ?? "[]").map((message) =>
      el(
        "div",
        { class: "message" },
        el("p", { class: "who" }, shownLine(string(member(message, "role")) ?? "?", 100)),
        block(member(message, "content") ?? "{}"),
      ),
    ),
    ...elements(member(result, "contents") ?? "[]").map((one, _, all) => [all.length > 1 && named("Resource", member(one, "uri")), resource(one)]),
  ].filter(Boolean)
  if (parts.length) return parts
  const empty = ["content", "messages", "contents"].some((name) => /^\[\s*\]$/.test(member(result, name) ?? ""))
  return [empty ? el("p", { class: "tip" }, "It says nothing.") : code(result)]
}

/** Whether a tool says that its result is an error. @param {string} result */
export function isError(result) {
  return member(result, "isError") === "true"
}

/** A ContentBlock. @param {string} content */
function block(content) {
  const type = string(member(content, "type")) ?? ""
  switch (type) {
    case "text":
      return words(string(member(content, "text")) ?? "")
    case "image":
    case "audio":
      return stub(`${type}, ${plainLine(string(member(content, "mimeType")) ?? "", 100)}, ${size(member(content, "data"))}`)
    case "resource_link":
      return el("div", {}, named("Resource", member(content, "name")), named("at", member(content, "uri")))
    case "resource":
      return el("div", {}, named("Resource", member(member(content, "resource") ?? "{}", "uri")), resource(member(content, "resource") ?? "{}"))
  }
  return code(content)
}

/** A ResourceContents. @param {string} json */
function resource(json) {
  const text = string(member(json, "text"))
  if (text === undefined) return stub(`${plainLine(string(member(json, "mimeType")) ?? "data", 100)}, ${size(member(json, "blob"))}`)
  return words(text, /^text\/(?!plain)|json|xml/.test(string(member(json, "mimeType")) ?? ""))
}

/** @param {string} text @param {boolean} [preformatted] */
function words(text, preformatted = false) {
  return el(preformatted ? "pre" : "div", { class: "theirs text", dir: "auto", tabindex: preformatted && 0 }, shown(text, mostText))
}

/** JSON as it came, indented if it is short. @param {string} json */
function code(json) {
  return el("pre", { class: "theirs text", tabindex: 0 }, shown(json.length < 10_000 ? indented(json) : json, mostText))
}

/** @param {string} what @param {string | undefined} json */
function named(what, json) {
  return el("p", { class: "who" }, `${what} `, el("code", {}, shownLine(string(json) ?? "?", 400)))
}

/** What cannot be shown as text. @param {string} what */
function stub(what) {
  return el("p", { class: "stub" }, `Not shown here: ${what}`)
}
