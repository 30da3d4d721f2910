// The tests of a store find what is wrong with one.
import assert from "node:assert/strict"
import { test } from "node:test"

import { MemoryEntries } from "../dist/store/memory.js"
import { EntriesStore } from "@parley-mcp/parley/store"
import { testStore } from "@parley-mcp/parley/store-test"

/** @import { Lease, Query, Store } from "@parley-mcp/parley/store" */

/** What is wrong, what a store does instead, and a test that notices. @type {[string, (store: Store) => Partial<Store>, RegExp][]} */
const broken = [
  ["a snapshot loses its last character", (store) => ({ take: async (id, waits) => store.take(id, waits).then(({ lease, snapshot }) => ({ lease, snapshot: snapshot.slice(0, -1) })) }), /comes back/],
  ["any id will do", (store) => ({ delete: async (id, waits) => store.delete(id, waits).catch(() => {}) }), /no id/],
  ["a signal is not heeded", (store) => ({ create: (id) => store.create(id) }), /signal/],
  ["everybody's calls are everybody's", (store) => ({ list: (query) => store.list({ ...query, principal: "" }) }), /principal's/],
  ["pages overlap", (store) => ({ list: (query = {}) => store.list({ ...query, after: "" }) }), /pages/],
  ["a watch ends", (store) => ({ watch: (query) => store.list(query) }), /watch tells/],
  ["who has lost a lease may end the call", (store) => ({ take: async (id, waits) => store.take(id, waits).then((taken) => ({ ...taken, lease: careless(taken.lease) })) }), /taken over/],
]

/** @param {Lease} lease @returns {Lease} */
function careless(lease) {
  return {
    term: lease.term,
    save: (...given) => lease.save(...given),
    renew: (waits) => lease.renew(waits),
    keep: (signal) => lease.keep(signal),
    settle: (outcome) => lease.settle(outcome),
    done: (waits) => lease.done(waits).catch(() => {}),
    release: (waits) => lease.release(waits),
  }
}

test("the tests of a store find what is wrong with one", async () => {
  for (const [what, instead, notices] of broken) {
    /** @type {[string, () => Promise<void>][]} */
    const tests = []
    testStore((name, run) => void (notices.test(name) && tests.push([name, run])), () => {
      const entries = new MemoryEntries()
      return {
        open(options) {
          const store = new EntriesStore(entries, { look: 5, ...options })
          /** @type {Store} */
          const whole = { create: (...a) => store.create(...a), take: (...a) => store.take(...a), delete: (...a) => store.delete(...a), list: (q) => store.list(q), watch: (q) => store.watch(q) }
          return { ...whole, ...instead(whole) }
        },
      }
    })
    const results = await Promise.allSettled(tests.map(([, run]) => run()))
    assert.ok(results.some(({ status }) => status === "rejected"), what)
  }
})
