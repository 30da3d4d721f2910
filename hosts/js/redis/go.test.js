// Go and JavaScript at one store, with the same key: each goes on with what the other has parked.
import assert from "node:assert/strict"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"

import { newKey } from "@parley-mcp/parley/codec"
import { redisReplayStore, redisStore, TakenError } from "@parley-mcp/parley/store"

import { boxOf } from "./boxes.js"
import { clients } from "./clients.js"
import { inGo } from "./go.js"
import { listed } from "./listed.js"
import { start } from "./server.js"

/** @import { About } from "@parley-mcp/parley/store" */

/** @type {About} */
const about = { principal: "ann", peer: "https://example.com/mcp", label: "Der Tisch <&> 🎈", method: "tools/call", name: "x", questions: 2, titles: ["Who?", '\0"ä\u2028'], task: "working", inDoubt: true, over: true }
const snapshot = '{"snapshot":"ä🎈\\ud800"}'

test("Go and JavaScript at one store", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  t.after(() => rmSync(folder, { recursive: true }))
  const server = await start()
  t.after(() => server.stop())
  const keys = join(folder, "keys")
  writeFileSync(keys, newKey(), { mode: 0o600 })
  const go = await inGo(server.url, keys)
  t.after(() => go.stop())
  const tell = async (/** @type {import("./go.js").Order} */ order) => {
    const answer = await go.tell(order)
    assert.equal(answer.error, undefined, order.do)
    return answer
  }
  const scripts = async () => /number_of_cached_scripts:(\d+)/.exec(await server.command("INFO", "memory"))?.[1]

  for (const [name, make] of Object.entries(clients)) {
    await t.test(name, async (t) => {
      const { client, close } = await make(server.port)
      t.after(close)
      const store = await redisStore(client, { box: await boxOf(keys) })

      // Go parks, JavaScript goes on.
      await tell({ do: "create", id: "a" })
      await tell({ do: "save", id: "a", snapshot, about })
      await assert.rejects(store.take("a"), TakenError)
      assert.deepEqual((await listed(store, { principal: "ann" })).map(({ id, taken, about, problem }) => ({ id, taken, about, problem })), [{ id: "a", taken: true, about, problem: undefined }])
      await tell({ do: "release", id: "a" })
      const taken = await store.take("a")
      assert.equal(taken.snapshot, snapshot)
      assert.match((await go.tell({ do: "take", id: "a" })).error ?? "", /somebody else has the call/)
      assert.match((await go.tell({ do: "create", id: "a" })).error ?? "", /somebody else has the call/)

      // JavaScript parks, Go goes on.
      await taken.lease.save(`${snapshot}2`, { ...about, principal: "bob" })
      await taken.lease.release()
      assert.deepEqual((await tell({ do: "list", about: { principal: "ann" } })).calls, undefined)
      const [call] = (await tell({ do: "list", about: { principal: "bob" } })).calls ?? []
      assert.deepEqual([call?.ID, call?.Taken, call?.Problem, call?.About], ["a", false, null, { ...about, principal: "bob" }])
      assert.equal((await tell({ do: "take", id: "a" })).snapshot, `${snapshot}2`)
      await assert.rejects(taken.lease.save("stale"), TakenError)
      await tell({ do: "done", id: "a" })
      assert.deepEqual(await listed(store), [])

      // What one has made, the other cannot make again, and of many only one has it.
      const lease = await store.create("b")
      await lease.save("1")
      await lease.release()
      assert.match((await go.tell({ do: "create", id: "b" })).error ?? "", /exists/)
      const race = await Promise.allSettled([go.tell({ do: "take", id: "b" }), store.take("b")])
      assert.equal(race.filter((one) => one.status === "fulfilled" && !("error" in one.value)).length, 1)
      await server.command("FLUSHDB")

      // A state opens once.
      const marks = await redisReplayStore(client)
      const expires = Date.now() + 3_600_000
      const [mine, theirs] = ["0123456789abcdef0123456789abcde0", "0123456789abcdef0123456789abcde1"]
      assert.deepEqual([await marks.consume(mine, expires), await marks.consume(mine, expires)], [true, false])
      assert.equal((await tell({ do: "consume", id: mine, expires })).first, undefined)
      assert.equal((await tell({ do: "consume", id: theirs, expires })).first, true)
      assert.equal(await marks.consume(theirs, expires), false)
      assert.match((await go.tell({ do: "consume", id: theirs, expires: 1 })).error ?? "", /expired/)
      await assert.rejects(marks.consume(theirs, 1), /expired by the clock of Redis/)
    })
  }

  await t.test("both run the same scripts", async (t) => {
    const { client, close } = await /** @type {NonNullable<typeof clients.redis>} */ (clients.redis)(server.port)
    t.after(close)
    await server.command("SCRIPT", "FLUSH")
    await server.command("FLUSHDB")
    const id = "c"
    for (const what of ["create", "save", "release", "take", "done"]) await tell({ do: what, id, snapshot: "1" })
    await tell({ do: "consume", id: "0123456789abcdef0123456789abcde2", expires: Date.now() + 3_600_000 })
    await tell({ do: "create", id })
    await tell({ do: "save", id, snapshot: "1" })
    await tell({ do: "list" })
    await tell({ do: "done", id })
    const before = await scripts()
    assert.equal(before, "7") // create, save, release, take, done, mark and look
    const store = await redisStore(client, { box: await boxOf(keys) })
    let lease = await store.create(id)
    await lease.save("1")
    await lease.release()
    await listed(store)
    ;({ lease } = await store.take(id))
    await lease.done()
    await (await redisReplayStore(client)).consume("0123456789abcdef0123456789abcde3", Date.now() + 3_600_000)
    assert.equal(await scripts(), before)
  })
})
