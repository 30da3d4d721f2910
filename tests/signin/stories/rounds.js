// Stories of servers with rounds.

import assert from "node:assert/strict"

import { signedIn, unauthorized } from "./scene.js"

/** @import { Story } from "./scene.js" */

/** @type {Record<string, Story>} */
export const rounds = {
  async "sign in, and step up at the second leg"({ machine, server, authorization, person, counts }) {
    const client = machine.start("deploy")
    const first = await client.signsIn(person, "alice")
    assert.deepEqual([first.status, first.host], [401, new URL(authorization.issuer).host])
    assert.equal(await client.fills("staging"), "target")
    const more = await client.signsIn(person, "alice")
    assert.deepEqual([more.status, more.error, more.why], [403, "insufficient_scope", ["work", "deploy"]])
    assert.ok(more.scopes.includes("work") && more.scopes.includes("deploy"), "what was granted is asked for again")
    assert.equal(await client.ends(), "deploy by alice: staging")
    const seen = await server.seen()
    assert.deepEqual([seen.counts["deploy asked for target"], seen.counts["deploy ran"], seen.counts["401 unauthorized"], seen.counts["403 forbidden"]], [1, 1, 1, 1])
    assert.deepEqual([counts.authorizations, counts.registrations, person.named, seen.tokens], [2, 1, 1, 2])
    assert.equal(person.allowed.at(-1), "deploy")

    // Another process has the account, and asks nobody.
    const later = machine.start("deploy")
    await later.fills("production")
    assert.equal(await later.ends(), "deploy by alice: production")
    assert.equal(counts.authorizations, 2)
  },

  async "deny, and then do it after all"({ machine, server, person, counts }) {
    const client = machine.start("look")
    await client.hears("sign in")
    client.answers({ Go: true })
    await person.denies((await client.hears("open")).url)
    const failed = await client.hears("failed")
    assert.deepEqual([failed.code, failed.resumable, failed.inDoubt], [unauthorized, true, false])
    await client.ended
    assert.equal((await server.seen()).counts["look ran"], undefined)
    const again = machine.start("-")
    await again.signsIn(person, "alice")
    assert.equal(await again.ends(), "look by alice:")
    assert.equal(counts.authorizations, 1)
  },

  async "deny the step-up: the answer is kept"({ machine, server, person }) {
    const client = machine.start("deploy")
    await client.signsIn(person, "alice")
    await client.fills("staging")
    await client.hears("sign in")
    client.answers({ Go: true })
    await person.denies((await client.hears("open")).url)
    assert.equal((await client.hears("failed")).code, unauthorized)
    await client.ended
    const again = machine.start("-")
    await again.signsIn(person, "alice")
    assert.equal(await again.ends(), "deploy by alice: staging")
    assert.equal((await server.seen()).counts["deploy asked for target"], 1)
  },

  async "refuse at the terminal: nothing is opened"({ machine, authorization, counts }) {
    const client = machine.start("look")
    await client.hears("sign in")
    client.answers({ Refuse: true })
    assert.equal((await client.hears("failed")).code, unauthorized)
    await client.ended
    assert.deepEqual([counts.authorizations, authorization.ledger.alive("Client")], [undefined, 0])
  },

  async "close the window, park, and finish in another process"({ machine, person, counts }) {
    const client = machine.start("look")
    await client.hears("sign in")
    client.answers({ Go: true })
    await person.closes((await client.hears("open")).url)
    client.answers("park")
    await client.hears("parked")
    await client.ended
    const again = machine.start("-")
    await again.signsIn(person, "alice")
    assert.equal(await again.ends(), "look by alice:")
    assert.equal(counts.authorizations, 1)
  },

  async "park at the step-up, and finish in another process"({ machine, server, person }) {
    const client = machine.start("deploy")
    await client.signsIn(person, "alice")
    await client.fills("staging")
    assert.equal((await client.hears("sign in")).status, 403)
    client.answers({ Park: true })
    await client.hears("parked")
    await client.ended
    const again = machine.start("-")
    assert.equal((await again.signsIn(person, "alice")).status, 403)
    assert.equal(await again.ends(), "deploy by alice: staging")
    const { counts } = await server.seen()
    assert.deepEqual([counts["deploy asked for target"], counts["deploy ran"]], [1, 1])
    assert.equal(person.named, 1)
  },

  async "tokens expire in the middle of a round: refreshed, and nobody is asked"({ machine, server, authorization, person, counts }) {
    const client = machine.start("move")
    await client.signsIn(person, "alice")
    await client.fills("attic")
    await client.hears("form")
    authorization.expire()
    client.answers({ Answer: { action: "accept", content: { reason: "dust" } } })
    assert.equal(await client.ends(), "move by alice: attic dust")
    assert.deepEqual([counts.authorizations, counts["refresh_token granted"]], [1, 1])
    const refresh = authorization.ledger.tokenRequests.find(({ grant }) => grant === "refresh_token")
    assert.equal(refresh?.resource, machine.url, "a refresh names the resource")

    // The next refresh has the token that the last one brought.
    authorization.expire()
    const later = machine.start("look")
    assert.equal(await later.ends(), "look by alice:")
    assert.deepEqual([counts["refresh_token granted"], counts["refresh_token invalid_grant"]], [2, undefined])
    assert.equal((await server.seen()).counts["move ran"], 1)
  },

  async "two calls at once: one sign-in"({ machine, server, person, counts }) {
    const client = machine.start("look,look")
    await client.signsIn(person, "alice")
    await client.hears("done")
    await client.hears("done")
    await client.ended
    assert.deepEqual([counts.authorizations, (await server.seen()).counts["look ran"]], [1, 2])
  },

  async "tokens are over when two calls begin: one refresh"({ machine, authorization, person, counts }) {
    await signedIn(machine, person)
    authorization.expire()
    const client = machine.start("look,look")
    await client.hears("done")
    await client.hears("done")
    await client.ended
    assert.deepEqual([counts.authorizations, counts["refresh_token granted"]], [1, 1])
  },

  async "two processes refresh one token"({ machine, authorization, person, counts }) {
    await signedIn(machine, person)
    authorization.expire()
    const both = [machine.start("look"), machine.start("look")]
    for (const client of both) assert.equal(await client.ends(), "look by alice:")
    assert.deepEqual([counts.authorizations, counts["refresh_token invalid_grant"]], [1, undefined])
  },

  async "everything is revoked in the middle of a round: the person signs in again"({ machine, server, authorization, person, counts }) {
    const client = machine.start("move")
    await client.signsIn(person, "alice")
    await client.fills("attic")
    await client.hears("form")
    authorization.revoke()
    client.answers({ Answer: { action: "accept", content: { reason: "dust" } } })
    assert.equal((await client.signsIn(person, "alice")).status, 401)
    assert.equal(await client.ends(), "move by alice: attic dust")
    assert.deepEqual([counts.authorizations, person.named], [2, 1])
    const seen = await server.seen()
    assert.deepEqual([seen.counts["move asked for target"], seen.counts["move asked for reason"], seen.counts["move ran"]], [1, 1, 1])
  },

  async "the client that registered is forgotten: it registers again"({ machine, authorization, person, counts }) {
    await signedIn(machine, person)
    authorization.reset()
    authorization.forget()
    const client = machine.start("look")
    await client.signsIn(person, "alice")
    assert.equal(await client.ends(), "look by alice:")
    assert.deepEqual([counts.registrations, counts.authorizations], [2, 2])
  },

  async "somebody else signs in, and nothing tells but the server"({ machine, authorization, person }) {
    const client = machine.start("move")
    await client.signsIn(person, "alice")
    await client.fills("attic")
    await client.hears("form")
    authorization.reset()
    client.answers({ Answer: { action: "accept", content: { reason: "dust" } } })
    await client.signsIn(person, "mallory")
    assert.equal(await client.ends(), "move by mallory: attic dust", "this server's state is not sealed: it lets them")
  },

  async "killed while somebody signs in, and finished in another process"({ machine, server, person }) {
    const client = machine.start("deploy")
    await client.signsIn(person, "alice")
    await client.fills("staging")
    await client.hears("sign in")
    client.answers({ Go: true })
    const { url } = await client.hears("open")
    client.child.kill("SIGKILL")
    await client.ended
    await assert.rejects(person.signsIn(url, "alice"), /ERR_CONNECTION_REFUSED/)
    const again = machine.start("-")
    await again.signsIn(person, "alice")
    assert.equal(await again.ends(), "deploy by alice: staging")
    const { counts } = await server.seen()
    assert.deepEqual([counts["deploy asked for target"], counts["deploy ran"]], [1, 1])
  },

  async "sign out: revoked, and the next call asks"({ machine, authorization, person, counts }) {
    await signedIn(machine, person)
    const out = machine.start("signout")
    assert.equal((await out.hears("signed out")).problem, "")
    await out.ended
    assert.ok((counts.revocations ?? 0) >= 1)
    assert.equal(authorization.ledger.alive("RefreshToken"), 0)
    const client = machine.start("look")
    await client.signsIn(person, "alice")
    assert.equal(await client.ends(), "look by alice:")
  },
}
