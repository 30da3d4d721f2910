import { EntriesStore } from "./store-entries.js"
import { IndexedDBEntries } from "./store-indexeddb.js"
import { MemoryEntries } from "./store-memory.js"

/** @import { EntriesOptions } from "./store-entries.js" */
/** @import { SealingOptions } from "./store-sealing.js" */

/**
 * @typedef {import("./store-about.js").About} About
 * @typedef {import("./store-contract.js").Lease} Lease
 * @typedef {import("./store-contract.js").Store} Store
 * @typedef {import("./store-contract.js").Waits} Waits
 * @typedef {import("./store-query.js").Change} Change
 * @typedef {import("./store-query.js").Parked} Parked
 * @typedef {import("./store-query.js").Query} Query
 * @typedef {import("./store-redis-client.js").RedisClient} RedisClient
 * @typedef {import("./store-redis-client.js").RedisConnection} RedisConnection
 * @typedef {import("./store-redis-url.js").RedisAddress} RedisAddress
 * @typedef {import("./store-redis.js").RedisOptions} RedisOptions
 * @typedef {import("./store-sealing.js").SealingBox} SealingBox
 */

export { maxAbout } from "./store-about.js"
export { checkId, deleteOf } from "./store-contract.js"
export { EntriesStore } from "./store-entries.js"
export { ExistsError, NotFoundError, TakenError } from "./store-errors.js"
export { LayoutError, NoBoxError, SupersededError, UnsealedError, UnsureError } from "./store-faults.js"
export { redisStore, RedisStore } from "./store-redis.js"
export { redisReplayStore, RedisReplayStore } from "./store-redis-replay.js"
export { redisAddress } from "./store-redis-url.js"
export { Sealing } from "./store-sealing.js"
export { newId } from "./store.js"

/** A store for one process: calls outlive whoever drove them, not the process. What never leaves it needs no box. @param {EntriesOptions & SealingOptions} [options] */
export function memoryStore(options) {
  return new EntriesStore(new MemoryEntries(), { unsealed: true, ...options })
}

/**
 * A store that all pages and workers of an origin share.
 *
 * @param {EntriesOptions & SealingOptions & {name?: string}} options name of the database; "parley" if absent
 */
export function indexedDBStore({ name = "parley", ...options }) {
  return new EntriesStore(new IndexedDBEntries(name), { locks: globalThis.navigator?.locks, ...options })
}
