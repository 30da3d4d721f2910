// The three results of the schema, in parts to read.

import { indented, sameJson, size } from "./json-text.js"
import { t } from "./language.js"
import { Code, Failure, promptResult, resourceResult, toolResult } from "./parley.js"
import { elements, member, string } from "./raw-json.js"
import { spoken } from "./spoken.js"

/**
 * A part of a result: a text, of which code keeps its lines; who says what comes
 * next, or what it is, by the server's name for it and where that is; or words of
 * ours.
 *
 * @typedef {{type: "text" | "code" | "who" | "ours", text: string} | {type: "resource", name: string, at?: string}} Part
 */

/** What reads the results of methods. @type {Record<string, (outcome: {status: "done", result: string}) => unknown>} */
const readers = { "tools/call": toolResult, "prompts/get": promptResult, "resources/read": resourceResult }

/** A result that lacks what its method must bring is JSON, and words about that. @param {string} method @param {string} result JSON text @returns {Part[]} */
export function partsOf(method, result) {
  const lacks = lackOf(method, result)
  return lacks === undefined ? whole(result) : [{ type: "ours", text: t`${lacks}: here it is as JSON` }, code(result)]
}

/** @param {string} method @param {string} result */
function lackOf(method, result) {
  try {
    readers[method]?.({ status: "done", result })
  } catch (error) {
    const what = error instanceof Failure && error.code === Code.malformed ? error.sentence.params[1] : undefined // behind the method's name
    if (typeof what === "object") return spoken(what)
  }
}

/** @param {string} result @returns {Part[]} */
function whole(result) {
  const given = member(result, "structuredContent")
  const structured = given === "null" ? undefined : given
  const list = (/** @type {string} */ name) => elements(member(result, name) ?? "[]")
  const contents = list("contents")
  const parts = [
    ...list("content").flatMap((content) => {
      // Tools repeat structured content as text, for older clients.
      const text = string(member(content, "text"))
      return structured !== undefined && text !== undefined && sameJson(text, structured) ? [] : block(content)
    }),
    ...(structured === undefined ? [] : [code(structured)]),
    ...list("messages").flatMap((message) => [/** @type {Part} */ ({ type: "who", text: string(member(message, "role")) ?? "?" }), ...block(member(message, "content") ?? "{}")]),
    ...contents.flatMap((one) => (contents.length > 1 ? [named(member(one, "uri")), resource(one)] : [resource(one)])),
  ]
  if (parts.length) return parts
  const empty = ["content", "messages", "contents"].some((name) => /^\[\s*\]$/.test(member(result, name) ?? ""))
  return [empty ? { type: "ours", text: t`It says nothing.` } : code(result)]
}

/** Whether a tool says that its result is an error. @param {string} result */
export function isError(result) {
  return member(result, "isError") === "true"
}

/** A ContentBlock. @param {string} content @returns {Part[]} */
function block(content) {
  const type = string(member(content, "type")) ?? ""
  switch (type) {
    case "text":
      return [{ type: "text", text: string(member(content, "text")) ?? "" }]
    case "image":
    case "audio":
      return [notShown(`${type === "image" ? t`image` : t`audio`}, ${string(member(content, "mimeType")) ?? t`data`}`, member(content, "data"))]
    case "resource_link":
      return [named(member(content, "name"), string(member(content, "uri")) ?? "?")]
    case "resource": {
      const embedded = member(content, "resource") ?? "{}"
      return [named(member(embedded, "uri")), resource(embedded)]
    }
  }
  return [code(content)]
}

/** A ResourceContents. @param {string} json @returns {Part} */
function resource(json) {
  const [text, mime] = [string(member(json, "text")), string(member(json, "mimeType")) ?? ""]
  if (text === undefined) return notShown(mime || t`data`, member(json, "blob"))
  return { type: /^text\/(?!plain)|json|xml/.test(mime) ? "code" : "text", text }
}

/** JSON as it came, indented if it is short. @param {string} json @returns {Part} */
function code(json) {
  return { type: "code", text: indented(json) }
}

/** @param {string | undefined} json @param {string} [at] @returns {Part} */
function named(json, at) {
  return { type: "resource", name: string(json) ?? "?", at }
}

/** What cannot be shown as text. @param {string} what @param {string | undefined} data @returns {Part} */
function notShown(what, data) {
  return { type: "ours", text: t`Not shown here: ${what}, ${size(data)}` }
}
