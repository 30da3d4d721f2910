// Many servers at once, over real HTTP: most on the official SDK, some dead, some
// that want a sign-in, some hostile.
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { Readable } from "node:stream"
import test from "node:test"

import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from "@modelcontextprotocol/server"

import { Code, connect, fetchTransport, load, toolResult } from "../dist/node.js"
import { nameApart, Sessions } from "../dist/tools/sessions.js"
import { contains, equal, ok, thrown } from "./assert.js"

/** @import { Question } from "../dist/node.js" */

const engine = await load()

for (const { says, tools, names } of JSON.parse(readFileSync(new URL("../../testdata/names/apart.json", import.meta.url), "utf8"))) {
  test(`names apart: ${says}`, () => equal(nameApart(tools.map((/** @type {[string, string]} */ [server, name]) => ({ server, name }))), names))
}

/** A server's address. @param {import("node:test").TestContext} t @param {import("node:http").RequestListener} listener @returns {Promise<string>} */
async function listen(t, listener) {
  const server = createServer(listener)
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}/mcp`
}

/** A server of the official SDK with a tool that asks as often as it is told. @param {import("node:test").TestContext} t @param {string} own its own tool */
function good(t, own) {
  const ran = { times: 0 }
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer({ name: own, version: "1" })
    const schema = { inputSchema: fromJsonSchema({ type: "object" }) }
    server.registerTool(own, schema, () => ({ content: [{ type: "text", text: own }] }))
    server.registerTool("ask", schema, (_, { mcpReq }) => {
      if (mcpReq.inputResponses) {
        ran.times++
        return { content: [{ type: "text", text: JSON.stringify(mcpReq.inputResponses) }] }
      }
      return inputRequired({ inputRequests: { a: inputRequired.elicit({ message: `${own} asks`, requestedSchema: { type: "object", properties: {} } }) }, requestState: "s" })
    })
    return server
  })
  const url = listen(t, async (request, response) => {
    const body = request.method === "POST" ? { body: /** @type {any} */ (Readable.toWeb(request)), duplex: /** @type {const} */ ("half") } : {}
    const answer = await fetch(new Request(`http://${request.headers.host}${request.url}`, { method: request.method ?? "GET", headers: /** @type {Record<string, string>} */ (request.headers), ...body }))
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  return { url, ran }
}

/** Answers every request with a result. @param {(method: string, n: number) => object} result @returns {import("node:http").RequestListener} */
function scripted(result) {
  let n = 0
  return async (request, response) => {
    const { id, method } = JSON.parse(await new Response(/** @type {any} */ (Readable.toWeb(request))).text())
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", ...result(method, n++) } }))
  }
}

const accepted = '{"action":"accept","content":{}}'

test("twenty servers: five dead, three that want a sign-in, two hostile", async (t) => {
  const servers = /** @type {[string, Promise<string>][]} */ ([])
  for (let i = 0; i < 10; i++) servers.push([`good${i}`, good(t, `own${i}`).url])
  const gone = createServer()
  await new Promise((resolve) => gone.listen(0, "127.0.0.1", () => resolve(undefined)))
  const { port } = /** @type {import("node:net").AddressInfo} */ (gone.address())
  await new Promise((resolve) => gone.close(resolve))
  servers.push(["nobody", Promise.resolve(`http://127.0.0.1:${port}/mcp`)])
  servers.push(["cut", listen(t, (_, response) => (response.writeHead(200, { "content-type": "application/json", "content-length": "100" }), response.write("{"), setImmediate(() => response.destroy())))])
  servers.push(["broken", listen(t, (_, response) => void response.writeHead(500).end("no"))])
  servers.push(["page", listen(t, (_, response) => void response.writeHead(200, { "content-type": "text/html" }).end("<p>hello"))])
  servers.push(["hangs up", listen(t, (request) => void request.socket.destroy())])
  for (let i = 0; i < 3; i++) servers.push([`locked${i}`, listen(t, (_, response) => void response.writeHead(401, { "www-authenticate": "Bearer" }).end())])
  servers.push(["endless", listen(t, scripted((_, n) => ({ tools: [{ name: `t${n}`, inputSchema: { type: "object" } }], nextCursor: "again" })))])
  servers.push(["liar", listen(t, scripted(() => ({ tools: [{ name: "ask", inputSchema: { type: "object" } }, { name: "good0_ask", inputSchema: { type: "object" } }] })))])

  const asked = /** @type {string[]} */ ([])
  const sessions = new Sessions({
    askers: {
      elicit: (_, { server }) => (asked.push(server), accepted),
      authorize: (_, { server }) => (asked.push(`sign in at ${server}`), {}),
    },
  })
  t.after(() => sessions.close())
  for (const [server, url] of servers) {
    const transport = fetchTransport(await url)
    sessions.add(server, (askers) => connect(engine, transport, { askers }))
  }
  equal(sessions.servers.length, 20, "servers")

  const { tools, failed } = await sessions.tools()
  equal(asked, [], "asked of a person while tools are listed")
  equal(failed.map(({ server }) => server), ["nobody", "cut", "broken", "page", "hangs up", "locked0", "locked1", "locked2"])
  const why = Object.fromEntries(failed.map(({ server, error }) => [server, /** @type {any} */ (error)]))
  equal([why["locked0"].code, why["locked2"].code], [Code.unauthorized, Code.unauthorized])
  equal(tools.filter(({ server }) => server === "endless").map(({ tool }) => tool.name), ["t0", "t1"], "a list that gives its cursor again")
  const names = tools.map(({ name }) => name)
  equal(new Set(names).size, names.length, "names that differ")
  equal(names.slice(0, 4), ["own0", "good0_ask", "own1", "good1_ask"])
  equal(tools.slice(-2).map(({ name, server, tool }) => [name, server, tool.name]), [["liar_ask", "liar", "ask"], ["good0_ask_2", "liar", "good0_ask"]])

  for (const { name, server, tool } of tools.filter(({ name }) => name === "good3_ask" || name === "own9")) {
    const { content } = await sessions.callTool(server, { name: tool.name, arguments: {} })
    ok(content.length === 1, name)
  }
  equal(asked, ["good3"], "who has asked")
})

test("a server that says nothing has its time", async (t) => {
  const sessions = new Sessions({ listTime: 50 })
  t.after(() => sessions.close())
  const transport = fetchTransport(await listen(t, () => {}))
  sessions.add("silent", (askers) => connect(engine, transport, { askers }))
  const { tools, failed } = await sessions.tools()
  equal(tools, [])
  contains(String(failed[0]?.error), "silent did not list its tools in 0.05 seconds")
})

/** Some servers that ask, and a person who answers when told. @param {import("node:test").TestContext} t @param {string[]} names @param {Partial<import("../dist/tools/sessions.js").SessionsOptions>} [options] */
async function asking(t, names, options) {
  const open = /** @type {{server: string, answer: (answer: string) => void, signal: AbortSignal}[]} */ ([])
  let wake = () => {}
  const sessions = new Sessions({
    askers: {
      elicit: (_, { server, signal }) =>
        new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason))
          open.push({ server, answer: resolve, signal })
          wake()
        }),
    },
    onQuestions: () => wake(),
    ...options,
  })
  t.after(() => sessions.close())
  const counts = new Map()
  for (const name of names) {
    const { url, ran } = good(t, name)
    counts.set(name, ran)
    const transport = fetchTransport(await url)
    sessions.add(name, (askers) => connect(engine, transport, { askers }))
  }
  /** Waits for something that changes with the line. @param {() => boolean} condition */
  const until = async (condition) => {
    while (!condition()) await new Promise((resolve) => (wake = () => resolve(undefined)))
  }
  const ask = (/** @type {string} */ server, side = {}) => sessions.call(server, { method: "tools/call", params: { name: "ask", arguments: {} }, ...side })
  return { sessions, open, until, ask, ran: (/** @type {string} */ name) => counts.get(name).times }
}

test("servers take turns: one that asks a lot does not keep others from asking", async (t) => {
  const { sessions, open, until, ask } = await asking(t, ["loud", "quiet"])
  const calls = [0, 1, 2].map(() => ask("loud"))
  await until(() => sessions.questions.waiting.length === 2)
  calls.push(ask("quiet"))
  await until(() => sessions.questions.waiting.length === 3)
  equal(sessions.questions.open.map(({ server, question }) => [server, JSON.parse(question.params ?? "").message]), [["loud", "loud asks"]])
  const order = []
  for (let i = 0; i < 4; i++) {
    await until(() => open.length === i + 1)
    order.push(open[i]?.server)
    equal(sessions.questions.open.length, 1, "put at once")
    open[i]?.answer(accepted)
  }
  equal(order, ["loud", "quiet", "loud", "loud"])
  for (const outcome of await Promise.all(calls)) ok(toolResult(outcome).content.length === 1, "a result")
  equal(sessions.questions, { open: [], waiting: [] })
})

test("several at once, and fewer of one server", async (t) => {
  const { sessions, open, until, ask } = await asking(t, ["a", "b"], { atOnce: 3, atOncePerServer: 2 })
  const calls = ["a", "a", "a", "b"].map((server) => ask(server))
  await until(() => open.length === 3 && sessions.questions.waiting.length === 1)
  equal(open.map(({ server }) => server).sort(), ["a", "a", "b"])
  equal(sessions.questions.waiting.map(({ server }) => server), ["a"])
  for (let i = 0; i < 4; i++) {
    await until(() => open.length > i)
    open[i]?.answer(accepted)
  }
  await Promise.all(calls)
})

test("a question whose call ends leaves the line", async (t) => {
  const { sessions, open, until, ask } = await asking(t, ["a", "b"])
  const first = ask("a")
  await until(() => open.length === 1)
  const own = new AbortController()
  const second = ask("b", { signal: own.signal })
  await until(() => sessions.questions.waiting.length === 1)
  own.abort()
  equal((await second).status, "failed")
  await until(() => sessions.questions.waiting.length === 0)
  open[0]?.answer(accepted)
  equal((await first).status, "done")
  equal(open.length, 1, "questions that were put")
})

test("an asker that ignores its signal does not hold up the line", async (t) => {
  const put = /** @type {string[]} */ ([])
  let wake = () => {}
  const first = new Promise((resolve) => (wake = () => resolve(undefined)))
  const { ask } = await asking(t, ["a", "b"], { askers: { elicit: (_, { server }) => (put.push(server), wake(), server === "a" ? new Promise(() => {}) : accepted) } })
  const stop = new AbortController()
  const [a, b] = [ask("a", { signal: stop.signal }), first.then(() => ask("b"))]
  await first
  stop.abort()
  equal([(await a).status, (await b).status, put], ["failed", "done", ["a", "b"]])
})

test("all are parked, and go on elsewhere", async (t) => {
  const { sessions, open, until, ask, ran } = await asking(t, ["a", "b"])
  const calls = ["a", "b", "b"].map((server) => ask(server))
  await until(() => open.length === 1 && sessions.questions.waiting.length === 2)
  sessions.park()
  const outcomes = await Promise.all(calls)
  equal(outcomes.map(({ status }) => status), ["parked", "parked", "parked"])
  await until(() => sessions.questions.open.length === 0)
  const last = outcomes[2]
  const resumed = sessions.resume("b", { snapshot: last?.status === "parked" ? last.snapshot : "" })
  await until(() => open.length === 2)
  open[1]?.answer(accepted)
  equal((await resumed).status, "done")
  equal([ran("a"), ran("b")], [0, 1], "how often the tools ran")
})

test("all are canceled, or those of one server, or a server is removed", async (t) => {
  const { sessions, open, until, ask } = await asking(t, ["a", "b"])
  const [a, b] = [ask("a"), ask("b")]
  await until(() => open.length === 1 && sessions.questions.waiting.length === 1)
  sessions.cancel({ server: "a", reason: new Error("enough") })
  const canceled = await a
  equal(canceled.status === "failed" && [canceled.code, canceled.resumable, String(canceled.cause)], [Code.canceled, true, "Error: enough"])
  await until(() => open.length === 2)
  const removed = sessions.remove("b")
  const outcome = await b
  equal(outcome.status === "failed" && outcome.code, Code.canceled)
  equal([await removed, await sessions.remove("b"), sessions.servers], [true, false, ["a"]])
  contains((await thrown(() => ask("b"), "a server that is gone")).message, 'there is no server "b"')
  const again = ask("a")
  await until(() => open.length === 3)
  sessions.cancel()
  equal((await again).status, "failed")
})

test("wrong use is told at once", async (t) => {
  const { sessions } = await asking(t, ["a"])
  contains((await thrown(() => sessions.add("a", () => sessions.session("a")), "a name that is taken")).message, "already")
  contains((await thrown(() => sessions.add("", () => sessions.session("a")), "no name")).message, "1 to 64")
  contains((await thrown(() => new Sessions({ atOnce: 0 }), "none at once")).message, "at least one")
  const stop = new AbortController()
  stop.abort(new Error("no time"))
  contains((await thrown(() => sessions.tools({ signal: stop.signal }), "stopped")).message, "no time")
})

test("what asks nobody does not wait in line", async (t) => {
  /** @type {((answer: string) => void)[]} */
  const forms = []
  let put = () => {}
  const seen = new Promise((resolve) => (put = () => resolve(undefined)))
  const sessions = new Sessions({
    askers: {
      elicit: () => new Promise((resolve) => (forms.push(resolve), put())),
      listRoots: (_, { server }) => ({ roots: [{ uri: `file:///${server}` }] }),
    },
  })
  t.after(() => sessions.close())
  const asks = (/** @type {object} */ request) =>
    listen(t, async (received, response) => {
      const { id, params } = JSON.parse(await new Response(/** @type {any} */ (Readable.toWeb(received))).text())
      const result = params?.inputResponses ? { resultType: "complete", content: [{ type: "text", text: JSON.stringify(params.inputResponses) }] } : { resultType: "input_required", requestState: "s", inputRequests: { r: request } }
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }))
    })
  const form = fetchTransport(await asks({ method: "elicitation/create", params: { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } } }))
  const roots = fetchTransport(await asks({ method: "roots/list" }))
  sessions.add("form", (askers) => connect(engine, form, { askers }))
  sessions.add("roots", (askers) => connect(engine, roots, { askers }))
  const slow = sessions.callTool("form", { name: "t" })
  await seen
  contains(JSON.stringify(await sessions.callTool("roots", { name: "t" })), "file:///roots")
  forms[0]?.(accepted)
  await slow
})
