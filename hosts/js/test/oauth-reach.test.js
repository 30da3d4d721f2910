// What a server that names addresses can make this program connect to: nothing in
// the private network, unless it is in there. The table is shared with Go.
import dns from "node:dns/promises"
import { readFileSync } from "node:fs"
import { createServer as createWebServer } from "node:http"
import { syncBuiltinESMExports } from "node:module"
import { createServer, Socket } from "node:net"
import test from "node:test"

import { address } from "../dist/oauth/address.js"
import { signIn } from "../dist/oauth/node.js"
import { dialedReach, isPrivate } from "../dist/oauth/private-network-node.js"
import { spelledReach } from "../dist/oauth/private-network.js"
import { sender } from "../dist/oauth/http.js"
import { contains, equal, ok, thrown } from "./assert.js"

/** @import { LookupAddress } from "node:dns" */
/** @import { TestContext } from "node:test" */

/**
 * @typedef {object} Table
 * @property {Record<string, string[]>} names
 * @property {string[]} public
 * @property {string[]} inside
 * @property {{address: string, private: boolean}[]} addresses
 * @property {{url: string, public: string, inside?: string, hidden?: boolean}[]} urls
 */
/** @type {Table} */
const table = JSON.parse(readFileSync(new URL("../../testdata/oauth/reach.json", import.meta.url), "utf8"))

/** @param {string} name @returns {Promise<LookupAddress[]>} */
const lookup = async (name) => {
  const found = table.names[name]
  if (!found) throw Object.assign(new Error(`no such name: ${name}`), { code: "ENOTFOUND" })
  return found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
}

/** Notes the addresses that sockets are to dial, and dials none. @param {TestContext} t */
function dials(t) {
  /** @type {string[]} */
  const dialed = []
  t.mock.method(Socket.prototype, "connect", /** @this {Socket} */ function (/** @type {any} */ first) {
    const { host, lookup } = Array.isArray(first) ? first[0] : first
    const dial = (/** @type {string[]} */ found) => {
      dialed.push(...found)
      this.destroy(new Error("dialed"))
    }
    if (/^[\d.]+$|:/.test(host)) process.nextTick(dial, [host])
    else lookup(host, { all: true }, (/** @type {Error | null} */ error, /** @type {LookupAddress[]} */ found) => (error ? this.destroy(error) : dial(found.map(({ address }) => address))))
    return this
  })
  return dialed
}

/** What comes of a request to an address that a server named. @param {string} server @param {string} url @param {string[]} dialed */
async function reached(server, url, dialed) {
  dialed.length = 0
  const mcp = new URL(server)
  const send = sender({ fetch: dialedReach(mcp, lookup) })
  const error = await thrown(async () => send(address(url, "the authorization server", mcp).href), url)
  const all = table.names[new URL(url).hostname]?.length ?? 1
  const got = dialed.length === all ? "dialed" : dialed.length ? "partly dialed" : "refused"
  equal(/** @type {any} */ (error).code, dialed.length ? "unreachable" : "address", `${server} names ${url}: ${error}`)
  return got
}

test("what is in the private network", () => {
  for (const { address, private: want } of table.addresses) equal(isPrivate(address), want, address)
  ok(table.addresses.length > 40, "all of them")
})

test("in Node a public server leads to nothing private, one that is inside does", async (t) => {
  const dialed = dials(t)
  for (const kind of /** @type {const} */ (["public", "inside"])) {
    for (const server of table[kind]) {
      for (const { url, [kind]: want } of table.urls) if (want) equal(await reached(server, url, dialed), want, `${server} names ${url}`)
    }
  }
  ok(table.urls.length > 35, "all of them")
})

test("in a page the spelling is judged, and nothing is sent", async (t) => {
  const server = new URL(table.public[0] ?? "")
  let sent = 0
  t.mock.method(globalThis, "fetch", async () => (sent++, new Response("")))
  for (const { url, public: want, hidden } of table.urls) {
    sent = 0
    const outcome = await spelledReach(server)(url).then(() => "sent", ({ code }) => code)
    equal([outcome, sent], want === "refused" && !hidden ? ["address", 0] : ["sent", 1], url)
    const own = new URL("https://10.0.0.1/mcp")
    equal(await spelledReach(own)(url).then(() => "sent", ({ code }) => code), "sent", `${url} for a server that is inside`)
  }
})

test("no connection is opened to what listens on this machine", async (t) => {
  let connections = 0
  const listener = createServer((socket) => (connections++, socket.destroy()))
  await new Promise((resolve) => listener.listen(0, "127.0.0.1", () => resolve(undefined)))
  t.after(() => listener.close())
  const { port } = /** @type {import("node:net").AddressInfo} */ (listener.address())
  const hosts = ["127.0.0.1", "localhost", "localhost.", "login.localhost", "loopback.example.com", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "[64:ff9b::127.0.0.1]"]
  for (const host of hosts) {
    const url = new URL(`https://${host}:${port}/`)
    const error = await thrown(() => dialedReach(table.public[0] ?? "", lookup)(url), host)
    equal([/** @type {any} */ (error).code, connections], ["address", 0], host)
    contains(error.message, "is in the private network, and the server is not: nothing is sent there")
  }
  await thrown(() => dialedReach(table.inside[0] ?? "", async () => [{ address: "127.0.0.1", family: 4 }])(`https://loopback.example.com:${port}/`), "no TLS")
  equal(connections, 1, "for a server that is inside")
})

test("a name that leads elsewhere at each look leads nowhere that was not judged", async (t) => {
  const dialed = dials(t)
  let looks = 0
  const rebinding = async () => [{ address: looks++ ? "10.0.0.1" : "203.0.113.15", family: 4 }]
  const fetch = dialedReach("https://203.0.113.14/mcp", rebinding)
  contains((await thrown(() => fetch("https://login.example.com/"), "the first")).message, "dialed")
  equal([dialed, looks], [["203.0.113.15"], 1])
  equal(/** @type {any} */ (await thrown(() => fetch("https://login.example.com/"), "the second")).code, "address")
  equal([dialed, looks], [["203.0.113.15"], 2])
})

test("a sign-in where the metadata leads into the private network says so, and goes nowhere", async (t) => {
  /** @type {string[]} */
  const dialed = []
  const metadata = createWebServer((_, response) => response.setHeader("Content-Type", "application/json").end(JSON.stringify({ resource: `http://${host}/mcp`, authorization_servers: ["https://private.example.com"] })))
  await new Promise((resolve) => metadata.listen(0, "127.0.0.1", () => resolve(undefined)))
  t.after(() => metadata.close())
  const host = `203.0.113.14:${/** @type {import("node:net").AddressInfo} */ (metadata.address()).port}` // which leads to that server here
  const { connect } = Socket.prototype
  t.mock.method(Socket.prototype, "connect", /** @this {Socket} */ function (/** @type {any} */ first, /** @type {any[]} */ ...more) {
    const options = Array.isArray(first) ? first[0] : first
    if (options.host === "203.0.113.14") options.host = "127.0.0.1"
    else this.once("connectionAttempt", (address) => dialed.push(address))
    return Reflect.apply(connect, this, [first, ...more])
  })
  t.mock.method(dns, "lookup", lookup)
  syncBuiltinESMExports()
  t.after(syncBuiltinESMExports)
  const login = signIn({ url: `http://${host}/mcp`, open: () => {} })
  const question = /** @type {import("../dist/calls/askers.js").Question} */ ({ kind: "authorize", params: '{"status":401}' })
  const error = await thrown(async () => login.authorize(question, { signal: new AbortController().signal }), "a private address")
  equal([/** @type {any} */ (error).code, dialed], ["address", []], String(error))
  contains(error.message, "private.example.com is in the private network")
})
