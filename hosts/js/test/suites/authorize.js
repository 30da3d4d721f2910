import { Code, connect, Engine, fetchTransport, PARK } from "../../dist/index.js"
import { contains, equal, ok } from "../assert.js"
import { limited } from "../modules.js"
import { deferred, done, failed, oneAsk, snapshotOf } from "../peer.js"

/** @import { Askers, Question } from "../../dist/index.js" */
/** @import { Env } from "../suite.js" */

/** Signing in, at a server that wants it twice: for its tool, and for the answers to its question. @param {Env} env */
export default function authorize({ test, load, wasm }) {
  test("a challenge in the middle of a round costs no answer", async () => {
    const server = guarded()
    const engine = await load()
    const session = connect(engine, fetchTransport("http://localhost/mcp", server), {
      askers: { elicit: () => server.elicit(), authorize: (question) => server.signIn(question) },
    })
    const outcome = await session.call({ method: "tools/call", params: { name: "deploy" } })
    equal(outcome, { status: "done", result: done, noStore: true })
    equal(server.asked, ['401 read undefined Bearer scope="read"', '403 deploy insufficient_scope Bearer error="insufficient_scope", scope="deploy"'])
    equal(server.answers, ['Bearer narrow {"who":{"action":"accept","content":{"n":1}}}', 'Bearer wide {"who":{"action":"accept","content":{"n":1}}}'])
    equal([server.elicited, server.ran], [1, 1])
    await session.close()
  })

  test("a call that is parked while somebody is asked to sign in goes on elsewhere", async () => {
    const server = guarded()
    server.token = "Bearer narrow"
    const engine = await load()
    /** @type {Askers} */
    const askers = { elicit: () => server.elicit(), authorize: () => PARK }
    const first = connect(engine, fetchTransport("http://localhost/mcp", server), { askers })
    const parked = await first.call({ method: "tools/call", params: { name: "deploy" } })
    equal(parked.status, "parked")
    await first.close()
    server.token = "Bearer wide"
    const second = connect(engine, fetchTransport("http://localhost/mcp", server), { askers })
    const outcome = await second.resume({ snapshot: parked.status === "parked" ? parked.snapshot : "" })
    equal([outcome.status, server.elicited, server.ran], ["done", 1, 1])
    await second.close()
  })

  test("a call that a trap ended after somebody has signed in is continued as theirs", async () => {
    const server = guarded()
    const engine = new Engine(limited(await wasm(), 40))
    const asked = deferred()
    const large = JSON.stringify({ text: "x".repeat((1 << 20) - 1000) })
    const session = connect(engine, fetchTransport("http://localhost/mcp", {
      authorization: server.authorization,
      fetch: async (url, init) => (JSON.parse(String(init.body)).params.name === "large" ? new Response(large, { headers: { "Content-Type": "application/json" } }) : server.fetch(url, init)),
    }), { askers: { authorize: (question) => server.signIn(question), elicit: () => server.elicit() } })
    const elicit = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    const call = session.call({ method: "tools/call", params: { name: "deploy" }, askers: { authorize: (question) => server.signIn(question), elicit }, save: () => {} })
    await asked.promise
    equal(failed(await session.call({ method: "tools/call", params: { name: "large" } })).code, Code.instance)
    const snapshot = snapshotOf(await call, Code.instance)
    equal(await session.resume({ snapshot, expect: { principal: "a-1" } }), { status: "done", result: done, noStore: true })
    equal(server.ran, 1)
    await session.close()
  })

  test("what keeps somebody from signing in is the cause, and nothing is in doubt", async () => {
    const engine = await load()
    const refusal = new Error("not now")
    /** @type {[Askers, (() => string) | undefined, number, string][]} */
    const tests = [
      [{ authorize: () => { throw refusal } }, undefined, Code.unauthorized, "nobody signed in"],
      [{}, undefined, Code.unauthorized, "HTTP status 401"],
      [{}, () => { throw new Error("the token file is empty") }, Code.lost, "the token file is empty"],
    ]
    for (const [askers, authorization, code, words] of tests) {
      const session = connect(engine, fetchTransport("http://localhost/mcp", { fetch: guarded().fetch, authorization }), { askers })
      const failure = failed(await session.call({ method: "tools/call", params: { name: "deploy" } }))
      equal([failure.code, failure.resumable], [code, true])
      contains(`${failure.detail} ${failure.cause}`, words)
      ok(!askers.authorize || failure.cause === refusal, "the cause")
      await session.close()
    }
  })
}

/** A server that lets in who has a token, and takes answers from who has a wide one; and a person. */
function guarded() {
  const server = {
    token: "",
    elicited: 0,
    ran: 0,
    /** @type {string[]} */
    asked: [],
    /** @type {string[]} */
    answers: [],
    authorization: () => server.token,
    elicit() {
      server.elicited++
      return { action: "accept", content: { n: 1 } }
    },
    /** @param {Question} question */
    signIn({ kind, params = "" }) {
      const { status, scope, error, challenge } = JSON.parse(params)
      server.asked.push(`${status} ${scope} ${error} ${challenge}`)
      equal(kind, "authorize")
      server.token = scope === "deploy" ? "Bearer wide" : "Bearer narrow"
      return { account: "a-1" }
    },
    /** @param {string} _url @param {RequestInit & {headers: Record<string, string>}} init */
    async fetch(_url, { headers, body }) {
      const { id, params } = JSON.parse(String(body))
      const token = headers.Authorization
      const answers = params.inputResponses
      if (!token) return challenge(401, 'Bearer scope="read"')
      if (answers) server.answers.push(`${token} ${JSON.stringify(answers)}`)
      if (answers && token !== "Bearer wide") return challenge(403, 'Bearer error="insufficient_scope", scope="deploy"')
      if (answers) server.ran++
      return new Response(`{"jsonrpc":"2.0","id":${id},"result":${answers ? done : oneAsk}}`, { headers: { "Content-Type": "application/json" } })
    },
  }
  return server
}

/** @param {number} status @param {string} wanted */
function challenge(status, wanted) {
  return new Response("", { status, headers: { "WWW-Authenticate": wanted } })
}
