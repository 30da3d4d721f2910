// Stories of the servers in examples/: anybody may read, and their states are sealed for who signed in.

import assert from "node:assert/strict"

import { stateRefused } from "./scene.js"

/** @import { Story } from "./scene.js" */

const [resolved, duplicate] = [{ id: 4711, state: "Resolved" }, "Work item 4711 is now Resolved as a duplicate of 4242."]

/** @type {Record<string, Story>} */
export const example = {
  async "the weather is for everybody"({ machine, counts }) {
    const client = machine.start("get_weather", { location: "Oslo" })
    await client.fills("imperial")
    assert.match(await client.ends(), /64 °F/)
    assert.deepEqual(counts, {})
  },

  async "sign in, step up for what changes something, and resume elsewhere"({ machine, person, counts }) {
    const client = machine.start("update_work_item", resolved)
    const { status, why } = await client.signsIn(person, "alice")
    assert.deepEqual([status, why], [401, ["items"]])
    assert.equal(await client.fills("Duplicate"), "resolution")
    const more = await client.signsIn(person, "alice")
    assert.deepEqual([more.status, more.why], [403, ["items", "items:write"]])
    await client.hears("form")
    client.answers({ Park: true })
    await client.hears("parked")
    await client.ended
    const later = machine.start("-")
    assert.equal(await later.fills(4242), "original_id")
    assert.equal(await later.ends(), duplicate)
    assert.deepEqual([counts.authorizations, person.named], [2, 1])
  },

  async "somebody else signs in: the state is not theirs"({ machine, authorization, person }) {
    const client = machine.start("update_work_item", resolved)
    await client.signsIn(person, "alice")
    await client.hears("form")
    authorization.reset()
    client.answers({ Answer: { action: "accept", content: { resolution: "Duplicate" } } })
    await client.signsIn(person, "mallory")
    assert.equal((await client.hears("failed")).code, stateRefused)
  },
}
