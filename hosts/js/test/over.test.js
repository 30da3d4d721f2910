// Sessions over clients of the official SDKs. The server here is a script, so
// that it can also do what servers on SDKs do not; tests/interop plays those.
import test from "node:test"

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { Client as EarlierClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport as EarlierHTTP } from "@modelcontextprotocol/sdk/client/streamableHttp.js"

import { Code, connect, load } from "../dist/node.js"
import { capabilities, over } from "../dist/transport/sdk-client.js"
import { contains, equal, ok } from "./assert.js"
import { deferred, failed } from "./peer.js"

/** @import { Askers, Outcome } from "../dist/node.js" */

const engine = await load()
const info = { name: "test", version: "1" }
const elicit = () => ({ action: "accept", content: { a: "Ada" } })

/** A server as the SDKs' clients see one: what it answers is for `tool` to say. */
class Server {
  /** @type {any} */ onmessage
  /** @type {any} */ onclose
  /** @type {any[]} */ sent = []
  /** What to do with a tools/call. @type {(request: any, server: Server) => void} */
  tool = ({ id }) => this.result(id, { content: [] })
  /** @type {Map<string, (message: any) => void>} */
  #answers = new Map()
  /** @type {(() => void) | undefined} */
  #told

  /** @param {string} version */
  constructor(version) {
    this.version = version
  }

  async start() {}

  async close() {
    this.onclose?.()
  }

  /** @param {any} message */
  async send(message) {
    this.sent.push(message)
    const { id, method } = message
    const hello = { capabilities: { tools: {} }, serverInfo: { name: "script", version: "1" } }
    if (method === undefined) this.#answers.get(id)?.(message)
    else if (method === "server/discover") this.result(id, { supportedVersions: [this.version], ...hello })
    else if (method === "initialize") this.result(id, { protocolVersion: this.version, ...hello })
    else if (method === "tools/call") setTimeout(() => this.tool(message, this))
    else if (method === "notifications/cancelled") this.#told?.()
  }

  /** @param {any} id @param {object} result */
  result(id, result) {
    const type = this.version >= "2026" ? { resultType: "complete", ttlMs: 0, cacheScope: "private" } : {}
    queueMicrotask(() => this.onmessage({ jsonrpc: "2.0", id, result: { ...type, ...result } }))
  }

  /** Asks as servers of earlier eras do. @param {string} id @param {string} method @param {object} params @returns {Promise<any>} */
  ask(id, method, params) {
    return new Promise((resolve) => {
      this.#answers.set(id, resolve)
      this.onmessage({ jsonrpc: "2.0", id, method, params })
    })
  }

  /** When something was cancelled. @returns {Promise<void>} */
  cancelled() {
    return new Promise((resolve) => (this.#told = resolve))
  }
}

const elicitation = { message: "Who?", requestedSchema: { type: "object", properties: { b: { type: "string" }, a: { type: "string" } } } }

/** The clients, by the era that they speak. @type {Record<string, (declared: any) => {client: any, server: Server}>} */
const clients = {
  modern: (declared) => ({ client: new Client(info, { capabilities: declared, versionNegotiation: { mode: { pin: "2026-07-28" } } }), server: new Server("2026-07-28") }),
  legacy: (declared) => ({ client: new Client(info, { capabilities: declared, versionNegotiation: { mode: "legacy" } }), server: new Server("2025-11-25") }),
  "earlier SDK": (declared) => ({ client: new EarlierClient(info, { capabilities: declared }), server: new Server("2025-11-25") }),
}

/** @param {string} name @param {Askers} [askers] @param {any} [declared] */
async function start(name, askers = { elicit }, declared = capabilities(engine, askers)) {
  const { client, server } = /** @type {NonNullable<typeof clients[string]>} */ (clients[name])(declared)
  await client.connect(server)
  return { client, server, session: connect(engine, over(client), { askers }) }
}

const call = { method: "tools/call", params: { name: "t" } }

/** @param {Outcome} outcome */
function result(outcome) {
  if (outcome.status !== "done") throw new Error(JSON.stringify(outcome))
  return JSON.parse(outcome.result)
}

test("what to declare is what askers can answer", () => {
  equal(capabilities(engine, { elicit, elicitURL: elicit, sample: elicit, listRoots: elicit }), { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} })
  equal(capabilities(engine, {}), {})
  equal(engine.live, 0)
})

for (const name of Object.keys(clients)) {
  test(`${name}: a question, its fields in the server's order`, async () => {
    /** @type {string[]} */
    const fields = []
    const asking = { elicit: (/** @type {any} */ { params }) => (fields.push(...Object.keys(JSON.parse(params).requestedSchema.properties)), elicit()) }
    const { client, server, session } = await start(name, asking)
    server.tool = async ({ id, params }) => {
      if (name !== "modern") server.result(id, { content: [], structuredContent: (await server.ask("q", "elicitation/create", elicitation)).result })
      else if (params.inputResponses) server.result(id, { content: [], structuredContent: params.inputResponses.q })
      else server.result(id, { resultType: "input_required", requestState: "", inputRequests: { q: { method: "elicitation/create", params: elicitation } } })
    }
    equal(result(await session.call(call)).structuredContent, elicit())
    equal(fields, ["b", "a"])
    if (name === "modern") equal(server.sent.at(-1).params.requestState, "", "an empty state")
    await session.close()
    await client.close()
  })

  test(`${name}: values are kept, spellings are not`, async () => {
    const { client, server, session } = await start(name)
    server.tool = ({ id, params }) => server.result(id, { content: [], structuredContent: params.arguments })
    const outcome = await session.call({ method: "tools/call", params: '{"name":"t","arguments":{"b":9007199254740991,"a":1.0,"2":"\\u00e9"}}' })
    contains(outcome.status === "done" && outcome.result, '"structuredContent":{"2":"é","b":9007199254740991,"a":1}')
    await session.close()
    await client.close()
  })

  test(`${name}: a whole number that the client would round is not sent, and no question with one is put`, async () => {
    let asked = 0
    const { client, server, session } = await start(name, { elicit: () => (asked++, elicit()) })
    server.tool = ({ id, params }) => server.result(id, { content: [], structuredContent: params.arguments })
    const sent = server.sent.length
    const unsent = failed(await session.call({ method: "tools/call", params: '{"name":"t","arguments":{"b":9007199254740993}}' }))
    equal([unsent.inDoubt ?? false, server.sent.slice(sent).filter(({ method }) => method === "tools/call").length], [false, 0])
    contains(JSON.stringify(unsent), "the client would round a whole number")
    const large = { message: "Who?", requestedSchema: { type: "object", properties: { a: { type: "integer", default: 2 ** 60 } } } }
    server.tool = async ({ id }) => {
      if (name !== "modern") server.result(id, { content: [], structuredContent: await server.ask("q", "elicitation/create", large) })
      else server.result(id, { resultType: "input_required", requestState: "", inputRequests: { q: { method: "elicitation/create", params: large } } })
    }
    contains(JSON.stringify(await session.call(call)), "may have rounded a whole number")
    equal(asked, 0)
    await session.close()
    await client.close()
  })

  test(`${name}: an error of the server is passed on`, async () => {
    const { client, server, session } = await start(name)
    server.tool = ({ id }) => server.onmessage({ jsonrpc: "2.0", id, error: { code: -32011, message: "no such thing", data: { n: 1 } } })
    const { code, response } = failed(await session.call(call))
    equal([code, JSON.parse(response ?? "null")], [Code.rpc, { code: -32011, message: "no such thing", data: { n: 1 } }])
    await session.close()
    await client.close()
  })

  test(`${name}: a call that is cancelled is cancelled at the server`, async () => {
    const { client, server, session } = await start(name)
    const abort = new AbortController()
    const cancelled = server.cancelled()
    server.tool = () => abort.abort()
    equal(failed(await session.call({ ...call, signal: abort.signal })).code, Code.canceled)
    await cancelled
    await session.close()
    await client.close()
  })

  test(`${name}: closing waits until the server has got the cancellation, but not for ever`, async (t) => {
    for (const late of [false, true]) {
      const { client, server, session } = await start(name)
      const abort = new AbortController()
      /** @type {string[]} */
      const log = []
      const [cancelling, arrived] = [deferred(), deferred()]
      const send = server.send
      server.send = async (message) => {
        if (message.method !== "notifications/cancelled") return send.call(server, message)
        cancelling.resolve()
        await arrived.promise
        log.push("cancelled")
      }
      server.tool = () => abort.abort()
      equal(failed(await session.call({ ...call, signal: abort.signal })).code, Code.canceled)
      await cancelling.promise
      if (late) t.mock.timers.enable({ apis: ["setTimeout"] })
      const closed = session.close().then(() => log.push("closed"))
      await new Promise(setImmediate)
      equal(log, [])
      if (late) t.mock.timers.tick(5000)
      else arrived.resolve()
      await closed
      equal(log, late ? ["closed"] : ["cancelled", "closed"])
      await client.close()
    }
  })

  test(`${name}: in doubt if and only if the request may have arrived`, async () => {
    const { client, server, session } = await start(name)
    server.tool = () => void server.close()
    equal(failed(await session.call(call)).code, Code.inDoubt, "a server that dies")
    const { code, detail } = failed(await session.call(call))
    equal(code, Code.lost, "a client that is closed")
    contains(detail, "the client is not connected")
    server.tool = ({ id }) => server.result(id, { content: [] })
    await client.connect(server)
    equal(result(await session.call(call)).content, [], "a client that is connected again")
    await session.close()
    await client.close()
  })

  test(`${name}: progress restarts the clock of its leg`, async () => {
    const { client, server, session } = await start(name)
    /** @type {unknown[]} */
    const progress = []
    server.tool = ({ id, params }) => {
      server.onmessage({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: params._meta.progressToken, progress: 1, total: 2 } })
      setTimeout(() => server.result(id, { content: [] }))
    }
    const onProgress = (/** @type {number} */ _, /** @type {string} */ params) => progress.push(JSON.parse(params).progress)
    result(await session.call({ ...call, watchers: { onProgress } }))
    equal(progress, [1])
    await session.close()
    await client.close()
  })

  if (name === "modern") continue

  test(`${name}: what the client did not declare`, async () => {
    const { client, session } = await start(name, { elicit, listRoots: elicit }, { elicitation: { form: {} } })
    const { code, detail } = failed(await session.call(call))
    equal(code, Code.lost)
    contains(detail, "the client has not declared roots")
    await session.close()
    await client.close()
  })

  test(`${name}: a question that the server takes back`, async () => {
    /** @type {Promise<unknown>} */
    let moot = Promise.resolve()
    /** @type {() => void} */
    let open = () => {}
    const opened = new Promise((resolve) => (open = () => resolve(undefined)))
    const asking = { elicit: (/** @type {unknown} */ _, /** @type {{signal: AbortSignal}} */ { signal }) => (moot = new Promise((_, reject) => (signal.addEventListener("abort", () => reject(signal.reason)), open()))) }
    const { client, server, session } = await start(name, /** @type {Askers} */ (asking))
    server.tool = async ({ id }) => {
      void server.ask("q", "elicitation/create", elicitation)
      await opened
      server.onmessage({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "q" } })
      server.result(id, { content: [] })
    }
    equal(result(await session.call(call)).content, [])
    equal(await moot.then(() => "answered", () => "moot"), "moot")
    await session.close()
    await client.close()
  })

  test(`${name}: after the session the client is asked nothing of its`, async () => {
    const { client, server, session } = await start(name)
    await session.call(call)
    await session.close()
    equal((await server.ask("q", "elicitation/create", elicitation)).error?.code, -32601)
    await client.close()
  })

  test(`${name}: what an HTTP status says of a call`, async () => {
    let status = 500
    const fetch = async (/** @type {any} */ _, /** @type {any} */ init) => {
      const { id, method } = init.body ? JSON.parse(init.body) : /** @type {any} */ ({})
      if (method === "initialize") return Response.json({ jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: info } })
      return new Response(null, { status: method === "tools/call" ? status : init.method === "GET" ? 405 : 202 })
    }
    const url = new URL("http://localhost/mcp")
    const client = name === "legacy" ? new Client(info) : new EarlierClient(info)
    await client.connect(/** @type {any} */ (name === "legacy" ? new StreamableHTTPClientTransport(url, { fetch }) : new EarlierHTTP(url, { fetch })))
    const session = connect(engine, over(client))
    equal(failed(await session.call(call)).code, Code.inDoubt, "500")
    status = 403
    equal(failed(await session.call(call)).code, Code.lost, "403")
    await session.close()
    await client.close()
  })
}

test("modern: tasks are refused before one begins, because the client refuses them", async () => {
  const { client, server, session } = await start("modern", { elicit, tasks: true })
  const { code, detail } = failed(await session.call(call))
  equal(code, Code.lost)
  contains(detail, "leave tasks out of the askers")
  equal(server.sent.filter(({ method }) => method === "tools/call").length, 0, "calls")
  await session.close()
  await client.close()
})

test("a session that insists on another version than the client's", async () => {
  for (const [name, versions] of /** @type {const} */ ([["legacy", ["2026-07-28"]], ["modern", ["2025-11-25"]]])) {
    const { client, server } = /** @type {NonNullable<typeof clients[string]>} */ (clients[name])({})
    await client.connect(server)
    const session = connect(engine, over(client), { versions: [...versions] })
    ok([Code.rpc, Code.lost].includes(/** @type {any} */ (failed(await session.call(call)).code)), name)
    equal(server.sent.filter(({ method }) => method === "tools/call").length, 0, "calls")
    await session.close()
    await client.close()
  }
  equal(engine.live, 0, "live")
})
