// Calls a tool over a connection of its own, a client of the official SDK, and drives Parley's loop by hand. README.md says
// how to run it.
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

import { Client, ProtocolError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { load, PARK } from "@parley-mcp/parley"
import { shown, terminal } from "@parley-mcp/parley/terminal"

/** @import { CallAction, SessionAction, SessionEvent } from "@parley-mcp/parley" */
/** @typedef {Extract<SessionAction, {type: "request"}>} Request */
/** @typedef {Extract<CallAction, {type: "ask"}>} Ask */

const [url, name, args] = process.argv.slice(2)
if (!url || !name) {
  console.error("Usage: node main.js URL TOOL ARGUMENTS, the arguments as JSON; or node main.js URL FILE, to resume a call")
  process.exit(1)
}

const engine = await load()
const { elicit } = terminal(engine)
const session = engine.newSession({ transport: "requests", can: { form: true } })
const client = new Client({ name: "loop-node", version: "0.1.0" }, { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } })
try {
  if (args) await drive(session.call("tools/call", `{"name":${JSON.stringify(name)},"arguments":${args}}`, { peer: url }), "parked.json")
  else await drive(session.restore(readFileSync(name, "utf8"), { peer: url }), name)
} catch (error) {
  console.error(shown(String(error)))
  process.exitCode = 1
}
session.free()
await client.close()

/**
 * Steps a call until it is over. It does one thing at a time, so nothing happens while the server works or the person
 * thinks.
 *
 * @param {number} call @param {string} file where the call is saved, which holds a secret then
 */
async function drive(call, file) {
  const save = () => writeFileSync(file, session.snapshot(call), { mode: 0o600 })
  /** What is to be stepped. @type {SessionEvent[]} */
  const events = [{ type: "begin", call, save: true }]
  for (let until = 0; ; ) {
    if (!events.length) await sleep(Math.max(0, until - Date.now())) // the server is to be asked later
    for (const action of session.step(Date.now(), events.shift() ?? { type: "tick", call })) {
      if (action.type === "request") events.push(await exchange(action))
      if (action.call === undefined) continue // it is the session's own, such as a warning
      if (action.type === "save") events.push({ call, ...attempt(save) })
      if (action.type === "ask") events.push({ call, ...(await answer(action)) })
      if (action.type === "wait") until = action.until
      if (action.type === "done") {
        rmSync(file)
        return console.log(`\n${shown(action.result)}`)
      }
      if (action.type === "parked") {
        save()
        throw new Error(`the call is parked in ${file}`)
      }
      if (action.type === "failed") {
        if (action.resumable) save()
        else rmSync(file, { force: true }) // it has no call any more
        throw new Error(`${action.detail} ${action.error ?? ""}`)
      }
    }
  }
}

/** Saves, and says whether that worked. @param {() => void} save @returns {{type: "saved"} | {type: "saveFailed", reason: string}} */
function attempt(save) {
  try {
    save()
    return { type: "saved" }
  } catch (error) {
    return { type: "saveFailed", reason: String(error) }
  }
}

/** Asks the person. @param {Ask} question @returns {Promise<{type: "answer", ask: number, raw: string} | {type: "park" | "refuse", ask: number, reason?: string}>} */
async function answer(question) {
  const { ask } = question
  try {
    const raw = await elicit(question, { signal: new AbortController().signal })
    return { type: "answer", ask, raw: typeof raw === "string" ? raw : JSON.stringify(raw) }
  } catch (error) {
    return error === PARK ? { type: "park", ask } : { type: "refuse", ask, reason: String(error) }
  }
}

/** Sends a request, and says what came of it. Tools are all that this program calls. @param {Request} request @returns {Promise<SessionEvent>} */
async function exchange({ exchange, params }) {
  try {
    if (!client.transport) await client.connect(new StreamableHTTPClientTransport(new URL(String(url))))
  } catch (error) {
    return { type: "ended", exchange, reason: String(error), unsent: true }
  }
  /** @param {object} response @returns {SessionEvent} */
  const message = (response) => ({ type: "message", exchange, body: JSON.stringify({ jsonrpc: "2.0", id: exchange, ...response }), last: true })
  try {
    // The rounds are Parley's, and its own bound on a request is a minute.
    return message({ result: await client.request({ method: "tools/call", params: JSON.parse(params) }, { allowInputRequired: true, timeout: 50_000 }) })
  } catch (error) {
    if (error instanceof ProtocolError) return message({ error: { code: error.code, message: error.message, data: error.data } })
    return { type: "ended", exchange, reason: String(error) }
  }
}
