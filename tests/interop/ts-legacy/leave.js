// Parley over the official client of the TypeScript SDK, version 1, in a host that
// is in a hurry: see ../parley-js/leave.js. The client is closed at once as well.
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

import { Code, connect, load } from "../../../hosts/js/dist/node.js"
import { capabilities, over } from "../../../hosts/js/dist/transport/sdk-client.js"

const [params = "", url = ""] = process.argv.slice(2)
const engine = await load()
const askers = { elicit: () => ({ action: "decline" }), tasks: true }
const client = new Client({ name: "interop-over-ts-legacy", version: "1" }, { capabilities: capabilities(engine, askers) })
await client.connect(new StreamableHTTPClientTransport(new URL(url)))
const session = connect(engine, over(client), { askers })
const leaving = new AbortController()
const leave = () => leaving.abort()
const outcome = await session.call({ method: "tools/call", params, signal: leaving.signal, watchers: { onProgress: leave, onTask: leave } })
await session.close()
await client.close()
console.log(outcome.status === "failed" && outcome.code === Code.canceled ? "canceled" : JSON.stringify(outcome))
