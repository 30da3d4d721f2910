// The servers that the person has named.

/**
 * A server of the person's list. The label is theirs; `address` tells it from
 * every other, and what is kept of a call goes to no other.
 *
 * @typedef {{label: string, address: string} & ({url: string, clientId?: string, command?: undefined} | {url?: undefined, command: string, args: string[], cwd?: string, env?: Record<string, string>})} Server
 */

/** The servers of a setting that can be called, and what is wrong with the others, in words. @param {unknown} set @returns {{servers: Server[], problems: string[]}} */
export function readServers(set) {
  /** @type {Server[]} */
  const servers = []
  const problems = []
  for (const [i, one] of (Array.isArray(set) ? set : []).entries()) {
    const read = readServer(one ?? {})
    if (typeof read === "string") problems.push(`parley.servers, number ${i + 1}: ${read}`)
    else if (servers.some(({ label }) => label === read.label)) problems.push(`parley.servers: two servers are called ${read.label}`)
    else servers.push(read)
  }
  return { servers, problems }
}

/** @param {Record<string, unknown>} set @returns {Server | string} */
function readServer({ label, url, command, args = [], cwd, env, clientId }) {
  if (typeof label !== "string" || !label.trim()) return "give it a label, which is what questions call it"
  if (typeof url === "string" && command === undefined) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return "its url must begin with https:// or http://"
    if (clientId !== undefined && (typeof clientId !== "string" || !clientId)) return "its clientId must be a text"
    return { label, address: url, url, clientId }
  }
  if (typeof command !== "string" || !command || url !== undefined) return "give it either a url or a command"
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string")) return "its args must be texts"
  if (cwd !== undefined && typeof cwd !== "string") return "its cwd must be a folder’s path"
  return { label, address: JSON.stringify([command, ...args]), command, args, cwd, env: /** @type {Record<string, string> | undefined} */ (env) }
}
