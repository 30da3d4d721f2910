// Stories of a server of an earlier era, which has sessions and asks by requests of its own.

import assert from "node:assert/strict"

/** @import { Story } from "./scene.js" */

/** @type {Record<string, Story>} */
export const sessions = {
  async "sign in, and step up at the answer"({ machine, server, person, counts }) {
    const client = machine.start("deploy")
    assert.equal((await client.signsIn(person, "alice")).status, 401)
    await client.fills("staging")
    assert.equal((await client.signsIn(person, "alice")).status, 403)
    assert.equal(await client.ends(), "deploy by alice: staging")
    const seen = await server.seen()
    assert.deepEqual([seen.counts["deploy asked for target"], seen.counts["deploy ran"], counts.authorizations, person.named], [1, 1, 2, 1])
  },

  async "tokens expire while the person answers: refreshed, and nobody is asked"({ machine, server, authorization, person, counts }) {
    const client = machine.start("move")
    await client.signsIn(person, "alice")
    await client.fills("attic")
    await client.hears("form")
    authorization.expire()
    client.answers({ Answer: { action: "accept", content: { reason: "dust" } } })
    assert.equal(await client.ends(), "move by alice: attic dust")
    assert.deepEqual([counts.authorizations, (await server.seen()).counts["move ran"]], [1, 1])
  },

  async "everything is revoked while the person answers: they sign in again"({ machine, server, authorization, person, counts }) {
    const client = machine.start("move")
    await client.signsIn(person, "alice")
    await client.fills("attic")
    await client.hears("form")
    authorization.revoke()
    client.answers({ Answer: { action: "accept", content: { reason: "dust" } } })
    await client.signsIn(person, "alice")
    assert.equal(await client.ends(), "move by alice: attic dust")
    assert.deepEqual([counts.authorizations, (await server.seen()).counts["move ran"]], [2, 1])
  },
}
