// The built terminal app, a person with a real browser, and protected servers on two SDKs.

import assert from "node:assert/strict"
import test from "node:test"

import { startAuthorizationServer } from "./authorization-server.js"
import { startBrowser } from "./browser.js"
import { assertNoSecrets } from "./secrets.js"
import { servers, startServer } from "./servers.js"
import { Terminal } from "./terminal.js"

const browser = await startBrowser()
test.after(() => browser.close())

const answers = [{ key: "target", action: "accept", content: { target: "staging" } }]
const yes = { action: "accept" }

/**
 * @typedef {object} Scene
 * @property {Terminal} terminal
 * @property {string} url
 * @property {() => Promise<import("./servers.js").Seen>} seen
 * @property {import("./authorization-server.js").AuthorizationServer} authorization
 * @property {Record<string, string>} texts to be searched for secrets, too
 */

/**
 * @param {string} title @param {(scene: Scene) => Promise<void>} story
 * @param {import("./authorization-server.js").Options} [habits] of the authorization server @param {string[]} [names] of servers
 */
function tell(title, story, habits, names = Object.keys(servers)) {
  for (const name of names) {
    test(`terminal at ${name}: ${title}`, async (t) => {
      const authorization = await startAuthorizationServer(habits)
      t.after(authorization.close)
      const server = await startServer(t, name, authorization)
      const person = await browser.person()
      t.after(() => person.leaves())
      const terminal = await Terminal.start(t, person)
      /** @type {Record<string, string>} */
      const texts = {}
      await story({ terminal, url: server.url, seen: server.seen, authorization, texts })

      const processes = terminal.arguments()
      assert.ok(processes.length > 0 && processes.every((all) => all.includes("code_challenge=")), "the browser's argument was among those looked at")
      texts["arguments of processes"] = processes.join("\n")
      texts["what was said"] = terminal.written
      texts["log of the server"] = server.log()
      const searched = assertNoSecrets(authorization.ledger.secrets(), { folders: [terminal.folder], texts })
      assert.ok(searched.secrets >= 5 && searched.places > 6, `only ${searched.secrets} secrets in ${searched.places} places`)
    })
  }
}

tell("from nothing to the result, more allowed at the second leg, expired, signed out", async ({ terminal, url, seen, authorization }) => {
  const { counts } = authorization.ledger
  const call = await terminal.run("call", url, "deploy", "--trace", "--script", terminal.script({ answers, signIn: [{ ...yes, at: new URL(authorization.issuer).host }, yes] }))
  assert.equal(call.code, 0, call.said)
  assert.match(call.out, /deploy by alice: staging/)
  assert.match(call.said, /wants you to sign in[^]*signed in at[^]*wants you to allow more[^]*signed in at/)
  assert.equal(call.said.match(/question \d of round/g)?.length, 1, "the person was asked once")
  assert.equal((await seen()).counts["deploy ran"], 1)
  assert.equal(counts.authorizations, 2)

  authorization.expire()
  const look = await terminal.run("call", url, "look")
  assert.equal(look.code, 0, look.said)
  assert.doesNotMatch(look.said, /sign/)
  assert.equal(counts.authorizations, 2, "an expired token is renewed without anybody")

  assert.match((await terminal.run("accounts")).out, new RegExp(`^${url}  at ${authorization.issuer} .*deploy work since`))
  assert.ok(authorization.ledger.alive("RefreshToken") > 0)
  const logout = await terminal.run("logout", url)
  assert.equal(logout.code, 0, logout.said)
  assert.equal(authorization.ledger.alive("RefreshToken"), 0, "signing out revokes")
  assert.equal((await terminal.run("accounts")).out, "")
  assert.match((await terminal.run("call", url, "look")).said, new RegExp(`parley login ${url} `))
})

tell("not now at the second leg, signed in elsewhere, finished in another process", async ({ terminal, url, seen, authorization, texts }) => {
  const call = await terminal.run("call", url, "deploy", "--script", terminal.script({ answers, signIn: [yes, { action: "decline" }] }))
  assert.equal(call.code, 3, call.said)
  assert.match(call.said, /wants you to sign in, and you did not/)
  const [id = ""] = await terminal.parked()
  assert.equal((await seen()).counts["deploy ran"] ?? 0, 0)

  texts["the snapshot"] = (await terminal.run("export", id, "-", "--keep")).out
  assert.match(texts["the snapshot"], /staging/)
  const nobody = await terminal.run("resume", id)
  assert.match(nobody.said, new RegExp(`run {2}parley login ${url} --scope '?[a-z ]*deploy[a-z ]*'? {2}first`))
  assert.doesNotMatch(nobody.said, /in doubt/)
  const login = await terminal.run("login", url, "--scope", "work deploy")
  assert.equal(login.code, 0, login.said)
  const resumed = await terminal.run("resume", id)
  assert.equal(resumed.code, 0, resumed.said)
  assert.match(resumed.out, /deploy by alice: staging/)
  assert.doesNotMatch(resumed.said, /asks/, "what was answered is kept")
  assert.equal((await seen()).counts["deploy ran"], 1)
  assert.equal(authorization.ledger.counts.authorizations, 2)
})

tell("who asks for offline_access and consent is signed in for long, and a refresh names the scopes", async ({ terminal, url, authorization }) => {
  const { counts, tokenRequests } = authorization.ledger
  assert.equal((await terminal.run("login", url)).code, 0)
  assert.equal(counts["asked to consent"], 1)
  for (const times of [1, 2]) {
    authorization.expire()
    const look = await terminal.run("call", url, "look")
    assert.equal(look.code, 0, look.said)
    assert.equal(counts["refresh_token granted"], times)
  }
  assert.deepEqual(new Set(tokenRequests.filter(({ grant }) => grant === "refresh_token").map(({ scope }) => scope)), new Set(["work"]))
  assert.equal(counts.authorizations, 1)
  authorization.revoke()
  const over = await terminal.run("call", url, "look")
  assert.match(over.said, /wants you to sign in[^]*The last sign-in is over: [^]*invalid_grant[^]*It says: “grant request is invalid”/)
}, { offline: "asked" }, ["ts"])

tell("offline_access is listed and refused: the browser is sent on without it", async ({ terminal, url, authorization }) => {
  const { counts } = authorization.ledger
  const login = await terminal.run("login", url)
  assert.equal(login.code, 0, login.said)
  assert.deepEqual([counts.authorizationsRefused, counts.authorizations, counts.registrations], [1, 1, 1])
  assert.match(login.said, /you are signed in at \S+ for work since/)
}, { offline: "refused" }, ["ts"])
