// Two instances of examples/js-server mark used states in one Redis: of answers that are sent to both, one counts.
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { test } from "node:test"
import { fileURLToPath } from "node:url"

import { newKey } from "@parley-mcp/parley/codec"

import { start } from "./server.js"

const program = fileURLToPath(new URL("../../../examples/js-server/server.js", import.meta.url))

test("a state opens once, whichever instance it is sent to", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  t.after(() => rmSync(folder, { recursive: true }))
  const keys = join(folder, "keys")
  writeFileSync(keys, newKey(), { mode: 0o600 })
  const redis = await start()
  t.after(() => redis.stop())
  const instances = await Promise.all(
    [0, 1].map(async () => {
      const child = spawn(process.execPath, [program, "--port", "0", "--key-file", keys], { env: { ...process.env, REPLAY: redis.url }, stdio: ["ignore", "pipe", "ignore"] })
      const ended = once(child, "exit")
      t.after(() => (child.kill("SIGKILL"), ended))
      for await (const line of createInterface(child.stdout)) return line.replace("listening on ", "")
      throw new Error("the server did not start")
    }),
  )
  for (let i = 0; i < 5; i++) {
    const asked = await leg(instances[i % 2] ?? "", {})
    const more = { requestState: asked.result.requestState, inputResponses: { resolution: { action: "accept", content: { resolution: "Fixed" } } } }
    const answers = await Promise.all([0, 1, 0, 1].map((n) => leg(instances[n] ?? "", more)))
    assert.deepEqual(answers.map(({ error, result }) => error?.code ?? result.content[0].text).sort(), [-32602, -32602, -32602, "Work item 4711 is now Resolved as Fixed."])
  }
  await redis.kill()
  const asked = await leg(instances[0] ?? "", {})
  const { error } = await leg(instances[0] ?? "", { requestState: asked.result.requestState, inputResponses: { resolution: { action: "decline" } } })
  assert.equal(error.code, -32602)
})

/** Sends one request. @param {string} url @param {object} more @returns {Promise<any>} */
async function leg(url, more) {
  const io = "io.modelcontextprotocol/"
  const _meta = { [`${io}protocolVersion`]: "2026-07-28", [`${io}clientInfo`]: { name: "t", version: "1" }, [`${io}clientCapabilities`]: { elicitation: { form: {} } } }
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "update_work_item" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "update_work_item", arguments: { id: 4711, state: "Resolved" }, _meta, ...more } }),
  })
  const text = await response.text()
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
}
