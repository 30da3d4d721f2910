// Stories of authorization servers that give refresh tokens only to those who ask for them, or list what they refuse.

import assert from "node:assert/strict"

/** @import { Options } from "../authorization-server.js" */
/** @import { Story } from "./scene.js" */

/** @type {Record<string, [Story, Options]>} */
export const offline = {
  "offline_access and consent are asked for, and a refresh names the scopes that were granted": [
    async ({ machine, authorization, person, counts }) => {
      const client = machine.start("look")
      const { scopes } = await client.signsIn(person, "alice")
      assert.equal(scopes.at(-1), "offline_access")
      assert.equal(await client.ends(), "look by alice:")
      assert.equal(counts["asked to consent"], 1)
      for (const times of [1, 2]) {
        authorization.expire()
        const later = machine.start("look")
        assert.equal(await later.ends(), "look by alice:")
        assert.deepEqual([counts.authorizations, counts["refresh_token granted"]], [1, times])
      }
      const refreshes = authorization.ledger.tokenRequests.filter(({ grant }) => grant === "refresh_token")
      assert.ok(refreshes.every(({ scope }) => scope.split(" ").includes("work")), JSON.stringify(refreshes))
    },
    { offline: "asked" },
  ],

  "offline_access is listed and refused: signed in without it": [
    async ({ machine, person, counts }) => {
      const client = machine.start("look")
      await client.signsIn(person, "alice")
      if (machine.client !== "go") await person.signsIn((await client.hears("open")).url, "alice") // in Go the browser was sent on
      assert.equal(await client.ends(), "look by alice:")
      assert.deepEqual([counts.authorizationsRefused, counts.authorizations, counts.registrations], [1, 1, 1])
      assert.equal(person.named, 1)
    },
    { offline: "refused" },
  ],
}
