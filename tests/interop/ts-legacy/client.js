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
  ProgressNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js"

import { patience, play } from "../js/play.js"

await play(async ({ url, command }, person) => {
  const client = new Client({ name: "interop-ts-legacy", version: "1" }, { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => person.elicit(params))
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => person.sample(params))
  client.setRequestHandler(ListRootsRequestSchema, () => person.listRoots())
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void person.logs.push(String(params.data)))
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => person.complete(params.elicitationId))

  // In the place of the SDK's own handler, which forgets who wants to know when the result is there.
  /** @type {((progress: number) => void) | undefined} */
  let progressed
  client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => progressed?.(params.progress))

  const env = /** @type {Record<string, string>} */ (process.env)
  const [program = "", ...args] = command ?? []
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command: program, args, env }), { timeout: patience })
  await client.setLoggingLevel("info", { timeout: patience })

  /** @type {import("../js/play.js").Player["call"]} */
  const call = async ({ tool, prompt, resource, arguments: args }, { signal, onprogress }) => {
    progressed = onprogress
    const options = { signal, onprogress: onprogress && (() => {}), timeout: patience } // which asks for it
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
