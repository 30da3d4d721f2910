import assert from "node:assert/strict"
import test from "node:test"

import { load } from "../../../hosts/js/dist/node.js"
import { explain, failureOf } from "../failure.js"
import { Code, fetchTransport, PARK } from "../parley.js"
import { Run } from "../run.js"
import { Sessions } from "../sessions.js"
import { hostWarning, NotNow, signedOut, signInTo, wanted, why, whyNot } from "../sign-in.js"

/** @import { Asker, Outcome } from "../parley.js" */
/** @import { Server } from "../sessions.js" */

const engine = await load()
const url = "http://127.0.0.1:9/mcp"
const server = { label: "Desk", address: url }

/** @param {string} [principal] */
const newCall = (principal) => ({ id: "1", server: "Desk", address: url, method: "tools/call", params: '{"name":"deploy"}', title: "deploy", started: 1, principal })

/**
 * A server that wants a token, and an app whose people have the account of that
 * label, or sign in with it when they are asked.
 *
 * @param {{label?: string, replaces?: string[], authorize?: () => unknown}} [app]
 */
function reaching({ label, replaces, authorize = () => ({ account: "ada" }) } = {}) {
  /** @type {(string | undefined)[]} */
  const sent = []
  let token = label && `Bearer of ${label}`
  /** @type {Sessions<Server>} */
  const sessions = new Sessions(engine, {
    clientInfo: undefined,
    askers: () => ({}),
    onWarning: (_, text) => assert.fail(text),
    transport: () =>
      fetchTransport(url, {
        authorization: () => token,
        async fetch(_, { headers, body }) {
          const { id } = JSON.parse(String(body))
          sent.push(headers.Authorization)
          if (!headers.Authorization) return new Response(null, { status: 401, headers: { "WWW-Authenticate": 'Bearer scope="read write"' } })
          return Response.json({ jsonrpc: "2.0", id, result: { resultType: "complete", content: [] } })
        },
      }),
    account: () => ({
      account: () => (label === undefined ? undefined : { label, ...(replaces && { replaces }) }),
      async authorize(question, context, ask) {
        await ask?.(question, context)
        const answer = await authorize()
        if (answer !== PARK) token = "Bearer new"
        return /** @type {any} */ (answer)
      },
    }),
  })
  return { sessions, sent }
}

/** @param {Run<Server>} run @param {Asker} ask @param {string} [snapshot] @returns {Promise<Outcome>} */
const begin = (run, ask, snapshot) => run.begin(ask, (askers) => ({ askers }), () => assert.fail("it waits"), snapshot)

test("what is asked, in words", () => {
  const scoped = wanted({ params: '{"status":403,"scope":"read  write read","error":"insufficient_scope"}' })
  assert.deepEqual(scoped, { status: 403, scopes: ["read", "write"], error: "insufficient_scope" })
  assert.deepEqual(wanted({}), { status: 401, scopes: [], error: undefined })
  assert.equal(signInTo("desk\u202e.example"), "Sign in to desk<U+202E>.example?")
  assert.equal(why(scoped, "Desk"), "You are signed in, but for this Desk wants you to allow more.")
  assert.equal(why({ status: 401, error: "invalid_token" }, "Desk"), "Desk no longer accepts the last sign-in.")
  assert.equal(whyNot(new Error("parley: login.example gives no token")), "Login.example gives no token.")
  assert.match(hostWarning("xn--e1afmkfd.example") ?? "", /beyond a to z/)
  assert.equal(hostWarning("login.example"), undefined)
  assert.notEqual(signedOut("login.example", { revoked: true }), signedOut("login.example", { revoked: false }))
  assert.match(signedOut("login.example", { revoked: false, why: "it answers with HTTP status 503, and says “at noon”" }), /Technical details: It answers with HTTP status 503, and says “at noon”\.$/)
  assert.ok(whyNot(new Error(`parley: login.example gives no token: it answers with invalid_grant, and says “${"x".repeat(500)}…”`)).endsWith("x…”."), "500 characters of its words are shown")
})

test("a call that nobody was signed in for is the account's that signs in, and says so to be kept", async () => {
  const { sessions, sent } = reaching()
  const call = newCall()
  /** @type {unknown[]} */
  const asked = []
  const outcome = await begin(new Run(sessions, server, call), (question) => (asked.push(wanted(question).scopes), "{}"))
  assert.deepEqual([outcome.status, call.principal, asked, sent], ["done", "ada", [["read", "write"]], [undefined, "Bearer new"]])
})

test("a call is made for the account that is signed in", async () => {
  const { sessions } = reaching({ label: "ada" })
  const call = newCall()
  await begin(new Run(sessions, server, call), () => assert.fail("asked"))
  assert.equal(call.principal, "ada")
})

test("a call that was parked to sign in goes on with its account, and with no other", async () => {
  const call = newCall()
  const parked = await begin(new Run(reaching({ authorize: () => PARK }).sessions, server, call), () => "{}")
  assert.ok(parked.status === "parked")
  const done = await begin(new Run(reaching().sessions, server, call), () => "{}", parked.snapshot)
  assert.deepEqual([done.status, call.principal], ["done", "ada"])

  const run = new Run(reaching({ label: "bob" }).sessions, server, newCall("ada"))
  const outcome = await begin(run, () => assert.fail("asked"), parked.snapshot)
  assert.ok(outcome.status === "failed")
  assert.deepEqual([outcome.code, outcome.resumable, run.untouched], [Code.peer, true, true])
  assert.match(explain(failureOf(outcome), "Desk", { name: "this app", address: "", access: "" }).text, /^This call was made with another account at Desk/)
})

test("a call continues with an account that replaces its own, and with no other", async () => {
  const { sessions } = reaching({ authorize: () => PARK })
  const parked = await begin(new Run(sessions, server, newCall()), () => "{}")
  assert.ok(parked.status === "parked")
  const resumed = (/** @type {Parameters<typeof reaching>[0]} */ app, call = newCall("ada")) => begin(new Run(reaching(app).sessions, server, call), () => "{}", parked.snapshot)
  assert.equal((await resumed({ label: "bob", replaces: ["eve", "ada"] })).status, "done")
  assert.equal((await resumed({ label: "bob", replaces: ["eve"] })).status, "failed")

  const call = newCall("ada")
  await resumed({ authorize: () => ({ account: "bob", replaces: ["ada"] }) }, call)
  assert.equal(call.principal, "bob", "the list of calls names the new account")
})

test("who does not sign in is told why it does not go on, and can sign in then", async () => {
  const { sessions } = reaching({ authorize: () => Promise.reject(new NotNow()) })
  const outcome = await begin(new Run(sessions, server, newCall()), () => "{}")
  assert.ok(outcome.status === "failed")
  const { title, text, next } = explain(failureOf(outcome), "Desk", { name: "this app", address: "", access: "" })
  assert.deepEqual([outcome.code, title, text, next.map(({ label }) => label)], [Code.unauthorized, "It cannot continue without a sign-in", "You chose not to sign in now.", ["Sign in"]])
})
