import { EntriesStore } from "./entries.js"
import { IndexedDBEntries } from "./indexeddb.js"
import { MemoryEntries } from "./memory.js"

/** @import { EntriesOptions } from "./entries.js" */
/** @import { SealingOptions } from "./sealing.js" */

/**
 * @typedef {import("./about.js").About} About
 * @typedef {import("./contract.js").Lease} Lease
 * @typedef {import("./contract.js").Store} Store
 * @typedef {import("./contract.js").Waits} Waits
 * @typedef {import("./query.js").Change} Change
 * @typedef {import("./query.js").Parked} Parked
 * @typedef {import("./query.js").Query} Query
 * @typedef {import("./redis/client.js").RedisClient} RedisClient
 * @typedef {import("./redis/client.js").RedisConnection} RedisConnection
 * @typedef {import("./redis/url.js").RedisAddress} RedisAddress
 * @typedef {import("./redis/index.js").RedisOptions} RedisOptions
 * @typedef {import("./sealing.js").SealingBox} SealingBox
 */

export { maxAbout } from "./about.js"
export { checkId, deleteOf } from "./contract.js"
export { EntriesStore } from "./entries.js"
export { ExistsError, NotFoundError, TakenError } from "./errors.js"
export { LayoutError, NoBoxError, SupersededError, UnsealedError, UnsureError } from "./faults.js"
export { redisStore, RedisStore } from "./redis/index.js"
export { redisReplayStore, RedisReplayStore } from "./redis/replay.js"
export { redisAddress } from "./redis/url.js"
export { Sealing } from "./sealing.js"
export { newId } from "./parking.js"

/** A store for one process: calls outlive their session, but not the process. Nothing leaves the process, so it needs no box. @param {EntriesOptions & SealingOptions} [options] */
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
