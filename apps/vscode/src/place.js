// Where calls are kept: in a folder that windows share, or where a URL says.

import { EntriesStore } from "@parley-mcp/parley/store"

/** @import { SealingBox, Store } from "@parley-mcp/parley/store" */
/** @import { FileEntries } from "./entries.js" */

/**
 * A store, and what it takes to use it from here. `free` takes a call from
 * whoever has it, where that can be done.
 *
 * @typedef {{store: Store, free?: (id: string) => Promise<void>, close: () => void}} Place
 */

/** How long a window may be gone before its calls are another's to go on with, in milliseconds. */
const lease = 15_000

/**
 * A folder that windows share.
 *
 * @param {FileEntries} entries @param {SealingBox} box
 * @param {(id: string, sealed: string) => string} [openEarlier] opens what a version kept before there was a store
 * @param {() => void} [close]
 * @returns {Place}
 */
export function folderPlace(entries, box, openEarlier, close = () => {}) {
  return {
    store: new EntriesStore(entries, { box, lease, open: openEarlier }),
    free: (id) => entries.change(id, (entry) => ({ entry: entry && { ...entry, holder: undefined }, result: undefined })),
    close,
  }
}
