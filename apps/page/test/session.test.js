// What the session with a server keeps from the page.

import assert from "node:assert/strict"

import { done } from "./scripted-server.js"
import { scene, test } from "./setting.js"

test("a tool that cannot be called is left out, and that is said", async () => {
  const bad = '{"name":"bad","inputSchema":{"type":"object","properties":{"n":{"type":"array","x-mcp-header":"N"}}}}'
  const { person } = await scene.withScript({ tools: `[${bad},{"name":"x","inputSchema":{"type":"object"}}]`, answer: () => done("Hello.") })
  await person.sees('left out the tool "bad"')
  await person.sees("Connected to ")
  assert.equal(await person.counts(".group button"), 1, "entries of the catalogue")
  await person.calls("x")
  await person.sees("Hello.")
})
