#!/usr/bin/env node
// The same client as ../main.go, on the npm package.
import { connect, fetchTransport, load } from "../../../../hosts/js/dist/node.js"
import { Client } from "./client.mjs"
import { play } from "./scenario.mjs"
import { signInAs } from "./sign-in.mjs"

const usage = `conformance-client is what the MCP conformance suite runs as a client. It calls
what the server offers, answers what the server asks, and prints a line for each
call.

Usage: node main.mjs [--any-version] URL

  --any-version  find out which protocol version the server speaks

From the environment it takes what the suite puts there: the scenario
(MCP_CONFORMANCE_SCENARIO), the protocol version to speak
(MCP_CONFORMANCE_PROTOCOL_VERSION) and what else the scenario wants to be used
(MCP_CONFORMANCE_CONTEXT, JSON).
`

// How long a scenario may take, in milliseconds: less than the suite waits,
// which would leave a client that hangs running.
const patience = 280_000

const args = process.argv.slice(2)
const anyVersion = args[0] === "--any-version"
if (anyVersion) args.shift()
if (args.length !== 1 || !args[0] || args[0].startsWith("-")) {
  process.stderr.write(usage)
  process.exit(2)
}
const limit = setTimeout(() => {
  console.error(`conformance-client: not finished after ${patience} ms`)
  process.exit(1)
}, patience)
try {
  await run(args[0])
} catch (error) {
  console.error(`conformance-client: ${error instanceof Error ? `${error.message}${error.cause ? ` (${error.cause})` : ""}` : error}`)
  process.exitCode = 1
} finally {
  clearTimeout(limit)
}

/** Plays one scenario in a session of its own. @param {string} url */
async function run(url) {
  const { MCP_CONFORMANCE_SCENARIO: scenario = "", MCP_CONFORMANCE_PROTOCOL_VERSION: version, MCP_CONFORMANCE_CONTEXT: context } = process.env
  const given = JSON.parse(context || "{}")
  const engine = await load()
  const client = new Client(engine)
  const login = await signInAs(url, scenario, given)
  const session = connect(engine, fetchTransport(url, { authorization: login.authorization }), {
    clientInfo: { name: "parley-conformance-client", version: "1.0.0" },
    ...(version && !anyVersion && { versions: [version], discover: true }),
    askers: { ...client.askers, authorize: login.authorize },
    watchers: client.watchers,
  })
  client.session = session
  try {
    await play(client, scenario, given)
  } finally {
    await session.close()
  }
  if (engine.live) throw new Error(`${engine.live} calls or sessions are left in the engine`)
}
