// A session's cookies, in Node: hosts/testdata/cookies, whose README says how the scripts read, and what goes over the wire.
import { readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { createServer as createConnectionServer } from "node:net"
import test from "node:test"
import { inspect } from "node:util"

import { connect, fetchTransport, load } from "../dist/node.js"
import { CookieJar } from "../dist/transport/cookies.js"
import { contains, equal, ok } from "./assert.js"
import { expand } from "./corpus/script.js"
import { done, failed } from "./peer.js"

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { AddressInfo } from "node:net" */
/** @import { TestContext } from "node:test" */
/** @import { Carried, Carrier, Receive } from "../dist/node.js" */

const folder = new URL("../../testdata/cookies/", import.meta.url)
const scripts = readdirSync(folder).filter((name) => name.endsWith(".txt"))
ok(scripts.length >= 40, "scripts")
for (const name of scripts) {
  test(`cookies: ${name}`, () => {
    const [url = "", ...lines] = expand(readFileSync(new URL(name, folder), "utf8"))
      .replace(/^#.*\n\nurl /, "")
      .trim()
      .split("\n")
    const jar = new CookieJar(new URL(url))
    let kept = jar.of(0)
    for (const line of lines) {
      const [, seconds, verb, value = ""] = /^(\S+) (\S+) ?(.*)$/s.exec(line) ?? []
      const now = Date.UTC(2026, 9, 16, 12) + Number(seconds) * 1000
      if (verb === "account") kept = jar.of(Number(value))
      else if (verb === "set") kept.take([bytes(value)], now)
      else if (verb === "sends") equal(kept.field(now) ?? "", bytes(value), line)
      else ok(false, `unknown line ${line}`)
    }
  })
}

/** Text with bytes in place of escapes. @param {string} text */
const bytes = (text) => text.replace(/\\x([0-9a-f]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)))

/** @type {Record<"post" | "listen" | "delete", Carried>} */
const actions = { post: { type: "post", exchange: 1, headers: [], body: "{}" }, listen: { type: "listen", exchange: 1, headers: [] }, delete: { type: "delete", exchange: 1, headers: [] } }

test("a cookie counts on every answer, and goes back with every method", async (t) => {
  /** @type {Record<string, [status: number, type: string, body: string]>} */
  const answers = {
    result: [200, "application/json", "{}"], accepted: [202, "text/plain", ""], stream: [200, "text/event-stream", "data: {}\n\n"], "empty stream": [200, "text/event-stream", ""],
    redirect: [307, "text/plain", ""], "not found": [404, "text/plain", "no such session"], challenge: [401, "text/plain", ""], unavailable: [503, "text/html", "<html>"],
  }
  for (const [name, [status, type, body]] of Object.entries(answers)) {
    const server = await balancer(t, (_, response) => void response.writeHead(status, { "Content-Type": type }).end(body))
    for (const action of Object.values(actions)) {
      const carrier = new Performer(server.url)
      await carrier.perform(action)
      for (const next of Object.values(actions)) await carrier.perform(next)
      const node = `node=${server.given}`
      equal(server.came.splice(0), ["", node, node, node], `${name} to ${action.type}`)
    }
  }
})

test("a cookie's bytes go back as they came", async (t) => {
  const field = Buffer.from('a="ö, x"', "utf8").toString("latin1")
  const server = await balancer(t, (_, response) => void response.writeHead(200, { "Set-Cookie": [field, "b=2"] }).end())
  const carrier = new Performer(server.url)
  for (let i = 0; i < 2; i++) await carrier.perform(actions.post)
  equal(server.came, ["", `${field}; b=2`])
})

test("what goes out while a response is read has the cookie of its head", async (t) => {
  /** @type {ServerResponse | undefined} */
  let first
  const server = await balancer(t, (request, response) => {
    if (request.headers.cookie) return void response.writeHead(202).end()
    first = response
    response.writeHead(200, { "Content-Type": "text/event-stream" }).write(`data: {}\n\n`)
  })
  const carrier = new Performer(server.url)
  const open = carrier.perform(actions.post)
  await carrier.message
  await carrier.perform({ type: "post", exchange: 2, headers: [], body: "{}" })
  equal(server.came, ["", "node=1"])
  first?.end()
  await open
})

test("sessions of one transport share no cookie, nor do those before and after a reset", async (t) => {
  const server = await balancer(t, (_, response) => void response.writeHead(202).end())
  const transport = fetchTransport(server.url)
  for (let i = 1; i <= 2; i++) {
    const carrier = new Performer(transport)
    for (let j = 0; j < 2; j++) await carrier.perform(actions.post)
    equal(server.came.splice(0), ["", `node=${i}`])
    if (i === 2) carrier.reset()
    if (i === 2) await carrier.perform(actions.post)
  }
  equal(server.came.splice(0), [""])

  const carrier = new Performer(transport)
  await carrier.perform(/** @type {any} */ ({ ...actions.post, jar: 2 }))
  carrier.reset()
  await carrier.perform(actions.post)
  await carrier.perform(/** @type {any} */ ({ ...actions.post, jar: 1 }))
  await carrier.perform(actions.post)
  equal(server.came, ["", "", "", ""], "the next instance counts accounts from 0, and begins without a cookie")
})

test("another account begins without a cookie, and what came for the one before is gone", async (t) => {
  const server = await balancer(t, (request, response) => {
    if (request.headers.authorization !== takes) return void response.writeHead(401).end()
    respond(request, response)
  })
  let [takes, account, token] = ["Bearer a", "a-1", ""]
  const session = connect(await load(), fetchTransport(server.url, { authorization: () => token }), { askers: { authorize: () => ((token = takes), { account }) } })
  /** @param {string} wanted @param {string} who */
  const call = async (wanted, who) => {
    ;[takes, account] = [wanted, who]
    equal((await session.call({ method: "tools/call" })).status, "done")
    return server.came.splice(0)
  }
  equal(await call("Bearer a", "a-1"), ["", "node=1"], "whose the first cookie is")
  equal(await call("Bearer a2", "a-1"), ["node=1", "node=1"], "the same account with a new token")
  equal(await call("Bearer b", "b-2"), ["node=1", ""], "another account")
  equal(await call("Bearer b", "b-2"), ["node=2"], "the same again")
  await session.close()
})

test("what another server sets is not kept, though a fetch follows redirects there", async (t) => {
  const elsewhere = await balancer(t, (_, response) => void response.writeHead(202, { "Set-Cookie": "other=1" }).end())
  let moved = true
  const server = await balancer(t, (_, response) => void (moved ? response.writeHead(307, { Location: elsewhere.url }) : response.writeHead(202)).end())
  const carrier = new Performer(fetchTransport(server.url, { fetch: (url, init) => fetch(url, { ...init, redirect: "follow" }) }))
  await carrier.perform(actions.post)
  moved = false
  await carrier.perform(actions.post)
  equal(server.came, ["", ""])
})

test("no outcome, error or snapshot has a cookie in it", async (t) => {
  const secret = "c00kie-s3cret"
  for (const odd of [`odd=${secret}`, `odd=${secret}\x01\r\nSet-Cookie: next=${secret}`]) {
    const server = createConnectionServer((socket) => {
      socket.on("error", () => {})
      socket.on("data", (request) => {
        const id = /"id":(\d+)/.exec(String(request))?.[1]
        if (!id) return // the head alone
        const asks = `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","requestState":"the-state","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{}}}}}}}`
        if (!String(request).includes("the-state")) return void socket.end(`HTTP/1.1 200 OK\r\nSet-Cookie: node=${secret}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${asks.length}\r\n\r\n${asks}`)
        ok(String(request).includes(`node=${secret}`), "the cookie was sent")
        socket.end(`HTTP/1.1 200 OK\r\nSet-Cookie: ${odd}\r\nContent-Length: 5\r\n\r\n{`)
      })
    })
    const url = await listening(t, server)
    /** @type {unknown[]} */
    const shown = []
    const show = (/** @type {unknown[]} */ ...all) => void shown.push(...all)
    const session = connect(await load(), fetchTransport(url), { askers: { elicit: (question) => (show(question), { action: "accept", content: {} }) }, watchers: { onReady: show, onWarning: show } })
    const outcome = await session.call({ method: "tools/call", save: show, options: { audit: true }, watchers: { onNote: show, onLeg: show } })
    const { cause } = failed(outcome)
    show(outcome, cause, cause instanceof Error && cause.stack)
    await session.close()
    const text = shown.map((one) => inspect(one, { depth: 20, showHidden: true })).join("\n")
    ok(!text.includes(secret), "a cookie was shown")
    contains(text, "the-state")
  }
})

/** Performs actions on a hold of a transport. */
class Performer {
  /** @type {Carrier} */
  #carrier
  /** @type {Map<number, () => void>} */
  #ends = new Map()
  #heard = () => {}
  /** Is there once a message has come. @type {Promise<void>} */
  message = new Promise((resolve) => (this.#heard = resolve))

  /** @param {string | ReturnType<typeof fetchTransport>} transport */
  constructor(transport) {
    /** @type {Receive} */
    const receive = (event) => {
      this.#heard()
      if (event.type === "ended" || ("last" in event && event.last)) this.#ends.get("exchange" in event ? Number(event.exchange) : 0)?.()
    }
    this.#carrier = (typeof transport === "string" ? fetchTransport(transport) : transport).open(receive)
  }

  /** @param {Carried} action @returns {Promise<void>} */
  perform(action) {
    return new Promise((resolve) => {
      this.#ends.set(action.exchange, resolve)
      this.#carrier.perform(action)
    })
  }

  reset() {
    this.#carrier.reset()
  }
}

/** A server that gives each client a number by a cookie, whatever it answers. @param {TestContext} t @param {(request: IncomingMessage, response: ServerResponse) => void} answer */
async function balancer(t, answer) {
  /** @type {{url: string, given: number, came: string[]}} */
  const seen = { url: "", given: 0, came: [] }
  const server = createServer((request, response) => {
    seen.came.push(request.headers.cookie ?? "")
    if (!request.headers.cookie) response.setHeader("Set-Cookie", `node=${++seen.given}; Path=/; HttpOnly`)
    answer(request, response)
  })
  seen.url = await listening(t, server)
  return seen
}

/** The address of a server that ends with its test. @param {TestContext} t @param {import("node:net").Server} server @returns {Promise<string>} */
async function listening(t, server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)))
  t.after(() => {
    server.close()
    if ("closeAllConnections" in server) /** @type {import("node:http").Server} */ (server).closeAllConnections()
  })
  return `http://127.0.0.1:${/** @type {AddressInfo} */ (server.address()).port}/mcp`
}

/** Answers a tool's call. @param {IncomingMessage} request @param {ServerResponse} response */
async function respond(request, response) {
  let text = ""
  for await (const part of request) text += part
  response.writeHead(200, { "Content-Type": "application/json" }).end(`{"jsonrpc":"2.0","id":${JSON.parse(text).id},"result":${done}}`)
}
