/** @import { Engine, Field, Question } from "../../../../hosts/js/dist/node.js" */

/**
 * Accepts a form: with a value of its own where the schema has no default
 * (SEP-1034) to fill in.
 *
 * @param {Engine} engine @param {Question} question
 */
export function elicit(engine, { params = "{}", problem }) {
  if (problem !== undefined) throw new Error(`the answer cannot be sent: ${problem}`)
  const form = engine.form(JSON.stringify(JSON.parse(params).requestedSchema))
  if (form.problem) throw new Error(`the form cannot be read: ${form.problem.message}`)
  const open = form.fields.filter((field) => field.default === undefined)
  return { action: "accept", content: Object.fromEntries(open.map((field) => [field.name, entry(field)])) }
}

/** What is entered into a field that the server gave no default. @param {Field} field */
function entry({ kind, format, minimum, minItems, minLength, options = [] }) {
  switch (kind) {
    case "number":
    case "integer":
      return Number(minimum ?? 1)
    case "boolean":
      return true
    case "choice":
      return JSON.parse(options[0]?.value ?? "null")
    case "choices":
      return options.slice(0, minItems || 1).map(({ value }) => JSON.parse(value))
  }
  return entryText(format, minLength)
}

/**
 * A string of a format and at least a length.
 *
 * @param {string | undefined} format @param {number} [least]
 */
export function entryText(format, least = 0) {
  switch (format) {
    case "email":
      return "somebody@example.com"
    case "uri":
      return "https://example.com/"
    case "date":
      return "2026-07-28"
    case "date-time":
      return "2026-07-28T00:00:00Z"
  }
  return "text".padEnd(least, "-")
}

/** Stands for a model. */
export function sample() {
  return { role: "assistant", model: "none", stopReason: "endTurn", content: { type: "text", text: "An answer." } }
}

export function listRoots() {
  return { roots: [] }
}
