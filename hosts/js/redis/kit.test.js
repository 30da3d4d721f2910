// Every store passes the same tests: in memory, in IndexedDB (the browsers' own is tested in ../browsers), in Redis.
import "fake-indexeddb/auto"
import { after, before, test } from "node:test"

import { IndexedDBEntries } from "../dist/store/indexeddb.js"
import { MemoryEntries } from "../dist/store/memory.js"
import { EntriesStore, redisStore } from "@parley-mcp/parley/store"
import { testStore } from "@parley-mcp/parley/store-test"

import { newBox, rotate } from "./boxes.js"
import { clients } from "./clients.js"
import { start } from "./server.js"

/** @import { Place } from "@parley-mcp/parley/store-test" */
/** @import { Entries } from "../dist/store/parking.js" */
/** @import { Made } from "./clients.js" */
/** @import { Server } from "./server.js" */

let places = 0

/** @type {Record<string, () => Entries>} */
const entries = { memory: () => new MemoryEntries(), IndexedDB: () => new IndexedDBEntries(`parley-test-${places++}`) }
for (const [name, make] of Object.entries(entries)) {
  testStore((what, run) => void test(`${name}: ${what}`, run), () => placeOf(make()), { sealed: true })
}

/** @param {Entries} entries @returns {Place} */
function placeOf(entries) {
  const alter = (/** @type {string} */ id, /** @type {object} */ more) =>
    entries.change(id, (entry) => ({ entry: entry && { ...entry, snapshot: { .../** @type {object} */ (entry.snapshot), ...more } }, result: undefined }))
  return {
    open: (options) => new EntriesStore(entries, { look: 5, ...options }),
    box: newBox,
    rotate,
    damage: (id) => alter(id, { snapshot: new Uint8Array([1, 2, 3]) }),
    relayout: (id) => alter(id, { v: 2 }),
  }
}

/** @type {Server} */
let server
before(async () => void (server = await start()))
after(() => server.stop())

for (const [name, make] of Object.entries(clients)) {
  test(`Redis by ${name}`, async (t) => {
    /** @type {Made[]} */
    const made = []
    t.after(() => made.forEach(({ close }) => close()))
    const [one, other] = [await make(server.port), await make(server.port)]
    made.push(one, other)
    /** @type {Promise<unknown>[]} */
    const tests = []
    testStore((what, run) => void tests.push(t.test(what, run)), () => redisPlace([one, other]), { sealed: true })
    await Promise.all(tests)
  })
}

/** @param {Made[]} made @returns {Place} */
function redisPlace(made) {
  const prefix = `place${places++}`
  let opened = 0
  const key = async (/** @type {string} */ id) => {
    const found = await server.command("EVAL", "return redis.call('KEYS', ARGV[1])[1]", "0", `${prefix}:{*}:call:${id}`)
    return found.split("\r\n")[1] ?? ""
  }
  return {
    open: (options) => redisStore(/** @type {Made} */ (made[opened++ % made.length]).client, { prefix, ...options }),
    box: newBox,
    rotate,
    damage: async (id) => server.command("HSET", await key(id), "snap", "garbage"),
    relayout: async (id) => server.command("HSET", await key(id), "v", "2"),
  }
}
