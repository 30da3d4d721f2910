// Reads answers on standard input, one a line as {"schema", "content"}, and says on one line what ajv finds wrong with
// each: pairs of a property and a keyword.
import { createInterface } from "node:readline"

import { Ajv2020 } from "ajv/dist/2020.js"
import addFormats from "ajv-formats"

const ajv = new Ajv2020({ allErrors: true, logger: false, multipleOfPrecision: 9, strict: false })
addFormats.default(ajv)
const compiled = new Map()

for await (const line of createInterface({ input: process.stdin })) {
  const { schema, content } = JSON.parse(line)
  delete schema.$schema // rmcp says draft 7, and uses nothing of it
  const key = JSON.stringify(schema)
  if (!compiled.has(key)) compiled.set(key, ajv.compile(schema))
  const judge = compiled.get(key)
  const property = (path) => (path.split("/")[1] ?? "").replaceAll("~1", "/").replaceAll("~0", "~")
  const errors = judge(content) ? [] : judge.errors.map(({ instancePath, keyword }) => [property(instancePath), keyword])
  console.log(JSON.stringify(errors))
}
