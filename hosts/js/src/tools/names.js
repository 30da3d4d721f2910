/** How long a name may be where a model reads it. */
const longest = 64

/**
 * Names under which a model knows the tools of many servers: 1 to 64 of
 * A-Z a-z 0-9 _ and -. A tool keeps its own name unless another server has it
 * too; then each is called after its server as well. What is the same still
 * is numbered.
 *
 * Models take no more than this, MCP's own names may have dots and slashes.
 * Source: MCP 2026-07-28, server/tools, Tool Names.
 *
 * @param {{server: string, name: string}[]} tools
 * @returns {string[]} a name for each of them
 */
export function nameApart(tools) {
  /** Which servers have a name. @type {Map<string, Set<string>>} */
  const servers = new Map()
  for (const { server, name } of tools) {
    const own = fit(name)
    servers.set(own, (servers.get(own) ?? new Set()).add(server))
  }
  /** @type {Set<string>} */
  const taken = new Set()
  return tools.map(({ server, name }) => {
    const own = fit(name)
    const wanted = (servers.get(own)?.size ?? 0) > 1 ? fit(`${server}_${name}`) : own
    let free = wanted
    for (let n = 2; taken.has(free); n++) free = `${wanted.slice(0, longest - String(n).length - 1)}_${n}`
    taken.add(free)
    return free
  })
}

/** @param {string} name */
function fit(name) {
  return name.replaceAll(/[^\w-]/gu, "_").slice(0, longest) || "_"
}
