// Parley over the official client of the TypeScript SDK, version 2.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

import { over } from "../../../hosts/js/dist/transport/sdk-client.js"
import { patience } from "../js/play.js"
import { playSession } from "../parley-js/session.js"

await playSession(async ({ url, command }, person, legacy) => {
  const client = new Client(
    { name: "interop-over-ts", version: "1" },
    { capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }, versionNegotiation: { mode: legacy ? "legacy" : { pin: "2026-07-28" } } },
  )
  client.setNotificationHandler("notifications/message", ({ params }) => void person.logs.push(String(params.data)))
  const [program = "", ...args] = command ?? []
  const env = /** @type {Record<string, string>} */ (process.env)
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command: program, args, env }), { timeout: patience })
  return over(client)
}, false)
