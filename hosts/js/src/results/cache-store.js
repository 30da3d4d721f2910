/**
 * Keeps texts under keys. Whatever it loses or fails at, the server is asked
 * instead; what it brings back wrongly is not used. `get` brings back what is
 * kept, and is not waited for long; `set` keeps an entry in place of what is
 * there, and after `until`, in Unix milliseconds, nobody wants it; `forget` drops
 * all whose key begins so. A key is at most 32 KiB, an entry at most 1 MiB.
 *
 * @typedef {object} CacheStore
 * @property {(key: string, context: {signal: AbortSignal}) => string | undefined | Promise<string | undefined>} get
 * @property {(key: string, entry: string, until: number) => unknown} set
 * @property {(prefix: string) => unknown} forget
 */

/**
 * Where a session keeps what a server says is for anybody, beside what it keeps
 * for itself alone. `server` names the server in the store, such as its URL: two
 * of the same name would be taken for one. At most 2 KiB.
 *
 * @typedef {{store: CacheStore, server: string}} SharedCache
 */

/**
 * A store in memory. Of what it has no room for it drops what was not used for
 * longest: beyond `maxEntries`, or `maxLength` characters of keys and entries
 * together.
 *
 * @param {{maxEntries?: number, maxLength?: number}} [bounds]
 * @returns {CacheStore}
 */
export function memoryCache({ maxEntries = 1000, maxLength = 16 << 20 } = {}) {
  /** What was used last is the last. @type {Map<string, {entry: string, until: number}>} */
  const entries = new Map()
  let length = 0
  const drop = (/** @type {string} */ key) => {
    const kept = entries.get(key)
    if (!kept) return
    entries.delete(key)
    length -= key.length + kept.entry.length
  }
  return {
    get(key) {
      const kept = entries.get(key)
      if (!kept) return undefined
      if (kept.until <= Date.now()) {
        drop(key)
        return undefined
      }
      entries.delete(key)
      entries.set(key, kept)
      return kept.entry
    },
    set(key, entry, until) {
      drop(key)
      if (key.length + entry.length > maxLength) return
      entries.set(key, { entry, until })
      length += key.length + entry.length
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && length <= maxLength) return
        drop(oldest)
      }
    },
    forget(prefix) {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) drop(key)
    },
  }
}
