import { ParkingStore } from "./parking.js"

/** @import { Entries, Entry, StoreOptions } from "./parking.js" */

/** Entries in memory, gone with it. @implements {Entries} */
export class MemoryEntries {
  /** @type {Map<string, Entry>} */
  #entries = new Map()

  async all() {
    return structuredClone([...this.#entries.values()])
  }

  /** @template T @param {string} id @param {(entry: Entry | undefined) => {entry: Entry | undefined, result: T}} change */
  async change(id, change) {
    const { entry, result } = change(structuredClone(this.#entries.get(id)))
    if (entry) this.#entries.set(id, structuredClone(entry))
    else this.#entries.delete(id)
    return result
  }
}

/** A store for one process: tests, and hosts that keep nothing. @param {StoreOptions} [options] */
export function memoryStore(options) {
  return new ParkingStore(new MemoryEntries(), options)
}
