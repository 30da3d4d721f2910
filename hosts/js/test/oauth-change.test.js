// The authorization server of an MCP server changes in the middle of a call.
import test from "node:test"

import { Code, connect, fetchTransport, load, PARK } from "../dist/node.js"
import { memoryAccounts, signIn } from "../dist/oauth/node.js"
import { contains, equal, ok } from "./assert.js"
import { authorizationServer, browse, json, protectedServer } from "./oauth-servers.js"

/** @import { TestContext } from "node:test" */
/** @import { Change, SignInOptions } from "../dist/oauth/node.js" */

/**
 * An MCP server whose tool asks for a name, and two authorization servers, of
 * which it trusts one.
 *
 * @param {TestContext} t
 */
async function world(t) {
  const [before, now] = [await authorizationServer(t), await authorizationServer(t)]
  const issuers = [before.origin]
  /** What the tool wrote down. @type {string[]} */
  const ran = []
  const mcp = await protectedServer(t, issuers, {
    instead({ method, path, body, authorization = "" }, response, origin) {
      if (path !== "/mcp") return
      if (method !== "POST") return response.writeHead(405).end()
      const trusted = issuers[0] === before.origin ? before : now
      if (!trusted.secrets.includes(authorization.replace("Bearer ", ""))) {
        return response.writeHead(401, { "WWW-Authenticate": `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` }).end()
      }
      const { id, params } = JSON.parse(body)
      if (params.inputResponses) ran.push(params.inputResponses.who.content.name)
      return json(response, { jsonrpc: "2.0", id, result: params.inputResponses ? { content: [] } : asks })
    },
  })
  const moves = () => {
    issuers[0] = now.origin
    before.refreshes.clear()
  }
  const url = `${mcp.origin}/mcp`
  const store = memoryAccounts()
  /** @param {Partial<SignInOptions>} options */
  const host = async (options) => {
    let asked = 0
    const login = signIn({ url, store, open: (page) => void browse(page.url), ...options })
    const elicit = () => {
      if (asked++ === 0) moves()
      return { action: "accept", content: { name: "Ann" } }
    }
    const session = connect(await load(), fetchTransport(url, { authorization: login.authorization }), { versions: ["2026-07-28"], askers: { elicit, authorize: login.authorize } })
    t.after(() => session.close())
    return { login, session, asked: () => asked }
  }
  return { before, now, mcp, ran, host }
}

const asks = { resultType: "input_required", requestState: "s", inputRequests: { who: { method: "elicitation/create", params: { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } } } } }
const call = { method: "tools/call", params: { name: "write_down" } }

test("the person agrees, and the call continues with the new account", async (t) => {
  const { before, now, mcp, ran, host } = await world(t)
  /** @type {Change[]} */
  const changes = []
  const { login, session, asked } = await host({ change: (change) => void changes.push(change) })
  const outcome = await session.call(call)
  equal([outcome.status, ran, asked()], ["done", ["Ann"], 1])
  equal(changes.map(({ host, account, issuer }) => [host, account.issuer, issuer]), [[new URL(mcp.origin).host, before.origin, now.origin]])
  const account = await login.account()
  equal([account?.issuer, account?.replaces], [now.origin, [changes[0]?.account.label]])
  ok(account?.label !== changes[0]?.account.label, "another account")
})

test("the person declines or parks: nothing is sent to the new authorization server, and the call can be resumed", async (t) => {
  const { now, ran, host } = await world(t)
  let label = ""
  const { session } = await host({
    change({ account }) {
      label = account.label
      throw new Error("no")
    },
  })
  const failed = await session.call(call)
  if (failed.status !== "failed") throw new Error(failed.status)
  equal([failed.code, failed.resumable, ran], [Code.unauthorized, true, []])
  const { session: other } = await host({ change: () => PARK })
  const parked = await other.resume({ snapshot: /** @type {string} */ (failed.snapshot), expect: { principal: label } })
  if (parked.status !== "parked") throw new Error(parked.status)
  equal(new Set(now.paths()), new Set(["GET /.well-known/oauth-authorization-server"]))
  const { session: last, asked } = await host({ change: () => {} })
  const outcome = await last.resume({ snapshot: parked.snapshot, expect: { principal: label } })
  equal([outcome.status, ran, asked()], ["done", ["Ann"], 0])
})

test("no other account continues a call if nobody is asked", async (t) => {
  const { ran, host } = await world(t)
  const { session } = await host({})
  const failed = await session.call(call)
  if (failed.status !== "failed") throw new Error(failed.status)
  contains(failed.detail, "another account")
  equal([failed.code, ran], [Code.unauthorized, []])
})
