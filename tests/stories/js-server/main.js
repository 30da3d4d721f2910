#!/usr/bin/env node
import { createServer } from "node:http"
import { parseArgs } from "node:util"

import { toNodeHandler } from "@modelcontextprotocol/node"
import { createMcpHandler } from "@modelcontextprotocol/server"

import { guardOf } from "./keys.js"
import { allowOrigins } from "./origin.js"
import { makeServer } from "./server.js"
import { onlyUsers, readUsers } from "./users.js"

const usage = `js-server is an MCP server (protocol 2026-07-28, Streamable HTTP, no sessions)
with some of the features of tests/stories/go-server: each asks for input before it
answers. Instances of both with the same keys finish each other's rounds.

Usage: node main.js [options]

Once it listens it prints one line, "listening on URL", on standard output.
The log goes to standard error: a line for each round, and why a requestState
was refused. Interrupt it (Ctrl-C, SIGTERM) to stop.

  --port number     where to listen on 127.0.0.1; 0 takes a free one (default 8081)
  --ttl seconds     how long a client may take to answer a round (default 86400)
  --key-file name   the keys that seal requestState, for several instances; SIGHUP reads
                    them again (default: a new key that ends with the process)
  --audience name   the service, the same on all instances with these keys (default parley-go-server)
  --users name      a file of lines "user token": nobody else may call, by bearer token
  --origin URL      let pages of this web origin call the server; may be repeated
  --help            print this text
`

/** @param {string} line */
const log = (line) => console.error(line)

try {
  await main()
} catch (error) {
  console.error(`js-server: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

async function main() {
  const { values: options } = parseArgs({
    options: {
      port: { type: "string", default: "8081" },
      ttl: { type: "string", default: "86400" },
      "key-file": { type: "string" },
      audience: { type: "string", default: "parley-go-server" },
      users: { type: "string" },
      origin: { type: "string", multiple: true, default: [] },
      help: { type: "boolean" },
    },
  })
  if (options.help) {
    process.stdout.write(usage)
    return
  }
  const port = whole("--port", options.port)
  const guard = await guardOf({ keyFile: options["key-file"], audience: options.audience, ttl: whole("--ttl", options.ttl) * 1000, log })
  const users = options.users === undefined ? undefined : await readUsers(options.users)

  const mcp = createMcpHandler(() => makeServer(guard, log), {
    legacy: "reject",
    maxRequestBodySize: 1 << 20,
    onerror: (error) => log(error.message),
  })
  const answer = toNodeHandler({ fetch: allowOrigins(options.origin, onlyUsers(users, mcp.fetch)) }, { onerror: (error) => log(error.message) })
  const server = createServer({ headersTimeout: 10_000 }, (request, response) => {
    if (request.url === "/mcp") return void answer(request, response)
    response.writeHead(404).end()
  })
  server.on("error", (error) => {
    console.error(`js-server: ${error.message}`)
    process.exitCode = 1
  })
  server.listen(port, "127.0.0.1", () => {
    const address = server.address()
    console.log(`listening on http://127.0.0.1:${typeof address === "object" && address?.port}/mcp`)
  })
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      server.close(() => guard.close())
      server.closeIdleConnections()
      // Rounds are short; what is left after a second is a client's open stream.
      setTimeout(() => server.closeAllConnections(), 1000).unref()
    })
  }
}

/** @param {string} name @param {string} text */
function whole(name, text) {
  if (!/^\d+$/.test(text)) throw new Error(`${name} is a whole number: ${text} (--help lists the options)`)
  return Number(text)
}
