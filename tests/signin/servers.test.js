// What the authorization server and the protected servers promise, seen by a plain client: the stories build on it.

import assert from "node:assert/strict"
import test from "node:test"

import { startAuthorizationServer } from "./authorization-server.js"
import { startBrowser } from "./browser.js"
import { fillIn } from "./forms.js"
import { leg, parameter, PlainClient, startCallback } from "./plain.js"
import { assertNoSecrets, processArguments } from "./secrets.js"
import { examples, servers, startExample, startServer } from "./servers.js"

const browser = await startBrowser()
test.after(() => browser.close())

for (const name of Object.keys(servers)) {
  test(`${name}: sign in, step up at the second leg, expire, refresh, rotate, revoke`, async (t) => {
    const authorization = await startAuthorizationServer()
    t.after(authorization.close)
    const server = await startServer(t, name, authorization)
    const person = await browser.person()
    t.after(() => person.leaves())

    const stranger = await leg(server.url, "deploy")
    assert.equal(stranger.status, 401, stranger.text)
    assert.match(stranger.exposed, /WWW-Authenticate.*Mcp-Session-Id/)
    const metadata = await (await fetch(parameter(stranger.challenge, "resource_metadata") ?? "")).json()
    assert.deepEqual([metadata.resource, metadata.authorization_servers], [server.url, [authorization.issuer]])

    const callback = await startCallback()
    t.after(callback.close)
    const client = await PlainClient.register(authorization.issuer, server.url, callback.uri)
    await person.signsIn(client.authorizationURL(callback.uri, "work"), "alice")
    assert.equal(person.read, "You can close this window.")
    const query = await callback.query
    assert.equal(query.get("iss"), authorization.issuer)
    const first = await client.exchange(query.get("code") ?? "", callback.uri)
    assert.equal(first.status, 200, first.error_description)

    const asked = await leg(server.url, "deploy", { token: first.access_token })
    assert.equal(asked.status, 200, asked.text)
    const more = { requestState: asked.result.requestState, inputResponses: { target: { action: "accept", content: { target: "staging" } } } }
    const challenged = await leg(server.url, "deploy", { token: first.access_token, more })
    assert.equal(challenged.status, 403, challenged.text)
    assert.equal(parameter(challenged.challenge, "error"), "insufficient_scope")
    assert.equal(parameter(challenged.challenge, "scope"), "work deploy")
    assert.equal(parameter(challenged.challenge, "resource_metadata"), parameter(stranger.challenge, "resource_metadata"))

    const again = await startCallback()
    t.after(again.close)
    await person.signsIn(client.authorizationURL(again.uri, "work deploy"), "alice")
    const second = await client.exchange((await again.query).get("code") ?? "", again.uri)
    const done = await leg(server.url, "deploy", { token: second.access_token, more })
    assert.equal(done.result?.content[0].text.trim(), "deploy by alice: staging", done.text)
    assert.deepEqual([person.named, person.allowed.at(-1)], [1, "deploy"], "the person says once who they are, and allows what is new")

    authorization.expire()
    assert.equal((await leg(server.url, "look", { token: second.access_token })).status, 401)
    const third = await client.refresh(second.refresh_token)
    assert.equal((await leg(server.url, "look", { token: third.access_token })).status, 200)
    assert.notEqual(third.refresh_token, second.refresh_token)
    assert.equal((await client.refresh(second.refresh_token)).error, "invalid_grant", "a refresh token is good once")
    assert.equal((await leg(server.url, "look", { token: third.access_token })).status, 401, "and used twice ends them all")

    assert.deepEqual((await server.seen()).counts["deploy ran"], 1)
    assert.equal(authorization.ledger.counts.authorizations, 2)
    const secrets = authorization.ledger.secrets()
    for (const secret of [first.access_token, second.refresh_token, third.access_token, client.verifier, query.get("code")]) assert.ok(secrets.includes(secret))
    assertNoSecrets(secrets, { texts: { "log of the server": server.log(), ...processArguments() } })
  })

  test(`${name}: a token for another server is no good, and a page may ask without one`, async (t) => {
    const authorization = await startAuthorizationServer()
    t.after(authorization.close)
    const server = await startServer(t, name, authorization)
    const callback = await startCallback()
    t.after(callback.close)
    const client = await PlainClient.register(authorization.issuer, "http://127.0.0.1:1/mcp", callback.uri)
    await fillIn(client.authorizationURL(callback.uri, "work deploy"))
    const elsewhere = await client.exchange((await callback.query).get("code") ?? "", callback.uri)
    assert.equal(elsewhere.status, 200)
    assert.equal((await leg(server.url, "look", { token: elsewhere.access_token })).status, 401)
    assert.equal((await server.seen()).counts["tokens for another resource"], 1)

    const preflight = await fetch(server.url, {
      method: "OPTIONS",
      headers: { Origin: "http://page.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,mcp-name" },
    })
    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get("Access-Control-Allow-Headers") ?? "", /authorization/)
  })
}

for (const name of Object.keys(examples)) {
  test(`${name}: each request needs what it does, whatever its header fields say`, async (t) => {
    const authorization = await startAuthorizationServer({ scopes: ["items", "items:write"] })
    t.after(authorization.close)
    const server = await startExample(t, name, authorization)
    const callback = await startCallback()
    t.after(callback.close)
    const client = await PlainClient.register(authorization.issuer, server.url, callback.uri)
    await fillIn(client.authorizationURL(callback.uri, "items"))
    const { access_token: token } = await client.exchange((await callback.query).get("code") ?? "", callback.uri)
    const item = { arguments: { id: 4711, state: "Resolved" } }
    const [place, answers] = [{ arguments: { location: "Oslo" } }, { inputResponses: { any: { action: "decline" } } }]

    for (const good of [undefined, token, "over"]) assert.equal((await leg(server.url, "get_weather", { token: good, more: place })).status, 200)
    const stranger = await leg(server.url, "update_work_item", { more: item })
    assert.deepEqual([stranger.status, parameter(stranger.challenge, "scope")], [401, "items"])
    assert.match(stranger.exposed, /WWW-Authenticate/)
    const metadata = await (await fetch(parameter(stranger.challenge, "resource_metadata") ?? "")).json()
    assert.deepEqual([metadata.resource, metadata.authorization_servers], [server.url, [authorization.issuer]])
    const over = await leg(server.url, "update_work_item", { token: "over", more: item })
    assert.deepEqual([over.status, parameter(over.challenge, "error")], [401, "invalid_token"])
    const asked = await leg(server.url, "update_work_item", { token, more: item })
    assert.equal(Object.keys(asked.result.inputRequests).length, 1, asked.text)
    const challenged = await leg(server.url, "update_work_item", { token, more: { ...item, ...answers, requestState: asked.result.requestState } })
    assert.deepEqual([challenged.status, parameter(challenged.challenge, "error"), parameter(challenged.challenge, "scope")], [403, "insufficient_scope", "items items:write"])

    const inDisguise = await leg(server.url, "update_work_item", { named: "get_weather", more: item })
    assert.ok([400, 401].includes(inDisguise.status), inDisguise.text)
    const other = await leg(server.url, "get_weather", { named: "update_work_item", more: place })
    assert.equal(other.status, 400, other.text)
    assertNoSecrets(authorization.ledger.secrets(), { texts: { "log of the server": server.log() } })
  })
}

test("the person says no, before and after signing in, or closes the window", async (t) => {
  const authorization = await startAuthorizationServer()
  t.after(authorization.close)
  const callbacks = await Promise.all([startCallback(), startCallback(), startCallback()])
  for (const callback of callbacks) t.after(callback.close)
  const [before, after, never] = callbacks
  const client = await PlainClient.register(authorization.issuer, "http://127.0.0.1:1/mcp", before.uri)
  const person = await browser.person()
  t.after(() => person.leaves())
  await person.denies(client.authorizationURL(before.uri, "work"))
  assert.equal((await before.query).get("error"), "access_denied")
  await person.denies(client.authorizationURL(after.uri, "work"), "alice")
  assert.equal((await after.query).get("error"), "access_denied")
  await person.closes(client.authorizationURL(never.uri, "work"))
  assert.equal(authorization.ledger.counts.authorizations, undefined)
})

test("revoking and client id metadata documents", async (t) => {
  const id = "https://client.example/metadata.json"
  const callback = await startCallback()
  t.after(callback.close)
  const document = { client_id: id, client_name: "plain", application_type: "native", redirect_uris: [callback.uri], grant_types: ["authorization_code", "refresh_token"], response_types: ["code"], token_endpoint_auth_method: "none" }
  const authorization = await startAuthorizationServer({ documents: { [id]: document } })
  t.after(authorization.close)
  const metadata = await (await fetch(`${authorization.issuer}/.well-known/oauth-authorization-server`)).json()
  assert.equal(metadata.client_id_metadata_document_supported, true)
  const client = new PlainClient(metadata, id, "http://127.0.0.1:1/mcp")
  await fillIn(client.authorizationURL(callback.uri, "work"))
  const tokens = await client.exchange((await callback.query).get("code") ?? "", callback.uri)
  assert.equal(tokens.status, 200, tokens.error_description)
  assert.equal(authorization.ledger.counts.registrations, undefined)
  assert.equal((await client.token({ token: tokens.refresh_token }, metadata.revocation_endpoint)).status, 200)
  assert.equal(authorization.ledger.counts.revocations, 1)
  assert.equal((await client.refresh(tokens.refresh_token)).error, "invalid_grant")
})
