// The clients that hosts have, as they would make them.
import { Redis } from "ioredis"
import { createClient } from "redis"

/** @import { RedisClient } from "@parley-mcp/parley/store" */

/** @typedef {{client: RedisClient, close: () => void}} Made */

/** @type {Record<string, (port: number, password?: string) => Promise<Made>>} */
export const clients = {
  async redis(port, password) {
    const client = createClient({ url: `redis://127.0.0.1:${port}`, password, socket: { reconnectStrategy: 10 } })
    client.on("error", () => {}) // the connection's, which is made again
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  async "redis, RESP2"(port, password) {
    const client = createClient({ url: `redis://127.0.0.1:${port}`, password, RESP: 2, socket: { reconnectStrategy: 10 } })
    client.on("error", () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  async ioredis(port, password) {
    const client = new Redis(port, "127.0.0.1", { password, retryStrategy: () => 10 })
    client.on("error", () => {})
    return { client, close: () => client.disconnect() }
  },
}
