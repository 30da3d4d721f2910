/**
 * Where calls are kept, as a URL says it: the URL for the client, and the
 * options for the store.
 *
 * @typedef {object} RedisAddress
 * @property {string} url for the client: `createClient({url})` or `new Redis(url)`
 * @property {string} prefix before the colon that all keys begin with
 * @property {number} wait how many replicas are to confirm a save
 * @property {boolean} evictionChecked somebody knows that the server evicts nothing
 */

/**
 * Reads the URL of a store, as the programs in Go take it:
 * `redis://user:password@host:6379/0`, or `rediss://` with TLS, and the
 * parameters `prefix=NAME`, `wait=N` and `eviction=checked`. What else there is
 * is refused, with a sentence that has nothing of the URL in it, which may hold
 * a password. More nodes of a cluster (`addr`) and sentinels (`master_set`) are
 * for the client: give those to it yourself.
 *
 * @param {string} text @returns {RedisAddress}
 */
export function redisAddress(text) {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase()
  if (scheme === "postgres" || scheme === "postgresql") throw new TypeError("parley: calls are not kept in Postgres yet: give a redis:// URL")
  if ((scheme !== "redis" && scheme !== "rediss") || !URL.canParse(text)) throw wrong
  const url = new URL(text)
  if (!url.hostname) throw wrong
  const address = { url: "", prefix: "parley", wait: 0, evictionChecked: false }
  for (const [name, value] of url.searchParams) {
    if (name !== "addr" && url.searchParams.getAll(name).length > 1) throw new TypeError("parley: the URL has a parameter twice that may be there once")
    switch (name) {
      case "prefix":
        address.prefix = checkPrefix(value)
        break
      case "wait":
        address.wait = Number(value)
        if (!/^\d{1,3}$/.test(value) || address.wait > 127) throw new TypeError("parley: wait is a number of replicas")
        break
      case "eviction":
        if (value !== "checked") throw new TypeError("parley: eviction=checked is all that can be said about it")
        address.evictionChecked = true
        break
      case "addr":
      case "master_set":
        throw new TypeError("parley: clusters and sentinels are for the Redis client to find: make it yourself, with their addresses, and leave addr and master_set out of the URL")
      default:
        throw new TypeError("parley: the URL has a parameter that is none of prefix, wait and eviction")
    }
  }
  if (!/^\/?\d*$/.test(url.pathname)) throw new TypeError("parley: the URL's path is the number of a database, or nothing")
  url.search = ""
  url.hash = ""
  address.url = url.href
  return address
}

const wrong = new TypeError("parley: the URL of a Redis is redis://HOST:PORT, or rediss://HOST:PORT with TLS")

/** @param {string} prefix */
export function checkPrefix(prefix) {
  if (!/^[\w.:-]{1,64}$/.test(prefix)) throw new TypeError("parley: prefix is 1 to 64 of A-Z a-z 0-9 _ - . :")
  return prefix
}
