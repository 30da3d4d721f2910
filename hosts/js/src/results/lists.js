import { Code } from "../engine/errors.js"
import { say } from "../texts/sentence.js"
import { broken, read } from "./typed.js"

/** @import { Outcome } from "../calls/driver.js" */
/** @import { Sentence } from "../texts/sentence.js" */
/** @import { CallSettings, Call } from "./typed.js" */

/** How many pages of a list are fetched. */
const mostPages = 1000

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
 * @param {Call} call @param {(sentence: Sentence) => void} warn @param {string} method @param {string} name of the list @param {CallSettings} settings
 */
export async function* list(call, warn, method, name, settings) {
  /** @type {Set<string>} */
  const cursors = new Set()
  /** As the server wrote it. @type {string | undefined} */
  let cursor
  let kept = false
  let again = false
  const identity = identities[name] ?? "name"
  const has = new Set()
  for (;;) {
    const outcome = await call({ ...settings, method, params: cursor === undefined ? "{}" : `{"cursor":${cursor}}` })
    if (cursor === undefined && isAbsent(outcome)) return
    if (cursor !== undefined && kept && outcome.status === "failed" && outcome.code === Code.rpc) {
      cursors.clear()
      cursor = undefined
      kept = false
      again = true
      continue
    }
    if (cursor !== undefined && isOdd(cursor) && codeOf(outcome) !== undefined) {
      return warn(say`${method}: the server does not take the cursor ${cursor} that it gave (JSON-RPC error ${String(codeOf(outcome))}): the list ends here, and pages may be missing`)
    }
    const page = read(method, outcome)
    const next = outcome.status === "done" ? outcome.next : undefined
    const ends = next !== undefined && cursors.has(next)
    kept ||= outcome.status === "done" && outcome.cached === true
    if (page.leftOut.length) {
      const [{ where, what }] = page.leftOut
      warn(say`left out ${page.leftOut.length} of the ${page.leftOut.length + page[name].length} entries of ${method}: ${where} ${what}`)
    }
    for (const item of page[name]) {
      if ((again || ends) && has.has(item[identity])) continue
      has.add(item[identity])
      yield item
    }
    if (next === undefined) return
    if (ends) return warn(say`${method}: the server gave a cursor a second time, so its pages would never end: the list ends here`)
    cursors.add(next)
    if (cursors.size === mostPages) throw broken(Code.limit, say`${method}: there are more than 1,000 pages`)
    cursor = next
  }
}

/** Whether a cursor is one that a server may not have meant. @param {string} cursor */
const isOdd = (cursor) => cursor === '""' || !cursor.startsWith('"')

/** Whether the server has no such list, or other method. @param {Outcome} outcome */
export function isAbsent(outcome) {
  return codeOf(outcome) === methodNotFound
}

/** The code of the error that the server has answered with. @param {Outcome} outcome @returns {number | undefined} */
function codeOf(outcome) {
  return outcome.status === "failed" && outcome.code === Code.rpc ? JSON.parse(outcome.response ?? "{}").code : undefined
}
