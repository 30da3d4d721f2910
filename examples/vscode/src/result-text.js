// The three results of the schema, as text to read.

import { elements, member, members, string } from "../../browser-chat/src/raw-json.js"

/** From how many characters on JSON is left as it came. */
const longJson = 10_000

/** @param {string} result JSON text */
export function resultText(result) {
  const structured = member(result, "structuredContent")
  const blocks = elements(member(result, "content") ?? "[]").map(block)
  const parts = [
    ...(member(result, "isError") === "true" ? ["The tool says that this is an error."] : []),
    // Tools repeat structured content as text, for older clients.
    ...blocks.filter((text) => structured === undefined || !sameJson(text, structured)),
    ...(structured === undefined ? [] : [indented(structured)]),
    ...elements(member(result, "messages") ?? "[]").map((message) => `${string(member(message, "role")) ?? "?"}:\n${block(member(message, "content") ?? "{}")}`),
    ...elements(member(result, "contents") ?? "[]").map(resource),
  ]
  if (parts.length) return parts.join("\n\n")
  const empty = ["content", "messages", "contents"].some((name) => /^\[\s*\]$/.test(member(result, name) ?? ""))
  return empty ? "It says nothing." : indented(result)
}

/** A ContentBlock. @param {string} content */
function block(content) {
  switch (string(member(content, "type"))) {
    case "text":
      return string(member(content, "text")) ?? ""
    case "image":
    case "audio":
      return `(${string(member(content, "mimeType")) ?? "data"}, ${size(member(content, "data"))}, not shown here)`
    case "resource_link":
      return `Resource ${string(member(content, "name")) ?? "?"} at ${string(member(content, "uri")) ?? "?"}`
    case "resource":
      return resource(member(content, "resource") ?? "{}")
  }
  return indented(content)
}

/** A ResourceContents. @param {string} json */
function resource(json) {
  const text = string(member(json, "text"))
  const uri = string(member(json, "uri")) ?? "?"
  return text === undefined ? `Resource ${uri} (${string(member(json, "mimeType")) ?? "data"}, ${size(member(json, "blob"))}, not shown here)` : `Resource ${uri}:\n${text}`
}

/** How much a base64 text holds. @param {string | undefined} json */
function size(json) {
  const length = (string(json) ?? "").replace(/=+$/, "").length
  return `${Math.floor((length * 3) / 4)} bytes`
}

/** Indents without touching what the values look like. @param {string} json @param {string} [indent] @returns {string} */
function indented(json, indent = "\n") {
  if (json.length > longJson) return json
  const deeper = `${indent}  `
  const inner = json.startsWith("{")
    ? members(json).map(({ name, value }) => `${JSON.stringify(name)}: ${indented(value, deeper)}`)
    : elements(json).map((value) => indented(value, deeper))
  if (!inner.length) return json
  return `${json[0]}${deeper}${inner.join(`,${deeper}`)}${indent}${json.startsWith("{") ? "}" : "]"}`
}

/** @param {string} text @param {string} json */
function sameJson(text, json) {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(json))
  } catch {
    return false
  }
}
