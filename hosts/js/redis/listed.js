/** @import { Parked, Query, Store } from "@parley-mcp/parley/store" */

/** What a store lists. @param {Store} store @param {Query} [query] */
export async function listed(store, query) {
  /** @type {Parked[]} */
  const all = []
  for await (const call of store.list(query)) all.push(call)
  return all
}
