// Tools that ask by their results, at clients without rounds: the SDK asks for them. Ten rounds are in hosts/testdata/rounds.
import assert from "node:assert/strict"
import { test } from "node:test"

import { Client } from "@modelcontextprotocol/client"
import { InMemoryTransport, inputRequired, McpServer } from "@modelcontextprotocol/server"

import { guardServer } from "../dist/server/index.js"
import { anything, guardOf } from "./asking-server.js"

test("the SDK's own bound is eight rounds, which the README says", async (t) => {
  const server = guardServer(new McpServer({ name: "test", version: "1" }), guardOf())
  server.registerTool("ask", { inputSchema: anything }, () => inputRequired({ inputRequests: { q: inputRequired.elicit({ message: "?", requestedSchema: { type: "object", properties: {} } }) } }))
  const client = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "legacy" } })
  t.after(() => client.close())
  let asked = 0
  client.setRequestHandler("elicitation/create", () => {
    asked++
    return { action: "accept", content: {} }
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(near), client.connect(far)])
  const { content } = await client.callTool({ name: "ask" })
  assert.match(/** @type {any} */ (content)[0].text, /still required input after 8 rounds/)
  assert.equal(asked, 8)
})
