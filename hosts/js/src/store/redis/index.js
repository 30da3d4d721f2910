import { checkId, defaultKeep } from "../contract.js"
import { begin, giveBackWithin } from "./order.js"
import { millis, RedisLease } from "./lease.js"
import { looked, Merge, mostLooks } from "./list.js"
import { scripts } from "./scripts.js"
import { RedisServer } from "./server.js"
import { watch } from "./watch.js"
import { startOf } from "../query.js"
import { Sealing } from "../sealing.js"
import { newId } from "../parking.js"

/** @import { Lease, Store, Waits } from "../contract.js" */
/** @import { Holder } from "./lease.js" */
/** @import { Name } from "./list.js" */
/** @import { Change, Parked, Query } from "../query.js" */
/** @import { RedisClient } from "./client.js" */
/** @import { RedisServerOptions } from "./server.js" */
/** @import { Script } from "./scripts.js" */
/** @import { SealingOptions } from "../sealing.js" */

/**
 * @typedef {object} RedisTimes
 * @property {number} [lease] how long the holder of a call may go without renewing it, in milliseconds; 30,000 if absent
 * @property {number} [keep] how long a call stays after its last save, in milliseconds; 30 days if absent
 * @property {number} [timeout] how long one step may take, with all that is tried again, in milliseconds; 10,000 if absent. It is much less than a lease
 */

/** @typedef {RedisTimes & RedisServerOptions & SealingOptions} RedisOptions */

/**
 * A store in Redis, which many machines share, in whichever language: the keys
 * and scripts are those of hosts/go/store/redis. The client is yours, and you
 * close it; of a cluster it is one that knows the cluster. A server that may
 * evict keys is refused, at every connection.
 *
 * @param {RedisClient} client @param {RedisOptions} options
 */
export async function redisStore(client, options) {
  const store = new RedisStore(client, options)
  await store.ready()
  return store
}

/** How many parts the keys are in. Each is at one place of a cluster, so that a script can change a call and the indexes it is in. */
const shards = 64

/** See {@link redisStore}. @implements {Store} */
export class RedisStore {
  #server
  #sealing
  #term
  #keep

  /** @param {RedisClient} client @param {RedisOptions} options */
  constructor(client, { box, unsealed, lease = 30_000, keep = defaultKeep, ...server }) {
    this.#sealing = new Sealing({ box, unsealed })
    this.#sealing.check()
    this.#term = lease
    this.#keep = keep
    this.#server = new RedisServer(client, server, 10_000)
  }

  /** Looks at the server, and rejects if it will not do. @param {AbortSignal} [signal] */
  async ready(signal) {
    await this.#server.try(async () => {}, signal)
  }

  /** @param {string} id @param {Waits} [waits] @returns {Promise<Lease>} */
  async create(id, { signal } = {}) {
    const holder = this.#holder(id)
    await holder.begin(scripts.create, signal)
    return new RedisLease(holder)
  }

  /** @param {string} id @param {Waits} [waits] @returns {Promise<{lease: Lease, snapshot: string}>} */
  async take(id, { signal } = {}) {
    const holder = this.#holder(id)
    const [sealed] = await holder.begin(scripts.take, signal, 1)
    const lease = new RedisLease(holder)
    try {
      return { lease, snapshot: await this.#sealing.openSnapshot(id, /** @type {Uint8Array} */ (sealed)) } // its words were counted
    } catch (error) {
      await lease.release()
      throw error
    }
  }

  /** @param {string} id @param {Waits} [waits] */
  async delete(id, { signal } = {}) {
    await this.#holder(id).begin(scripts.discard, signal)
  }

  /** Every part of the keys has an index of its own; they are read a few names at a time, and merged. @param {Query} [query] @returns {AsyncGenerator<Parked, void, undefined>} */
  async *list(query = {}) {
    const { principal, prefix = "", limit = 0, newest = false, signal } = query
    signal?.throwIfAborted()
    const start = startOf(query)
    const suffixes = principal ? (await this.#sealing.tags(principal)).map((tag) => `of:${tag}`) : ["all"]
    const keys = Array.from({ length: shards }, (_, shard) => suffixes.map((suffix) => this.#base(shard) + suffix)).flat()
    const merge = new Merge(this.#server, keys, { newest, start, most: limit ? Math.min(16, 6 + Math.floor((2 * limit) / shards)) : 16, signal })
    for (let count = 0; ; ) {
      const names = await merge.next(limit ? Math.min(mostLooks, limit - count) : mostLooks, prefix)
      if (!names.length) return
      for (const call of await this.#look(names, signal)) {
        yield call
        if (++count === limit) return
      }
    }
  }

  /** Every script tells a channel of what it changed; when that breaks, something may be missed, and the watch begins again. @param {Query} [query] @returns {AsyncGenerator<Change, void, undefined>} */
  watch(query = {}) {
    const { principal, signal } = query
    return watch({
      query,
      keep: this.#keep,
      tags: async () => (principal ? this.#sealing.tags(principal) : undefined),
      list: () => this.list({ principal, prefix: query.prefix, signal }),
      look: (ids) => this.#look(ids.map((id) => ({ id, at: 0 })), signal),
      subscribe: (heard, lost) => this.#server.subscribe(this.#channel, heard, lost, signal),
    })
  }

  get #channel() {
    return `${this.#server.prefix}:changes`
  }

  /** What the keys of a part begin with. @param {number} shard */
  #base(shard) {
    return `${this.#server.prefix}:{${String(shard).padStart(2, "0")}}:`
  }

  /** A call's key, its lock's, that of the index of its part, and the one that voids a token. @param {string} id @param {string} [token] @returns {[string, string, string, string]} */
  #keys(id, token = "") {
    const base = this.#base(shardOf(id))
    return [`${base}call:${id}`, `${base}lock:${id}`, `${base}all`, `${base}void:${token}`]
  }

  /** Who does something with a call, under a token that nobody else has, nor can guess. @param {string} id @returns {Holder & {begin: (script: Script, signal?: AbortSignal, count?: number) => Promise<Uint8Array[]>}} */
  #holder(id) {
    checkId(id)
    const server = this.#server
    const token = newId().toUpperCase()
    const keys = this.#keys(id, token)
    const args = [this.#base(shardOf(id)), this.#channel, id, token, millis(this.#term)]
    /** @param {Script} script @param {(string | Uint8Array)[]} [more] */
    const step = (script, more = []) => server.change(script, keys, [...args, ...more])
    /** @param {Script} script @param {AbortSignal} [signal] @param {number} [count] of the words that it answers */
    const first = (script, signal, count) =>
      begin(
        (tried) => server.change(script, keys, args, { signal, count, tried }),
        () => server.change(scripts.release, keys, args, { within: giveBackWithin }),
        signal,
      )
    return { id, term: this.#term, keep: this.#keep, sealing: this.#sealing, step, begin: first }
  }

  /** What a list tells of calls. Those that are gone are left out, and so are those that were saved since, which come later. @param {Name[]} names @param {AbortSignal} [signal] */
  async #look(names, signal) {
    const look = async (/** @type {Name} */ { id, index }) => {
      const [call, lock, all] = this.#keys(id)
      return looked(this.#server.run(scripts.look, [call, lock, index ?? all], [id]))
    }
    const answers = await this.#server.try(() => Promise.all(names.map(look)), signal)
    const calls = await Promise.all(answers.map((answer, i) => answer(/** @type {Name} */ (names[i]), this.#sealing)))
    return calls.filter((call) => call !== undefined)
  }
}

/** The part that an id is in: FNV-1a of 32 bits. @param {string} id */
function shardOf(id) {
  let hash = 0x811c9dc5
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % shards
}
