import { Client } from "@modelcontextprotocol/client"

import { answer, clientInfo, params, ScriptedTransport } from "./peer.js"

/** Whole calls by the SDK's own loop. @param {number} legs */
export async function sdk(legs) {
  const client = new Client(clientInfo, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } })
  client.setRequestHandler("elicitation/create", async () => /** @type {any} */ (answer))
  await client.connect(new ScriptedTransport(legs))
  return async () => {
    const { content } = await client.callTool(params)
    if (content?.length !== 1) throw new Error("not the result")
  }
}
