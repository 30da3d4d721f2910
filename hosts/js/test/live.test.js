// Calls against servers and a client that are not ours: tests/stories/go-server on
// the official Go SDK, and the official TypeScript SDK.
import test from "node:test"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"

import { Code, connect, fetchTransport, load, PARK } from "../dist/node.js"
import { over } from "../dist/transport/sdk-client.js"
import { contains, equal, ok } from "./assert.js"
import { startGoServer } from "./go-server.js"
import { failed, snapshotOf } from "./peer.js"
import { answers, askers, every, everyAtOnce } from "./stories.js"
import { tsServer } from "./ts-server.js"

/** @import { Question, Transport } from "../dist/node.js" */

const engine = await load()
const clientInfo = { name: "parley-test", version: "0" }

/** A session over a client of the TypeScript SDK. @param {URL} url @param {ConstructorParameters<typeof StreamableHTTPClientTransport>[1]} [options] */
async function byClient(url, options) {
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
  await client.connect(new StreamableHTTPClientTransport(url, options))
  return { client, session: connect(engine, over(client), { askers }) }
}

for (const flags of [[], ["-json"]]) {
  const form = flags.length ? "JSON" : "event streams"

  test(`go-server, ${form}`, async (t) => {
    const server = await startGoServer(flags)
    t.after(server.stop)
    const { client, session: clients } = await byClient(new URL(server.url))
    const session = connect(engine, fetchTransport(server.url), { clientInfo, askers })

    await t.test("by fetch", () => every(session))
    await t.test("by fetch, all at once", () => everyAtOnce(session))
    await t.test("by the client of the TypeScript SDK", () => every(clients))
    await t.test("by the client of the TypeScript SDK, all at once", () => everyAtOnce(clients))

    await t.test("a state that is forged can be started over, by either", async () => {
      const params = { name: "get_weather", arguments: { location: "Oslo" }, requestState: "forged" }
      for (const by of [session, clients]) {
        const outcome = failed(await by.call({ method: "tools/call", params }))
        equal([outcome.code, outcome.resumable], [Code.state, true])
        contains(outcome.response, "requestState")
      }
      await client.close()
      const closed = failed(await clients.call({ method: "tools/call", params: { name: "get_weather" } }))
      equal(closed.code, Code.lost, "a client that is not connected has sent nothing")
    })

    await session.close()
    await clients.close()
    equal(engine.live, 0, "live")
  })
}

test("where nothing listens nothing was sent, and a call that stopped there goes on", async (t) => {
  const server = await startGoServer()
  t.after(server.stop)
  const gone = await startGoServer()
  await gone.stop()
  const other = await load()
  /** @type {string[]} */
  const asked = []
  const elicit = (/** @type {Question} */ { key }) => (asked.push(key), answers[key] ?? "")
  const later = (/** @type {Question} */ question) => (question.key === "duplicate" ? PARK : elicit(question))
  const sessions = [connect(engine, fetchTransport(server.url), { askers }), connect(engine, fetchTransport(gone.url), { askers }), connect(other, fetchTransport(server.url), { askers })]
  const [here, nowhere, there] = /** @type {[import("../dist/node.js").Session, import("../dist/node.js").Session, import("../dist/node.js").Session]} */ (sessions)
  const parked = await here.call({ method: "tools/call", params: { name: "update_work_item", arguments: { id: 4711, state: "Resolved" } }, askers: { elicit: later } })
  const down = failed(await nowhere.resume({ snapshot: snapshotOf(parked), askers: { elicit } }))
  const outcome = await there.resume({ snapshot: snapshotOf(down, Code.lost), askers: { elicit } })
  contains(outcome.status === "done" && outcome.result, "4242")
  equal(asked, ["resolution", "duplicate"])
  for (const session of sessions) await session.close()
  equal([engine.live, other.live], [0, 0])
})

test("a server of the TypeScript SDK", async (t) => {
  const serve = tsServer()
  const url = new URL("http://localhost/mcp")
  const fetch = (/** @type {string | URL} */ url, /** @type {RequestInit | undefined} */ init) => serve(new Request(url, init))
  const { client, session } = await byClient(url, { fetch })
  const sessions = { fetch: connect(engine, fetchTransport(url, { fetch }), { clientInfo }), client: session }
  for (const [name, session] of Object.entries(sessions)) {
    await t.test(`by ${name}`, async () => {
      const outcome = await session.call({ method: "tools/call", params: { name: "greet", arguments: { greeting: "Hello" } }, askers: { elicit: ({ params = "" }) => {
          equal(JSON.parse(params).message, "Who?")
          return { action: "accept", content: { name: "Ann" } }
        } } })
      if (outcome.status !== "done") throw new Error(JSON.stringify(outcome))
      equal(JSON.parse(outcome.result).content[0].text, 'Hello Ann, state "round 1 \\ud800"')
      await session.close()
    })
  }
  await client.close()
})
