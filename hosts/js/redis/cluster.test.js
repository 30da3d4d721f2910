// A cluster of three: every call and its indexes are at one place of it, lists are of all.
import assert from "node:assert/strict"
import { after, before, test } from "node:test"

import { redisStore } from "@parley-mcp/parley/store"
import { testStore } from "@parley-mcp/parley/store-test"
import { Cluster } from "ioredis"
import { createCluster } from "redis"

import { newBox, rotate } from "./boxes.js"
import { start } from "./server.js"

/** @import { RedisClient } from "@parley-mcp/parley/store" */
/** @import { Server } from "./server.js" */

/** @type {Server[]} */
let nodes = []

before(async () => {
  nodes = await Promise.all([0, 1, 2].map(() => start("--cluster-enabled", "yes")))
  const [first] = nodes
  for (const [i, slots] of ["0 5460", "5461 10922", "10923 16383"].entries()) {
    await nodes[i]?.command("CLUSTER", "ADDSLOTSRANGE", ...slots.split(" "))
    await nodes[i]?.command("CLUSTER", "SET-CONFIG-EPOCH", String(i + 1))
  }
  for (const { port } of nodes.slice(1)) await first?.command("CLUSTER", "MEET", "127.0.0.1", String(port))
  for (const node of nodes) {
    while (!/cluster_state:ok[^]*cluster_known_nodes:3/.test(await node.command("CLUSTER", "INFO"))) await new Promise((resolve) => setTimeout(resolve, 10))
  }
})
after(() => Promise.all(nodes.map((node) => node.stop())))

/** @type {Record<string, () => Promise<{client: RedisClient, close: () => void}>>} */
const clusters = {
  async redis() {
    const client = createCluster({ rootNodes: nodes.map(({ url }) => ({ url })) })
    client.on("error", () => {})
    await client.connect()
    return { client, close: () => client.destroy() }
  },
  async ioredis() {
    const client = new Cluster(nodes.map(({ port }) => ({ host: "127.0.0.1", port })))
    client.on("error", () => {})
    return { client, close: () => client.disconnect() }
  },
}

for (const [name, make] of Object.entries(clusters)) {
  test(`a cluster by ${name}`, async (t) => {
    const { client, close } = await make()
    t.after(close)
    let places = 0
    /** @type {Promise<unknown>[]} */
    const tests = []
    const place = () => {
      const prefix = `${name}${places++}`
      return { open: (/** @type {import("@parley-mcp/parley/store").RedisOptions} */ options) => redisStore(client, { prefix, ...options }), box: newBox, rotate }
    }
    // Those that reach all of it.
    testStore((what, run) => /comes back|discarded|pages|principal|watch|taken over/.test(what) && void tests.push(t.test(what, run)), place)
    await Promise.all(tests)
    for (const node of nodes) assert.notEqual(await node.command("DBSIZE"), ":0\r\n", "a node that holds nothing")
  })
}
