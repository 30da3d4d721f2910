// Replays hosts/testdata/forms, whose README.md says how the files read.
import { readdirSync, readFileSync } from "node:fs"
import test from "node:test"

import { ElicitRequestFormParamsSchema } from "@modelcontextprotocol/sdk/types.js"
import { specTypeSchemas } from "@modelcontextprotocol/server"

import { form } from "../dist/server/index.js"
import { strictForm } from "../dist/server/strict-form.js"
import { equal, ok } from "./assert.js"

const folder = new URL("../../testdata/forms/", import.meta.url)

const names = readdirSync(folder).filter((name) => name.endsWith(".json"))
ok(names.length > 100, "files")
for (const name of names) {
  test(`form: ${name}`, async () => {
    const { schema, strict, nullable = [], empty = [], closed = false, refused, rounds, answers = [] } = JSON.parse(readFileSync(new URL(name, folder), "utf8"))
    if (refused || rounds) {
      const message = said(schema)
      if (refused) equal(message, `TypeError: parley: ${refused.says}`)
      else equal(message, `TypeError: parley: MCP allows no such "${rounds}" for the field "a" of a form: JavaScript rounds whole numbers beyond 2^53-1; ask for such a number as text`)
      return
    }
    const read = strictForm(schema)
    if (strict) equal(read.schema, strict)
    else ok(read.schema === schema, "as it came")
    equal(Object.keys(read.schema.properties), Object.keys((strict ?? schema).properties), "the order of the fields")
    equal([[...read.nullable], [...read.empty], read.closed], [nullable, empty, closed])
    equal(strictForm(read.schema).schema, read.schema, "a strict form stays as it is")
    for (const sdk of [specTypeSchemas.ElicitRequestFormParams, ElicitRequestFormParamsSchema]) {
      const { issues } = await sdk["~standard"].validate({ mode: "form", message: "?", requestedSchema: read.schema })
      equal(issues, undefined, "what the SDK says of it")
    }

    const question = form("?", schema)
    equal(question.params.requestedSchema, strict ?? schema)
    for (const { given, taken } of answers) {
      const accepted = question.accept({ action: "accept", content: given })
      equal(accepted === undefined ? null : question.read(JSON.parse(accepted)), taken, JSON.stringify(given))
    }
  })
}

/** @param {any} schema */
function said(schema) {
  try {
    form("?", schema)
  } catch (error) {
    return String(error)
  }
  return "nothing"
}
