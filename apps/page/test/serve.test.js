// The page's server: any program of this machine can send it anything.
import assert from "node:assert/strict"
import { connect } from "node:net"
import { text } from "node:stream/consumers"
import { test } from "node:test"

import { serve } from "../serve.mjs"

test("odd requests end nothing", { timeout: 60_000 }, async (t) => {
  const { origin, close } = await serve()
  t.after(close)
  const { host, port } = new URL(origin)
  /** @param {string} line @param {string} [to] */
  const send = async (line, to = host) => {
    const socket = connect(Number(port), "127.0.0.1")
    socket.write(`${line}\r\nHost: ${to}\r\nConnection: close\r\n\r\n`)
    return (await text(socket)).split("\r\n")[0]
  }
  for (const line of ["GET // HTTP/1.1", "GET http://[ HTTP/1.1", "GET http://: HTTP/1.1"]) assert.equal(await send(line), "HTTP/1.1 400 Bad Request", line)
  assert.equal(await send("GET // HTTP/1.1", "elsewhere.example"), "HTTP/1.1 421 Misdirected Request")
  assert.equal(await send("GET /nothing HTTP/1.1"), "HTTP/1.1 404 Not Found")
  assert.equal(await send("GET / HTTP/1.1"), "HTTP/1.1 200 OK")
})
