// A server on the TypeScript SDK 2 that asks with each of the schemas: with that of zod where the SDK takes it, and else with
// the JSON Schema, which the SDK passes on as it is.
import { acceptedContent, inputRequired, inputResponse, McpServer } from "@modelcontextprotocol/server"
import { serveStdio } from "@modelcontextprotocol/server/stdio"
import * as z from "zod/v4"

import { draw } from "./schemas.js"

const text = (text) => ({ content: [{ type: "text", text }] })
const message = "Please fill in"

const drawn = draw(process.argv[2]).map(({ kind, schema, json }) => {
  try {
    const form = inputRequired.elicit({ message, requestedSchema: schema })
    // The SDK drops writeOnly: then the form does not say that it asks for a secret.
    const told = /"(writeOnly|password)"/.test(JSON.stringify(form))
    return { kind: kind === "secret" && !told ? "flat" : kind, schema, form, refuses: "" }
  } catch (error) {
    const plain = JSON.parse(JSON.stringify(json)) // without what makes the SDK look at the schema of zod again
    return { kind, schema, form: inputRequired.elicit({ message, requestedSchema: plain }), refuses: error.message }
  }
})

serveStdio(() => {
  const server = new McpServer({ name: "forms", version: "1.0.0" })
  server.registerTool("types", { description: "Lists the schemas." }, async () =>
    text(JSON.stringify(drawn.map(({ kind, form, refuses }) => ({ kind, schema: form.params.requestedSchema, refuses })))),
  )
  server.registerTool(
    "ask",
    { description: "Asks with a schema.", inputSchema: z.object({ type: z.int() }) },
    async ({ type }, { mcpReq }) => {
      const { schema, form } = drawn[type]
      const answer = inputResponse(mcpReq.inputResponses, "form")
      if (answer.kind === "missing") return inputRequired({ inputRequests: { form } })
      if (answer.action !== "accept") return text(answer.action)
      // acceptedContent says no more than that it does not fit.
      if (acceptedContent(mcpReq.inputResponses, "form", schema) === undefined) schema.parse(answer.content)
      return text("taken")
    },
  )
  return server
})
