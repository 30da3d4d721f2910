// Which store the URL in the setting parley.store names. It never stands in what
// is said about it: it may hold a password.

import { redisAddress } from "@parley-mcp/parley/store"

/** @import { RedisAddress } from "@parley-mcp/parley/store" */

/** @typedef {{dir: string, redis?: undefined} | {dir?: undefined, redis: RedisAddress}} Choice */

/** @param {string} url @returns {Choice} */
export function readStoreURL(url) {
  const [, name = "", rest = ""] = /^([a-z][a-z0-9+.-]*):(.*)$/is.exec(url) ?? []
  switch (name.toLowerCase()) {
    case "file":
      if (!/^(\/(?!\/)|[a-z]:[\\/])/i.test(rest)) throw new Error("parley.store: file:DIR names a directory by its whole path, after the colon")
      return { dir: rest }
    case "postgres":
    case "postgresql":
      throw new Error("parley.store: VS Code keeps no calls in Postgres. Give it a redis:// URL; parley in a terminal moves calls there from Postgres: parley store move FROM TO")
    case "redis":
    case "rediss":
      return { redis: redisAddress(url) }
  }
  throw new Error("parley.store is file:DIR, or redis://HOST:PORT (rediss:// with TLS)")
}

/** Refuses a password where others can read it. @param {string} url of the setting */
export function withoutPassword(url) {
  if (/^rediss?:/i.test(url) && URL.canParse(url) && new URL(url).password) {
    throw new Error("parley.store has a password, which whoever reads the settings can see: take it out, change it at the server, and run Parley: Set the Password of the Store…")
  }
  return url
}

/** The URL of a client, with the password that was given for it. @param {string} url @param {string} [password] */
export function withPassword(url, password) {
  const full = new URL(url)
  if (password && !full.password) full.password = encodeURIComponent(password)
  return full.href
}

/** What the password for a store is called among the secrets. @param {string} url of the setting */
export function secretFor(url) {
  return `parley.store-password ${url}`
}
