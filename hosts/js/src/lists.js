import { Code } from "./errors.js"
import { say } from "./sentence.js"
import { broken, read } from "./typed.js"

/** @import { Outcome } from "./driver.js" */
/** @import { CallSettings, Call } from "./typed.js" */

/** How many pages of a list are fetched. */
const mostPages = 1000

/** How long a cursor may be, in bytes. */
const mostCursor = 16 << 10

/** JSON-RPC's code for a method that a server does not have. */
const methodNotFound = -32601

/** What tells an item of a list from the others. @type {Record<string, string>} */
const identities = { tools: "name", prompts: "name", resources: "uri", resourceTemplates: "uriTemplate" }

/**
 * The items of one of the server's lists, page after page; none if the server
 * has no such list. Where the server refuses a cursor that a kept page had, it
 * begins again and leaves out what the loop has: else nobody would see that pages
 * were kept.
 *
 * Source: MCP 2026-07-28, server/utilities/caching, Interaction with Pagination.
 *
 * @param {Call} call @param {string} method @param {string} name of the list @param {CallSettings} settings
 */
export async function* list(call, method, name, settings) {
  /** @type {Set<string>} */
  const cursors = new Set()
  /** @type {{cursor?: string}} */
  let params = {}
  let kept = false
  let again = false
  const identity = identities[name] ?? "name"
  const has = new Set()
  do {
    const outcome = await call({ ...settings, method, params })
    if (params.cursor === undefined && isAbsent(outcome)) return
    if (params.cursor !== undefined && kept && outcome.status === "failed" && outcome.code === Code.rpc) {
      cursors.clear()
      params = {}
      kept = false
      again = true
      continue
    }
    const page = read(method, outcome)
    kept ||= outcome.status === "done" && outcome.cached === true
    for (const item of page[name]) {
      if (again && has.has(item[identity])) continue
      has.add(item[identity])
      yield item
    }
    if (!page.nextCursor) return
    params = { cursor: following(method, cursors, page.nextCursor) }
  } while (true)
}

/** A page's cursor, unless its list would never end. @param {string} method @param {Set<string>} cursors of the pages before @param {string} cursor */
function following(method, cursors, cursor) {
  if (new TextEncoder().encode(cursor).length > mostCursor) throw broken(Code.limit, say`${method}: a cursor is longer than 16 KiB`)
  if (cursors.has(cursor)) throw broken(Code.malformed, say`${method}: the server gave a cursor a second time, so its pages would never end`)
  cursors.add(cursor)
  if (cursors.size === mostPages) throw broken(Code.limit, say`${method}: there are more than 1,000 pages`)
  return cursor
}

/** Whether the server has no such list, or other method. @param {Outcome} outcome */
export function isAbsent(outcome) {
  return outcome.status === "failed" && outcome.code === Code.rpc && JSON.parse(outcome.response ?? "{}").code === methodNotFound
}
