// Tools that ask by their results, at clients without rounds: the SDK asks for them.
import assert from "node:assert/strict"
import { test } from "node:test"

import { Client } from "@modelcontextprotocol/client"
import { InMemoryTransport, inputRequired, McpServer } from "@modelcontextprotocol/server"

import { guardServer } from "../dist/server.js"
import { anything, guardOf } from "./asking-server.js"

/** Calls a tool that asks ten times, of a server with these options of the SDK's. @param {import("node:test").TestContext} t @param {{inputRequired?: {maxRounds: number}}} options */
async function callTen(t, options) {
  const server = guardServer(new McpServer({ name: "test", version: "1" }, options), guardOf())
  server.registerTool("ten", { inputSchema: anything }, (_, { mcpReq }) => {
    const done = Number(mcpReq.requestState() ?? 0)
    if (done === 10) return { content: [{ type: "text", text: "done" }] }
    return inputRequired({ inputRequests: { q: inputRequired.elicit({ message: `Round ${done + 1}?`, requestedSchema: { type: "object", properties: {} } }) }, requestState: `${done + 1}` })
  })
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "legacy" } })
  t.after(() => client.close())
  /** @type {string[]} */
  const asked = []
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message)
    return { action: "accept", content: {} }
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(near), client.connect(far)])
  const { content } = await client.callTool({ name: "ten" })
  return { asked, text: /** @type {any} */ (content)[0].text }
}

test("ten rounds, as the README sets them", async (t) => {
  const { asked, text } = await callTen(t, { inputRequired: { maxRounds: 10 } })
  assert.equal(text, "done")
  assert.deepEqual(asked, Array.from({ length: 10 }, (_, i) => `Round ${i + 1}?`))
})

test("the SDK's own bound is eight, which the README says", async (t) => {
  const { asked, text } = await callTen(t, {})
  assert.match(text, /still required input after 8 rounds/)
  assert.equal(asked.length, 8)
})
