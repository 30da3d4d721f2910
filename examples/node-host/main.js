// Calls a tool of an MCP server and asks in the terminal what the server wants to know. README.md says how to run it.
import { connect, fetchTransport, load } from "@parley-mcp/parley"

import { close, readLine, shown } from "./terminal.js"

/** @import { Field, Question } from "@parley-mcp/parley" */

const [url, tool, args] = process.argv.slice(2)
if (!url || !tool || !args) {
  console.error(`Usage: node main.js URL TOOL ARGUMENTS, the arguments as JSON: '{"location":"Oslo"}'`)
  process.exit(1)
}

const engine = await load()
const session = connect(engine, fetchTransport(url), { clientInfo: { name: "node-host", version: "0.1.0" }, elicit: ask })
try {
  const outcome = await session.call("tools/call", `{"name":${JSON.stringify(tool)},"arguments":${args}}`)
  if (outcome.status === "failed") throw new Error(`${outcome.detail} ${outcome.response ?? ""}`)
  if (outcome.status === "parked") throw new Error("the call was parked, which nobody asked for")
  const { content, isError } = JSON.parse(outcome.result)
  for (const { text } of content) console.log(`\n${shown(text ?? "")}`)
  process.exitCode = isError ? 1 : 0
} catch (error) {
  console.error(shown(String(error)))
  process.exitCode = 1
}
await session.close()
close()

/** Puts a form to the person, one field after the other. @param {Question} question */
async function ask({ params = "", problem }) {
  const { message, requestedSchema } = JSON.parse(params)
  const schema = JSON.stringify(requestedSchema)
  if (problem) console.log(`\nThat could not be sent: ${shown(problem)}`)
  console.log(`\nThe server asks: ${shown(message)}`)
  const content = []
  for (const field of engine.form(schema).fields ?? []) {
    const { value, refusal } = await askField(schema, field)
    if (refusal) return refusal
    if (value) content.push(`${JSON.stringify(field.name)}:${value}`) // else it was left out, and may be
  }
  const { refusal } = await readLine("Enter sends this")
  return refusal ?? `{"action":"accept","content":{${content}}}`
}

/** Asks for one field until what was typed fits it; the value is JSON text. @param {string} schema @param {Field} field */
async function askField(schema, field) {
  for (const { value, title } of field.options ?? []) console.log(`  - ${shown(value)}: ${shown(title)}`)
  const prompt = field.default ? `${field.title} [${field.default}]` : `${field.title}`
  for (;;) {
    const { typed, refusal } = await readLine(shown(prompt))
    if (refusal) return { refusal }
    if (typed === "" && field.default) return { value: field.default }
    const { value, problem } = engine.formCheck({ schema, field: field.name, typed })
    if (!problem) return { value }
    console.log(`  It ${shown(problem.message)}.`)
  }
}
