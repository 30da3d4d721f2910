import { garbage, RedisServer, textOf } from "./server.js"
import { scripts } from "./scripts.js"
import { newId } from "../parking.js"

/** @import { ReplayStore } from "../../codec/replay.js" */
/** @import { RedisClient } from "./client.js" */
/** @import { RedisServerOptions } from "./server.js" */

/**
 * A replay store for all instances of a server, in whichever language: together
 * they let a state open once. What cannot be asked in time is refused, by
 * default within 2,000 ms. Nothing of a state is kept but its random name, so
 * there is nothing to seal. The client is yours, and you close it.
 *
 * @param {RedisClient} client @param {RedisServerOptions} [options]
 */
export async function redisReplayStore(client, options = {}) {
  const store = new RedisReplayStore(client, options)
  await store.ready()
  return store
}

/** See {@link redisReplayStore}. @implements {ReplayStore} */
export class RedisReplayStore {
  #server

  /** @param {RedisClient} client @param {RedisServerOptions} [options] */
  constructor(client, options = {}) {
    this.#server = new RedisServer(client, options, 2000)
  }

  /** Looks at the server, and rejects if it will not do. @param {AbortSignal} [signal] */
  async ready(signal) {
    await this.#server.try(async () => {}, signal)
  }

  /**
   * See {@link ReplayStore}. The server compares expires with its own clock. Asked
   * again because an answer was lost, it knows that it was this attempt that used
   * the state.
   *
   * @param {string} id @param {number} expires
   */
  async consume(id, expires) {
    if (!/^[0-9a-f]{32}$/.test(id)) throw new TypeError("parley: the id of a state is 32 hexadecimal digits")
    const key = `${this.#server.prefix}:mark:${id}`
    const attempt = newId().toUpperCase()
    const words = await this.#server.try(() => this.#server.run(scripts.mark, [key], [attempt, String(Math.floor(expires))]))
    switch (words.length === 1 && textOf(words[0])) {
      case "first":
        await this.#server.confirmed(key)
        return true
      case "used":
        return false
      case "expired":
        throw new Error("parley: the state has expired by the clock of Redis")
    }
    throw garbage()
  }
}
