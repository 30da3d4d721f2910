// Stories of a server whose metadata asks for an id_token.

import assert from "node:assert/strict"

import { unauthorized } from "./scene.js"

/** @import { Story } from "./scene.js" */

/** @type {Record<string, Story>} */
export const identities = {
  async "somebody else signs in, and an id_token says so: the call is not theirs"({ machine, server, authorization, person }) {
    const client = machine.start("move")
    const { why, scopes } = await client.signsIn(person, "alice")
    assert.deepEqual([why ?? [], scopes.includes("openid")], [[], true], "the metadata names the scopes")
    await client.fills("attic")
    await client.hears("form")
    authorization.reset()
    client.answers({ Answer: { action: "accept", content: { reason: "dust" } } })
    await client.signsIn(person, "mallory")
    const failed = await client.hears("failed")
    assert.deepEqual([failed.code, failed.resumable], [unauthorized, true])
    assert.match(failed.text, /another account/)
    const seen = await server.seen()
    assert.deepEqual([seen.counts["move ran"], seen.users], [undefined, ["alice"]], "nothing was sent with the other's token")
  },
}
