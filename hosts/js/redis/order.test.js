// Steps have an order: one that was cut off and arrives late changes nothing, and what nobody waits for any more is given back.
import assert from "node:assert/strict"
import { test } from "node:test"
import { setTimeout as sleep } from "node:timers/promises"

import { NotFoundError, redisStore, TakenError, UnsureError } from "@parley-mcp/parley/store"

import { scripts } from "../dist/store/redis/scripts.js"
import { clients } from "./clients.js"
import { cutting } from "./cutting.js"
import { start } from "./server.js"

/** @import { Lease, Store } from "@parley-mcp/parley/store" */

/** @type {Record<string, (lease: Lease, snapshot: string, signal?: AbortSignal) => Promise<void>>} */
const steps = {
  save: (lease, snapshot, signal) => lease.save(snapshot, undefined, { signal }),
  renew: (lease, _, signal) => lease.renew({ signal }),
  release: (lease, _, signal) => lease.release({ signal }),
  done: (lease, _, signal) => lease.done({ signal }),
}

/** Those that take a call, or a new one, or discard one. @type {Record<string, (store: Store, id: string, signal?: AbortSignal) => Promise<Lease | void>>} */
const firsts = {
  take: async (store, id, signal) => (await store.take(id, { signal })).lease,
  create: (store, id, signal) => store.create(id, { signal }),
  delete: (store, id, signal) => store.delete(id, { signal }),
}

for (const [name, make] of Object.entries(clients)) {
  test(`the order of steps, by ${name}`, async (t) => {
    const server = await start()
    t.after(() => server.stop())
    const proxy = await cutting(server.port)
    t.after(proxy.stop)
    const made = async (/** @type {number} */ port) => {
      const { client, close } = await make(port)
      t.after(close)
      return client
    }
    const unsealed = true
    const direct = await redisStore(await made(server.port), { unsealed })
    const behindClient = await made(proxy.port)
    const hasty = await redisStore(behindClient, { unsealed, timeout: 300 })
    const patient = await redisStore(behindClient, { unsealed, timeout: 60_000 })

    const put = async (/** @type {Store} */ store, /** @type {string} */ id) => {
      const lease = await store.create(id)
      await lease.save("0")
      await lease.release()
    }
    const take = async (/** @type {Store} */ store, /** @type {string} */ id, /** @type {string} */ want) => {
      const { lease, snapshot } = await store.take(id)
      assert.equal(snapshot, want)
      return lease
    }
    /** Nobody has the call of a step that was given up. @param {string} first @param {string} id */
    const again = async (first, id) => {
      try {
        await (await firsts[first]?.(direct, id))?.release()
      } catch (error) {
        if (first !== "delete" || !(error instanceof NotFoundError)) throw error // it was done before
      }
    }

    for (const old of Object.keys(steps)) {
      for (const next of Object.keys(steps)) {
        if (["release", "done"].includes(old) && old !== next) continue // these end a lease, and a client may send one again by itself
        await t.test(`${old} arrives after ${next}`, async () => {
          const id = `${old}-${next}`
          await put(patient, id)
          const lease = await take(hasty, id, "0")
          proxy.hold(true)
          await assert.rejects(steps[old]?.(lease, "old") ?? assert.fail(), UnsureError)
          proxy.hold(false)
          assert.ok(proxy.kept() > 0)
          await put(patient, `${id}-connected`) // the client has a connection again
          await steps[next]?.(lease, "next")
          const theirs = next === "release" ? (await direct.take(id)).lease : undefined // a client may have saved before it gave back
          await theirs?.save("theirs")
          if (next === "done") await put(direct, id)
          await proxy.deliver()
          if (next === "renew") await lease.save("last")
          if (next === "save" || next === "renew") await lease.release()
          await theirs?.save("theirs still")
          await theirs?.release()
          const want = { save: "next", renew: "last", release: "theirs still", done: "0" }[next] ?? ""
          await (await take(direct, id, want)).release()
        })
      }
    }

    for (const [first, work] of Object.entries(firsts)) {
      await t.test(`${first} arrives after it was given up`, async () => {
        const id = `given-up-${first}`
        await put(patient, id) // there is a connection
        if (first === "create") await (await take(direct, id, "0")).done()
        const abort = new AbortController()
        proxy.hold(true)
        const over = work(patient, id, abort.signal)
        over.catch(() => {})
        while (!proxy.kept()) await sleep(1)
        abort.abort(new Error("gone"))
        proxy.hold(false)
        await assert.rejects(over, /gone/)
        await proxy.deliver()
        await again(first, id)
      })
    }

    await t.test("a signal that aborts, at each byte", async () => {
      for (const way of /** @type {const} */ (["sent", "answered"])) {
        const bytes = way === "sent" ? [0, 1, 40, 200, 300] : [0, 1, 4, 8]
        for (const at of bytes) {
          for (const [first, work] of Object.entries(firsts)) {
            const id = `${first}-${way}-${at}`
            await put(patient, id)
            if (first === "create") await (await take(direct, id, "0")).done()
            const abort = new AbortController()
            proxy.cutAfter(way, at, () => abort.abort())
            const lease = await work(patient, id, abort.signal).catch((error) => assert.equal(error.name, "AbortError"))
            if (lease) await lease.release()
            else await again(first, id)
          }
          for (const [step, work] of Object.entries(steps)) {
            const id = `${step}-${way}-${at}`
            await put(patient, id)
            const lease = await take(patient, id, "0")
            const abort = new AbortController()
            proxy.cutAfter(way, at, () => abort.abort())
            await work(lease, "1", abort.signal)
            if (step === "done") {
              await assert.rejects(direct.take(id), NotFoundError)
              continue
            }
            if (step === "save") await lease.save("2")
            if (step !== "release") await lease.release()
            await (await take(direct, id, step === "save" ? "2" : "0")).release()
          }
        }
      }
      proxy.whole()
    })

    await t.test("a lease that two processes have is one's", async () => {
      await put(direct, "twin")
      const lease = await take(direct, "twin", "0")
      const [, key = ""] = (await server.command("EVAL", "return redis.call('KEYS', 'parley:{*}:call:twin')[1]", "0")).split("\r\n")
      const [, token = ""] = (await server.command("HGET", key, "token")).split("\r\n")
      const base = key.slice(0, key.indexOf("call:"))
      const keys = ["call:twin", "lock:twin", "all", `void:${token}`].map((name) => base + name)
      const twin = (/** @type {"save" | "release"} */ script, /** @type {string[]} */ ...more) =>
        server.command("EVAL", scripts[script].text, "4", ...keys, base, "parley:changes", "twin", token, "30000", ...more)
      assert.match(await twin("save", "1", "theirs", "60000", "1", "", ""), /ok/)
      await assert.rejects(lease.save("mine"), TakenError)
      await assert.rejects(lease.renew(), TakenError, "a lost lease stays lost")
      assert.match(await twin("save", "1", "theirs", "60000", "1", "", ""), /ok/, "the same step again")
      assert.match(await twin("save", "0", "older", "60000", "0", "", ""), /late/)
      assert.match(await twin("release"), /ok/)
      await (await take(direct, "twin", "1")).release()
    })
  })
}
