// The official client of the TypeScript SDK, version 1.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import {
  CreateMessageRequestSchema,
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js"

import { play } from "../js/play.js"

await play(async ({ url, command }, person) => {
  const client = new Client({ name: "interop-ts-legacy", version: "1" }, { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => person.elicit(params))
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => person.sample(params))
  client.setRequestHandler(ListRootsRequestSchema, () => person.listRoots())
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void person.logs.push(String(params.data)))
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => person.complete(params.elicitationId))

  const env = /** @type {Record<string, string>} */ (process.env)
  const [program = "", ...args] = command ?? []
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command: program, args, env }))
  await client.setLoggingLevel("info")

  /** @type {import("../js/play.js").Player["call"]} */
  const call = async ({ tool, prompt, resource, arguments: args }, { signal, onprogress }) => {
    const options = { signal, onprogress: onprogress && ((/** @type {any} */ { progress }) => onprogress(progress)), timeout: 20_000 }
    if (tool) {
      const result = /** @type {any} */ (await client.callTool({ name: tool, arguments: args }, undefined, options))
      return result.content[0].text
    }
    if (prompt) {
      const result = /** @type {any} */ (await client.getPrompt({ name: prompt, arguments: args }, options))
      return result.messages[0].content.text
    }
    const result = /** @type {any} */ (await client.readResource({ uri: String(resource) }, options))
    return result.contents[0].text
  }
  return { call, close: () => client.close() }
})
