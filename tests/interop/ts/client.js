// The official client of the TypeScript SDK, version 2, with its automatic loop.
import { Client, LOG_LEVEL_META_KEY, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"

import { patience, play } from "../js/play.js"

await play(async ({ url, command }, person, legacy) => {
  const client = new Client(
    { name: "interop-ts", version: "1" },
    {
      capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: legacy ? "legacy" : { pin: "2026-07-28" } },
    },
  )
  client.setRequestHandler("elicitation/create", ({ params }) => person.elicit(params))
  client.setRequestHandler("sampling/createMessage", ({ params }) => person.sample(params))
  client.setRequestHandler("roots/list", () => person.listRoots())
  client.setNotificationHandler("notifications/message", ({ params }) => void person.logs.push(String(params.data)))
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => person.complete(params.elicitationId))

  // In the place of the SDK's own handler, which forgets who wants to know when the result is there.
  /** @type {((progress: number) => void) | undefined} */
  let progressed
  client.setNotificationHandler("notifications/progress", ({ params }) => progressed?.(params.progress))

  const env = /** @type {Record<string, string>} */ (process.env)
  const [program = "", ...args] = command ?? []
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command: program, args, env }), { timeout: patience })
  if (legacy) await client.setLoggingLevel("info", { timeout: patience })
  await client.listTools(undefined, { timeout: patience }) // names the parameters that are header fields
  const _meta = legacy ? undefined : { [LOG_LEVEL_META_KEY]: "info" }

  /** @type {import("../js/play.js").Player["call"]} */
  const call = async ({ tool, prompt, resource, arguments: args }, { signal, onprogress }) => {
    progressed = onprogress
    const options = { signal, onprogress: onprogress && (() => {}), timeout: patience } // which asks for it
    if (tool) {
      const { content } = await client.callTool({ name: tool, arguments: args, _meta }, options)
      return content.map((block) => (block.type === "text" ? block.text : block.type)).join()
    }
    if (prompt) {
      const { messages } = await client.getPrompt({ name: prompt, arguments: args, _meta }, options)
      return messages.map(({ content }) => (content.type === "text" ? content.text : content.type)).join()
    }
    const { contents } = await client.readResource({ uri: String(resource), _meta }, options)
    return contents.map((content) => ("text" in content ? content.text : "blob")).join()
  }
  return { call, close: () => client.close() }
})
