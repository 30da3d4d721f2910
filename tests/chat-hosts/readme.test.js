// What hosts/js/README.md shows of a chat runs as it stands there.
import assert from "node:assert/strict"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import test from "node:test"

import { startDesk } from "./desk.js"

const before = `
import { memoryStore } from "@parley-mcp/parley"
import { generateText, isStepCount } from "ai"
import { answersTo, session as open } from "./desk.js"
import { calls, modelOf } from "./turns/ai-sdk-model.js"
const session = await open(process.env.DESK)
const store = memoryStore()
const model = modelOf(calls(["update_work_item", { id: 4711, state: "Resolved" }]), "All done.")
const ask = async (queue) => answersTo(queue, ["resolution", "original"])
`

test("the chat in the README runs", async (t) => {
  const desk = await startDesk()
  t.after(desk.stop)
  const readme = readFileSync(new URL("../../hosts/js/README.md", import.meta.url), "utf8")
  const snippet = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code).find((code) => code.includes("parley/ai-sdk")) ?? ""
  const file = new URL(`readme-${process.pid}.mjs`, import.meta.url)
  t.after(() => rmSync(file))
  writeFileSync(file, `${before}${snippet.replace(": ModelMessage[]", "")}\nawait session.close()\nexport { messages }`)
  process.env["DESK"] = desk.url
  /** @type {string[]} */
  const printed = []
  t.mock.method(console, "log", (/** @type {string} */ line) => printed.push(line))
  const { messages } = await import(file.href)
  assert.deepEqual(printed, ["All done."])
  assert.match(JSON.stringify(messages), /Work item 4711 is a duplicate of 42\./)
  assert.deepEqual(await desk.counts(), { update_work_item: 1 })
})
