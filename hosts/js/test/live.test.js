// Calls against servers and a client that are not ours: tests/stories/go-server on
// the official Go SDK, and the official TypeScript SDK.
import test from "node:test"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"

import { call, Code, connect, fetchTransport, http, load, PARK, resume } from "../dist/node.js"
import { sdkClient } from "../dist/sdk-client.js"
import { contains, equal, ok } from "./assert.js"
import { startGoServer } from "./go-server.js"
import { failed, snapshotOf } from "./peer.js"
import { answers, askers, callbacks, every, everyAtOnce } from "./stories.js"
import { tsServer } from "./ts-server.js"

/** @import { Question } from "../dist/node.js" */

const engine = await load()

for (const flags of [[], ["-json"]]) {
  const form = flags.length ? "JSON" : "event streams"

  test(`go-server, ${form}`, async (t) => {
    const server = await startGoServer(flags)
    t.after(server.stop)
    const send = http(engine, server.url, { clientInfo: { name: "parley-test", version: "0" } })

    await t.test("by fetch", () => every(engine, send))

    await t.test("by a session", async () => {
      const session = connect(engine, fetchTransport(server.url), { clientInfo: { name: "parley-test", version: "0" }, ...askers })
      await everyAtOnce(session)
      await session.close()
      equal(engine.live, 0, "live")
    })

    await t.test("by the client of the TypeScript SDK", async () => {
      const client = new Client({ name: "parley-test", version: "0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
      await every(engine, sdkClient(client))
      await client.close()
    })

    await t.test("a state that is forged is not resumable, by either", async () => {
      const client = new Client({ name: "parley-test", version: "0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url)))
      for (const transport of [send, sdkClient(client)]) {
        const outcome = failed(await call(engine, "tools/call", { name: "get_weather", arguments: { location: "Oslo" }, requestState: "forged" }, callbacks(transport)))
        equal([outcome.code, outcome.resumable], [Code.state, false])
        contains(outcome.response, "requestState")
      }
      await client.close()
      const closed = failed(await call(engine, "tools/call", { name: "get_weather" }, callbacks(sdkClient(client))))
      equal(closed.code, Code.lost, "a client that is not connected has sent nothing")
    })
  })
}

test("where nothing listens nothing was sent, and a call that stopped there goes on", async (t) => {
  const server = await startGoServer()
  t.after(server.stop)
  const gone = await startGoServer()
  await gone.stop()
  /** @type {string[]} */
  const asked = []
  const host = callbacks(http(engine, server.url))
  const elicit = (/** @type {Question} */ { key }) => (asked.push(key), answers[key] ?? "")
  const later = (/** @type {Question} */ question) => (question.key === "duplicate" ? PARK : elicit(question))
  const parked = await call(engine, "tools/call", { name: "update_work_item", arguments: { id: 4711, state: "Resolved" } }, { ...host, elicit: later })
  const down = failed(await resume(engine, snapshotOf(parked), { ...host, elicit, send: http(engine, gone.url) }))
  ok(/** @type {any} */ (down.cause).unsent, "the cause says that nothing was sent")
  const other = await load()
  const outcome = await resume(other, snapshotOf(down, Code.lost), { ...host, elicit })
  contains(outcome.status === "done" && outcome.result, "4242")
  equal(asked, ["resolution", "duplicate"])
  equal([engine.live, other.live], [0, 0])
})

test("a server of the TypeScript SDK", async (t) => {
  const serve = tsServer()
  const fetch = (/** @type {string | URL} */ url, /** @type {RequestInit | undefined} */ init) => serve(new Request(url, init))
  const client = new Client({ name: "parley-test", version: "0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } })
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch }))
  const transports = { fetch: http(engine, "http://localhost/mcp", { fetch, clientInfo: { name: "parley-test", version: "0" } }), client: sdkClient(client) }
  for (const [name, transport] of Object.entries(transports)) {
    await t.test(`by ${name}`, async () => {
      const outcome = await call(engine, "tools/call", { name: "greet", arguments: { greeting: "Hello" } }, {
        send: transport,
        elicit: ({ params = "" }) => {
          equal(JSON.parse(params).message, "Who?")
          return { action: "accept", content: { name: "Ann" } }
        },
      })
      if (outcome.status !== "done") throw new Error(JSON.stringify(outcome))
      equal(JSON.parse(outcome.result).content[0].text, 'Hello Ann, state "round 1 \\ud800"')
    })
  }
  await client.close()
})
