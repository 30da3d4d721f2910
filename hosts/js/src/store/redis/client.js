/**
 * A connection to a Redis, over whatever client a host has. Commands are sent in
 * the order in which they are given.
 *
 * @typedef {object} RedisConnection
 * @property {(args: (string | Uint8Array)[], key?: string) => Promise<unknown>} send
 *   Sends a command, in a cluster to where the key is. Texts of the answer are
 *   bytes; strings will do where they are ASCII. Rejects with an Error whose
 *   message is what the server said.
 * @property {(args: string[]) => Promise<unknown[]>} everywhere sends a command to every server there is
 * @property {() => number} connections
 *   How many connections there have been: after each, the server is looked at
 *   anew, since it may be another.
 * @property {(channel: string, heard: (text: string) => void, lost: () => void) => Promise<() => void>} subscribe
 *   Hears what is published, over a connection of its own; `lost` is called when
 *   that breaks. What it resolves to ends it.
 */

/**
 * A client of the package `redis` (`createClient` or `createCluster`) or of
 * `ioredis` (`Redis` or `Cluster`), or a {@link RedisConnection}.
 *
 * @typedef {RedisConnection | NodeRedis | IORedis} RedisClient
 */

/** @typedef {(event: any, listener: (...args: any[]) => void) => unknown} On */

/**
 * What is used of a client of the package `redis`.
 *
 * @typedef {object} NodeRedis
 * @property {(...args: any[]) => Promise<any>} sendCommand
 * @property {On} on
 * @property {(...args: any[]) => any} duplicate
 * @property {any} [options]
 * @property {any[]} [masters] of a cluster
 * @property {(node: any) => any} [nodeClient]
 */

/**
 * What is used of a client of the package `ioredis`.
 *
 * @typedef {object} IORedis
 * @property {(name: string, ...args: any[]) => Promise<any>} callBuffer
 * @property {On} on
 * @property {(...args: any[]) => any} duplicate
 * @property {(role?: any) => any[]} [nodes] of a cluster
 */

/** One for each client, however many stores it has. @type {WeakMap<object, RedisConnection>} */
const known = new WeakMap()

/** @param {RedisClient} client @returns {RedisConnection} */
export function connectionOf(client) {
  if ("send" in client && "connections" in client) return client
  const connection = known.get(client) ?? ("callBuffer" in client ? ofIORedis(client) : "sendCommand" in client ? ofNodeRedis(client) : undefined)
  if (!connection) throw new TypeError("parley: that is no client of the package redis or ioredis, and no RedisConnection")
  known.set(client, connection)
  return connection
}

/** @param {NodeRedis} client @returns {RedisConnection} */
function ofNodeRedis(client) {
  const cluster = Array.isArray(client.masters)
  const nodes = async () => (cluster ? Promise.all((client.masters ?? []).map((node) => client.nodeClient?.(node))) : [client])
  return {
    send: (args, key) => (cluster ? client.sendCommand(key, false, args.map(buffer), asBytes) : client.sendCommand(args.map(buffer), asBytes)),
    everywhere: async (args) => Promise.all((await nodes()).map((node) => node.sendCommand(args, asBytes))),
    connections: counted(client, ["ready", "node-ready"]),
    async subscribe(channel, heard, lost) {
      const [node] = await nodes()
      const own = node.duplicate({ socket: { ...node.options?.socket, reconnectStrategy: false } })
      for (const event of ["error", "end"]) own.on(event, lost)
      await own.connect()
      const end = () => (own.destroy ?? own.disconnect).call(own)
      try {
        await own.subscribe(channel, heard)
      } catch (error) {
        end()
        throw error
      }
      return end
    },
  }
}

/** How the package `redis` is told to answer bytes: from version 5 on, and before. */
const asBytes = { typeMapping: { 36: globalThis.Buffer }, returnBuffers: true }

/** @param {IORedis} client @returns {RedisConnection} */
function ofIORedis(client) {
  const nodes = () => client.nodes?.() ?? [client]
  return {
    send: ([name = "", ...args]) => client.callBuffer(/** @type {string} */ (name), ...args.map(buffer)),
    everywhere: async ([name, ...args]) => Promise.all(nodes().map((node) => node.callBuffer(name, ...args))),
    connections: counted(client, ["ready", "+node"]),
    async subscribe(channel, heard, lost) {
      const own = (client.nodes?.("master")[0] ?? client).duplicate({ lazyConnect: true, retryStrategy: () => null, reconnectOnError: null, readOnly: false })
      for (const event of ["error", "end", "close"]) own.on(event, lost)
      own.on("message", (/** @type {string} */ _, /** @type {string} */ text) => heard(text))
      const end = () => own.disconnect()
      try {
        await own.connect()
        await own.subscribe(channel)
      } catch (error) {
        end()
        throw error
      }
      return end
    },
  }
}

/** Counts the connections of a client, from now on. @param {{on: On}} client @param {string[]} events */
function counted(client, events) {
  let count = 1 // the one there is, or will be
  for (const event of events) client.on(event, () => count++)
  return () => count
}

/** What both clients take for bytes. @param {string | Uint8Array} arg */
function buffer(arg) {
  return typeof arg === "string" ? arg : globalThis.Buffer.from(arg.buffer, arg.byteOffset, arg.byteLength)
}
