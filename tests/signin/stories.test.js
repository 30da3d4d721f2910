// A person signs in, with a real browser, while a call of Parley's clients waits: in Go and in Node, at servers on two
// SDKs. Every story ends by searching all that was written for all that is secret.

import assert from "node:assert/strict"
import test from "node:test"

import { startAuthorizationServer } from "./authorization-server.js"
import { startBrowser } from "./browser.js"
import { clients, Machine } from "./clients.js"
import { assertNoSecrets } from "./secrets.js"
import { examples, servers, startExample, startServer } from "./servers.js"
import { example } from "./stories/example.js"
import { identities } from "./stories/identities.js"
import { offline } from "./stories/offline.js"
import { rounds } from "./stories/rounds.js"
import { sessions } from "./stories/sessions.js"

const browser = await startBrowser()
test.after(() => browser.close())

/** @typedef {Awaited<ReturnType<typeof startServer>>} Server */
/** @typedef {(t: test.TestContext, authorization: import("./authorization-server.js").AuthorizationServer) => Promise<Server>} Start */

/**
 * @param {string} title @param {string} client @param {Start} start @param {import("./stories/scene.js").Story} story
 * @param {import("./authorization-server.js").Options} [habits] of the authorization server
 */
function tell(title, client, start, story, habits) {
  test(`${client} at ${title}`, async (t) => {
    const authorization = await startAuthorizationServer({ scopes: ["work", "deploy", "items", "items:write"], ...habits })
    t.after(authorization.close)
    const server = await start(t, authorization)
    const person = await browser.person()
    t.after(() => person.leaves())
    const machine = new Machine(t, client, server.url)
    const { ledger } = authorization
    await story({ machine, server, authorization, person, counts: ledger.counts })

    for (const { grant, resource } of ledger.tokenRequests) assert.equal(resource, server.url, `${grant} names the resource`)
    assert.equal((await server.seen()).counts.queries, undefined, "nothing is in a URL")
    const searched = assertNoSecrets(ledger.secrets(), { folders: [machine.folder], texts: { ...machine.texts, "log of the server": server.log() } })
    assert.ok(searched.places > 2)
  })
}

/** @param {string} name @param {string[]} [flags] @returns {Start} */
const named = (name, flags) => (t, authorization) => startServer(t, name, authorization, flags)

for (const client of Object.keys(clients)) {
  for (const name of Object.keys(servers)) for (const [title, story] of Object.entries(rounds)) tell(`${name}: ${title}`, client, named(name), story)
  for (const [title, story] of Object.entries(sessions)) tell(`gosdk in sessions: ${title}`, client, named("gosdk", ["--legacy"]), story)
  for (const [title, story] of Object.entries(identities)) tell(`gosdk: ${title}`, client, named("gosdk", ["--openid"]), story)
  for (const [name, flags] of Object.entries({ ts: [], gosdk: ["--openid"] })) {
    for (const [title, [story, habits]] of Object.entries(offline)) tell(`${name}: ${title}`, client, named(name, flags), story, habits)
  }
  for (const name of Object.keys(examples)) {
    for (const [title, story] of Object.entries(example)) tell(`${name}: ${title}`, client, (t, authorization) => startExample(t, name, authorization), story)
  }
}
