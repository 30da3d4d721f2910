// The README's way to a store in Redis, as it stands.
import assert from "node:assert/strict"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"

import { compileCodec, createBox, newKey, readKeyFile } from "@parley-mcp/parley/codec"
import { redisAddress, redisReplayStore, redisStore } from "@parley-mcp/parley/store"
import { createClient } from "redis"

import { listed } from "./listed.js"
import { start } from "./server.js"

test("the README's snippet keeps calls in Redis", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-"))
  t.after(() => rmSync(folder, { recursive: true }))
  const server = await start()
  t.after(() => server.stop())
  const keys = join(folder, "keys")
  writeFileSync(keys, newKey(), { mode: 0o600 })
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
  const [snippet = ""] = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code).filter((code) => code.includes("redisStore("))
  const names = { redisAddress, redisReplayStore, redisStore, createClient, createBox, compileCodec, readKeyFile }
  const whole = `const [{ ${Object.keys(names)} }, process] = arguments; return (async () => { ${snippet.replace("/etc/parley/snapshot.key", keys)}; return { calls, marks, client } })()`
  const { calls, marks, client } = await new Function(whole)(names, { env: { PARLEY_STORE: `${server.url}?prefix=readme` } })
  t.after(() => client.destroy())
  const lease = await calls.create("a")
  await lease.save("{}", { label: "Work items" })
  await lease.release()
  assert.deepEqual((await listed(calls)).map(({ about }) => about), [{ label: "Work items" }])
  assert.equal(await marks.consume("0".repeat(32), Date.now() + 60_000), true)
  assert.equal(await server.command("EXISTS", "readme:layout"), ":1\r\n")
})

test("URLs are read, and refused with a sentence that has nothing of them", () => {
  assert.deepEqual(redisAddress("redis://ann:hunter2@10.0.0.5:6379/2?prefix=a.b:c&wait=2&eviction=checked"), {
    url: "redis://ann:hunter2@10.0.0.5:6379/2", prefix: "a.b:c", wait: 2, evictionChecked: true,
  })
  assert.deepEqual(redisAddress("rediss://[::1]"), { url: "rediss://[::1]", prefix: "parley", wait: 0, evictionChecked: false })
  /** @type {[url: string, says: RegExp][]} */
  const refused = [
    ["postgres://ann:hunter2@db/calls", /not kept in Postgres yet/], ["postgresql://hunter2", /not kept in Postgres yet/],
    ["file:/var/hunter2", /redis:\/\/HOST:PORT/], ["hunter2", /redis:\/\/HOST:PORT/], ["", /redis:\/\/HOST:PORT/], ["redis://:hunter2@", /redis:\/\/HOST:PORT/],
    ["redis://h?prefix=hunter2{}", /prefix is/], ["redis://h?prefix=", /prefix is/], ["redis://h?wait=hunter2", /wait is/], ["redis://h?wait=-1", /wait is/], ["redis://h?wait=128", /wait is/],
    ["redis://h?eviction=hunter2", /eviction=checked/], ["redis://h?addr=hunter2:1", /clusters and sentinels/], ["redis://h?hunter2=1", /none of prefix/], ["redis://h/hunter2", /number of a database/], ["redis://h?prefix=hunter2&prefix=b", /twice/],
  ]
  for (const [url, says] of refused) {
    assert.throws(() => redisAddress(url), (error) => error instanceof TypeError && says.test(error.message) && !error.message.includes("hunter2"), url)
  }
})
