// Calls whose server wants a sign-in: the tool runs once, and nobody is asked twice.
import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import test from "node:test"
import { fileURLToPath } from "node:url"

import { Code, connect, fetchTransport, load, PARK } from "../dist/node.js"
import { memoryAccounts, signIn } from "../dist/oauth/node.js"
import { contains, equal, ok } from "./assert.js"
import { authorizationServer, browse, json, protectedServer } from "./oauth-servers.js"

/** @import { ServerResponse } from "node:http" */
/** @import { TestContext } from "node:test" */
/** @import { Askers, Outcome } from "../dist/node.js" */
/** @import { SignInOptions } from "../dist/oauth/node.js" */

/**
 * An MCP server with one tool, which asks for a name and writes it down: reading
 * needs the scope "read", and the second leg "write".
 *
 * @param {TestContext} t
 */
async function world(t) {
  /** @type {Map<string, string[]>} */
  const scopes = new Map()
  const as = await authorizationServer(t, {
    callback: (url) => void granted.push(url.searchParams.get("code") ?? ""),
    instead: ({ path, query, form }) => {
      if (path === "/authorize") last = query.get("scope")?.split(" ") ?? []
      if (form.get("grant_type")) next = last
      return false
    },
  })
  /** @type {string[]} */
  const granted = []
  /** @type {string[]} */
  let last = []
  /** @type {string[]} */
  let next = []
  /** What the tool wrote down. @type {string[]} */
  const ran = []
  const refused = new Set()
  const mcp = await protectedServer(t, [as.origin], {
    instead({ method, path, body, authorization = "" }, response, origin) {
      if (path !== "/mcp") return
      if (method !== "POST") return response.writeHead(405).end()
      const token = authorization.replace("Bearer ", "")
      if (as.secrets.includes(token) && !scopes.has(token)) scopes.set(token, next)
      const may = refused.has(token) ? undefined : scopes.get(token)
      const message = JSON.parse(body)
      const wants = message.params?.inputResponses ? "write" : "read"
      if (!may) return refuse(response, 401, `error="invalid_token", scope="read", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`)
      if (!may.includes(wants)) return refuse(response, 403, `error="insufficient_scope", scope="${wants}"`)
      return json(response, { jsonrpc: "2.0", id: message.id, result: result(message) }), true
    },
  })
  /** @param {{method: string, params: any}} message */
  const result = ({ method, params }) => {
    if (method === "tools/list") return { tools: [{ name: "write_down", inputSchema: { type: "object" } }] }
    if (!params.inputResponses) return { resultType: "input_required", requestState: "s", inputRequests: { who: { method: "elicitation/create", params: { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } } } } }
    ran.push(params.inputResponses.who.content.name)
    return { content: [{ type: "text", text: `wrote ${params.inputResponses.who.content.name}` }] }
  }
  return { as, mcp, ran, refused }
}

/** @param {ServerResponse} response @param {number} status @param {string} parameters */
function refuse(response, status, parameters) {
  response.writeHead(status, { "WWW-Authenticate": `Bearer ${parameters}` }).end()
  return true
}

/** @param {string} url @param {Partial<SignInOptions>} options @param {Askers} [askers] */
async function host(url, options, askers) {
  const login = signIn({ url, open: (page) => void browse(page.url), ...options })
  const session = connect(await load(), fetchTransport(url, { authorization: login.authorization }), { versions: ["2026-07-28"], askers: { elicit: () => ({ action: "accept", content: { name: "Ann" } }), authorize: login.authorize, ...askers } })
  return { login, session }
}

const call = { method: "tools/call", params: { name: "write_down" } }

/** @param {Outcome} outcome */
function text(outcome) {
  if (outcome.status !== "done") throw new Error(`not done: ${JSON.stringify(outcome)}: ${outcome.status === "failed" && outcome.cause}`)
  return JSON.parse(outcome.result).content[0].text
}

test("from nothing to a result: a sign-in, a form, and more rights at its answer", async (t) => {
  const { mcp, ran } = await world(t)
  /** @type {string[]} */
  const asked = []
  const { session } = await host(mcp.url, { ask: ({ status, scopes }) => void asked.push(`${status} ${scopes}`) }, { elicit: () => (asked.push("form"), { action: "accept", content: { name: "Ann" } }) })
  equal(text(await session.call(call)), "wrote Ann")
  equal(asked, ["401 read", "form", "403 write"])
  equal(ran, ["Ann"], "runs of the tool")
  equal(text(await session.call(call)), "wrote Ann", "once more, signed in")
  equal(asked, ["401 read", "form", "403 write", "form"])
  await session.close()
})

test("calls at once are one sign-in", async (t) => {
  const { as, mcp } = await world(t)
  let asked = 0
  const { session } = await host(mcp.url, { ask: () => void asked++ })
  const lists = await Promise.all([1, 2, 3].map(() => session.call({ method: "tools/list" })))
  equal(lists.map(({ status }) => status), ["done", "done", "done"])
  equal([asked, as.paths().filter((path) => path === "GET /authorize").length], [1, 1])
  await session.close()
})

test("a token that ends in the middle of a round is renewed without anybody", async (t) => {
  const { as, mcp, ran, refused } = await world(t)
  let asked = 0
  const { session } = await host(mcp.url, { ask: () => void asked++ }, {
    elicit() {
      for (const one of as.secrets) refused.add(one)
      return { action: "accept", content: { name: "Bo" } }
    },
  })
  const first = text(await session.call(call))
  equal([first, ran], ["wrote Bo", ["Bo"]])
  equal(asked, 2, "to sign in, and for more rights; not for the token that ended")
  equal(as.seen.filter(({ form }) => form.get("grant_type") === "refresh_token").length, 1)
  await session.close()
})

test("a call that is parked at the sign-in goes on elsewhere, with its answers", async (t) => {
  const { mcp, ran } = await world(t)
  const store = memoryAccounts()
  const here = await host(mcp.url, { store, ask: ({ status }) => (status === 403 ? PARK : undefined) })
  const parked = await here.session.call(call)
  await here.session.close()
  if (parked.status !== "parked") throw new Error(`not parked: ${JSON.stringify(parked)}`)
  ok(!parked.snapshot.includes("access-") && !parked.snapshot.includes("refresh-"), "no token is in the snapshot")
  const there = await host(mcp.url, { store }, { elicit: () => { throw new Error("asked twice") } })
  equal(text(await there.session.resume({ snapshot: parked.snapshot, expect: { principal: (await there.login.account())?.label } })), "wrote Ann")
  equal(ran, ["Ann"])
  await there.session.close()
})

test("who says no ends the call, which can be resumed", async (t) => {
  const { mcp } = await world(t)
  let may = false
  const { session } = await host(mcp.url, { ask: () => { if (!may) throw new Error("not now") } })
  const outcome = await session.call(call)
  if (outcome.status !== "failed") throw new Error("it did not fail")
  equal([outcome.code, outcome.resumable], [Code.unauthorized, true])
  contains(outcome.cause, "not now")
  may = true
  equal(text(await session.resume({ snapshot: outcome.snapshot ?? "" })), "wrote Ann")
  await session.close()
})

test("the README's host signs in", async (t) => {
  const { mcp } = await world(t)
  const package_ = fileURLToPath(new URL("..", import.meta.url))
  const [snippet = ""] = [...readFileSync(join(package_, "README.md"), "utf8").matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = ""]) => code).filter((code) => code.includes("parley/oauth"))
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, "node_modules/@parley-mcp"), { recursive: true })
  symlinkSync(package_, join(folder, "node_modules/@parley-mcp/parley"))
  writeFileSync(join(folder, "host.mjs"), snippet.replace("http://127.0.0.1:8080/mcp", mcp.url))
  const child = spawn(process.execPath, ["host.mjs"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })
  let said = ""
  for await (const text of child.stdout.setEncoding("utf8")) {
    said += text
    const [, page] = /^Sign in at \S+: (\S+)$/m.exec(text) ?? []
    if (page) await browse(page)
  }
  contains(said, /\nwrite_down\n$/)
})
