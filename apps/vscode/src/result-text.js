// The three results of the schema, as text to read.

import { indented, sameJson, size } from "../../page/src/json-text.js"
import { elements, member, string } from "../../page/src/raw-json.js"

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
