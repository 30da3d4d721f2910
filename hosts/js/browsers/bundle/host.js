// A small host: one call against tests/stories/go-server, answered unattended.
import { connect, fetchTransport } from "@parley-mcp/parley/core"

/** @import { Engine } from "@parley-mcp/parley/core" */

/** @type {Record<string, string>} */
const answers = {
  resolution: '{"action":"accept","content":{"resolution":"Duplicate"}}',
  duplicate: '{"action":"accept","content":{"original_id":4242,"comment":"same crash"}}',
}

/** Reports to the runner how the call went. @param {Promise<Engine>} loading @param {string} search the page's, where its settings are */
export async function host(loading, search) {
  const settings = new URLSearchParams(search)
  const report = (/** @type {object} */ said) => fetch(`/report?id=${settings.get("report")}`, { method: "POST", body: JSON.stringify(said) })
  const test = "a call completes"
  try {
    const engine = await loading
    const session = connect(engine, fetchTransport(settings.get("server") ?? ""), { askers: { elicit: ({ key }) => answers[key] ?? "" } })
    const outcome = await session.call({ method: "tools/call", params: { name: "update_work_item", arguments: { id: 4711, state: "Resolved" } } })
    await session.close()
    if (outcome.status !== "done" || !outcome.result.includes("4242") || engine.live) throw new Error(JSON.stringify([outcome, engine.live]))
    await report({ test })
  } catch (error) {
    await report({ test, error: String(error) })
  }
  await report({ done: true })
}
