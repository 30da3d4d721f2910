// Parley over the official client of the TypeScript SDK, version 1.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js"

import { over } from "../../../hosts/js/dist/transport/sdk-client.js"
import { patience } from "../js/play.js"
import { playSession } from "../parley-js/session.js"

await playSession(async ({ url, command }, person) => {
  const client = new Client({ name: "interop-over-ts-legacy", version: "1" }, { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} } })
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void person.logs.push(String(params.data)))
  const [program = "", ...args] = command ?? []
  const env = /** @type {Record<string, string>} */ (process.env)
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command: program, args, env }), { timeout: patience })
  return over(client)
})
