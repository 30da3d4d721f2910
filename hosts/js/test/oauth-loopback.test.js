// The listener that a browser comes back to: any program of this machine can send it anything.
import assert from "node:assert/strict"
import { connect } from "node:net"
import { test } from "node:test"
import { text } from "node:stream/consumers"

import { loopback } from "../dist/oauth/loopback-node.js"

test("odd requests end nothing, and the answer still arrives", { timeout: 60_000 }, async () => {
  const callback = await loopback({ state: "s1", signal: new AbortController().signal })
  const { host, port } = new URL(callback.redirectUri)
  /** @param {string} line @param {string} [to] */
  const send = async (line, to = host) => {
    const socket = connect(Number(port), "127.0.0.1")
    socket.write(`${line}\r\nHost: ${to}\r\nConnection: close\r\n\r\n`)
    return (await text(socket)).split("\r\n")[0]
  }
  const answer = "/callback?state=s1&code=c"
  for (const line of ["GET // HTTP/1.1", "GET http://[ HTTP/1.1", "GET http://: HTTP/1.1", "OPTIONS * HTTP/1.1", "GET /%zz HTTP/1.1", `POST ${answer} HTTP/1.1`, `GET http://elsewhere.example${answer} HTTP/1.1`, "GET / HTTP/1.1"]) {
    assert.equal(await send(line), "HTTP/1.1 404 Not Found", line)
  }
  for (const line of ["GET ", "\0", "GET /callback HTTP/9.9"]) assert.match((await send(line)) ?? "", /^HTTP\/1\.1 4|^$/, line)
  assert.equal(await send(`GET ${answer} HTTP/1.1`, "elsewhere.example"), "HTTP/1.1 404 Not Found", "of another name")
  assert.equal(await send("GET /callback?state=s2&code=c HTTP/1.1"), "HTTP/1.1 400 Bad Request", "of another sign-in")
  assert.equal(await send(`GET ${answer} HTTP/1.1`), "HTTP/1.1 200 OK")
  assert.equal(new URL(String(await callback.response)).searchParams.get("code"), "c")
  callback.close?.(true)
})
