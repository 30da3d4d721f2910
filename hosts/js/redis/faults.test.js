// What breaks: a server that may evict, that is full, started again, of another layout or garbage, and connections that are cut.
import assert from "node:assert/strict"
import { test } from "node:test"

import { LayoutError, NotFoundError, redisReplayStore, redisStore, UnsureError } from "@parley-mcp/parley/store"

import { newBox } from "./boxes.js"
import { clients } from "./clients.js"
import { cutting } from "./cutting.js"
import { listed } from "./listed.js"
import { start } from "./server.js"

/** @import { Change, RedisClient } from "@parley-mcp/parley/store" */

const unsealed = true

for (const [name, make] of Object.entries(clients)) {
  test(`Redis that fails, by ${name}`, async (t) => {
    const server = await start("--appendonly", "yes", "--appendfsync", "always")
    t.after(() => server.stop())
    const made = async (port = server.port) => {
      const { client, close } = await make(port)
      t.after(close)
      return client
    }
    const client = await made()
    const box = newBox()

    await t.test("started again, it has what was saved, and the lease goes on", async () => {
      const store = await redisStore(client, { box })
      const lease = await store.create("a")
      await lease.save("1", { principal: "ann" })
      await server.restart()
      await lease.save("2")
      await lease.release()
      const again = await store.take("a")
      assert.equal(again.snapshot, "2")
      await again.lease.done()
    })

    await t.test("one that may evict is refused, at each connection", async () => {
      const store = await redisStore(client, { unsealed, timeout: 60_000 })
      await server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
      await assert.rejects(redisStore(client, { unsealed, prefix: "other" }), /may evict keys/)
      await assert.rejects(redisReplayStore(client), /may evict keys/)
      await redisStore(client, { unsealed, prefix: "other", evictionChecked: true })
      const cut = reconnected(client)
      await server.command("CLIENT", "KILL", "TYPE", "normal")
      await cut
      await assert.rejects(store.create("b"), /may evict keys/)
      await server.command("CONFIG", "SET", "maxmemory-policy", "noeviction")
      await (await store.create("b")).release()
    })

    await t.test("one that does not tell is refused, unless somebody knows", async () => {
      await server.command("ACL", "SETUSER", "default", "-info")
      await assert.rejects(redisStore(client, { unsealed, prefix: "untold" }), /does not tell its maxmemory-policy/)
      await redisStore(client, { unsealed, prefix: "untold", evictionChecked: true })
      await server.command("ACL", "SETUSER", "default", "+@all")
    })

    await t.test("a full one says so, and calls can be finished", async () => {
      const store = await redisStore(client, { unsealed })
      const lease = await store.create("full")
      await lease.save("1")
      await server.command("CONFIG", "SET", "maxmemory", "1")
      await assert.rejects(lease.save("2"), /Redis is full/)
      await lease.renew()
      await lease.done()
      await server.command("CONFIG", "SET", "maxmemory", "0")
      await assert.rejects(store.take("full"), NotFoundError)
    })

    await t.test("a store of another layout is left alone", async () => {
      await server.command("SET", "later:layout", "2")
      await assert.rejects(redisStore(client, { unsealed, prefix: "later" }), LayoutError)
      await assert.rejects(redisReplayStore(client, { prefix: "later" }), LayoutError)
    })

    await t.test("a key of something else is no call", async () => {
      const store = await redisStore(client, { unsealed, prefix: "strange" })
      const lease = await store.create("x")
      await lease.save("1")
      await lease.release()
      const found = await server.command("EVAL", "return redis.call('KEYS', 'strange:{*}:call:x')[1]", "0")
      await server.command("SET", found.split("\r\n")[1] ?? "", "text")
      await assert.rejects(store.take("x"), /a key is not the store's/)
      const [call] = await listed(store)
      assert.match(String(call?.problem), /a key is not the store's/)
    })

    await t.test("too few replicas leave every step and a mark unsure", async () => {
      const [alone, store] = [await redisStore(client, { unsealed }), await redisStore(client, { unsealed, wait: 1, timeout: 200 })]
      await assert.rejects(store.create("unsure"), UnsureError)
      const lease = await alone.create("unsure")
      await lease.save("1")
      await lease.release()
      await assert.rejects(store.take("unsure"), UnsureError)
      await assert.rejects(store.delete("unsure"), UnsureError)
      await assert.rejects(alone.take("unsure"), NotFoundError, "it was discarded all the same")
      const marks = await redisReplayStore(client, { wait: 1, timeout: 200 })
      await assert.rejects(marks.consume("0".repeat(32), Date.now() + 60_000), UnsureError)
    })

    await t.test("a watch that may have missed something says so, and begins again", async () => {
      const store = await redisStore(client, { unsealed, prefix: "watched" })
      const lease = await store.create("seen")
      await lease.save("1")
      const controller = new AbortController()
      const changes = /** @type {AsyncIterator<Change>} */ (store.watch({ signal: controller.signal })[Symbol.asyncIterator]())
      assert.equal((await changes.next()).value?.id, "seen")
      const next = changes.next() // which waits
      await server.command("CLIENT", "KILL", "TYPE", "pubsub")
      assert.deepEqual((await next).value, { lost: true })
      assert.equal((await changes.next()).value?.id, "seen")
      controller.abort()
      await assert.rejects(changes.next(), { name: "AbortError" })
      await lease.done()
    })

    await t.test("a connection that is cut somewhere in a save", async (t) => {
      const proxy = await cutting(server.port)
      t.after(proxy.stop)
      const store = await redisStore(await made(proxy.port), { box, prefix: "cut" })
      const other = await redisStore(client, { box, prefix: "cut" })
      const first = await store.create("a")
      await first.save("0")
      await first.release()
      const places = [...[0, 1, 40, 200, 400, 500].map((n) => /** @type {const} */ (["sent", n])), ...[0, 1, 4].map((n) => /** @type {const} */ (["answered", n]))]
      for (const [way, bytes] of places) {
        const { lease } = await store.take("a")
        proxy.cutAfter(way, bytes)
        const text = `${way} ${bytes} ${"x".repeat(600)}`
        await lease.save(text)
        proxy.whole()
        await lease.release()
        const { snapshot, lease: theirs } = await other.take("a")
        assert.equal(snapshot, text)
        await theirs.release()
      }
      assert.equal(proxy.whole(), places.length)
    })

    await t.test("one that cannot be reached is refused in time", async () => {
      const store = await redisStore(client, { unsealed, timeout: 300 })
      const marks = await redisReplayStore(client, { timeout: 300 })
      await server.kill()
      await assert.rejects(store.take("a"), /Redis/)
      await assert.rejects(marks.consume("1".repeat(32), Date.now() + 60_000), /Redis/)
    })
  })
}

test("a Redis with a password", async (t) => {
  const server = await start("--requirepass", "hunter2")
  t.after(() => server.stop())
  for (const [name, make] of Object.entries(clients)) {
    const { client, close } = await make(server.port, "hunter2")
    const lease = await (await redisStore(client, { unsealed })).create(`of-${name.length}`)
    await lease.save("1")
    await lease.done()
    close()
  }
  const { client, close } = await clients["redis, RESP2"]?.(server.port) ?? assert.fail()
  await assert.rejects(redisStore(client, { unsealed, timeout: 300 }), /this Redis wants a password: NOAUTH/)
  close()
})

/** Resolves when a client has another connection. @param {RedisClient} client */
function reconnected(client) {
  return new Promise((ready) => /** @type {any} */ (client).once("ready", ready))
}
