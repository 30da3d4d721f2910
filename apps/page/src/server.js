// What a server offers: its tools, prompts and resources, by plain requests
// that ask nothing.

import { elements, member, string } from "./raw-json.js"

/** @import { Outcome, Session } from "@parley-mcp/parley" */

/** A server of the host's list: the label is the host's own. @typedef {{label: string, url: string}} Server */

/**
 * Something that can be called. Texts are the server's.
 *
 * @typedef {object} Offer
 * @property {"tools/call" | "prompts/get" | "resources/read"} method
 * @property {string} name or the address of a resource
 * @property {string} title
 * @property {string} description
 * @property {string} schema of the arguments, JSON text
 */

/** How a request for a list ended that brought none: the words are whoever asks to find. */
export class NoOfferError extends Error {
  /** @param {string} method @param {Exclude<Outcome, {status: "done"}>} outcome */
  constructor(method, outcome) {
    super(`${method} ${outcome.status}`)
    this.method = method
    this.outcome = outcome
  }
}

/** The most pages of a list that are read. */
const mostPages = 20

/**
 * Everything a server offers. Fails with a {@link NoOfferError}.
 *
 * @param {Session} session
 * @param {AbortSignal} signal
 * @returns {Promise<Offer[]>}
 */
export async function offers(session, signal) {
  const lists = await Promise.all([
    list(session, "tools/list", "tools", signal),
    list(session, "prompts/list", "prompts", signal),
    list(session, "resources/list", "resources", signal),
  ])
  const [tools = [], prompts = [], resources = []] = lists
  return [
    ...tools.map((tool) => offer("tools/call", tool, "name", member(tool, "inputSchema") ?? "{}")),
    ...prompts.map((prompt) => offer("prompts/get", prompt, "name", promptSchema(prompt))),
    ...resources.map((resource) => offer("resources/read", resource, "uri", "{}")),
  ]
}

/** @param {Offer["method"]} method @param {string} json @param {string} id @param {string} schema @returns {Offer} */
function offer(method, json, id, schema) {
  const name = string(member(json, id)) ?? ""
  const title = string(member(json, "title")) || (method === "resources/read" && string(member(json, "name"))) || name
  return { method, name, title, description: string(member(json, "description")) ?? "", schema }
}

/** The arguments of a prompt, which are all strings, as a schema. @param {string} prompt */
function promptSchema(prompt) {
  const all = elements(member(prompt, "arguments") ?? "[]").map((json) => ({
    name: string(member(json, "name")) ?? "",
    required: member(json, "required") === "true",
    property: { type: "string", title: string(member(json, "title")), description: string(member(json, "description")) },
  }))
  return JSON.stringify({
    type: "object",
    properties: Object.fromEntries(all.map(({ name, property }) => [name, property])),
    required: all.filter(({ required }) => required).map(({ name }) => name),
  })
}

/** The code of a server that does not know a method. */
const methodNotFound = "-32601"

/**
 * @param {Session} session
 * @param {string} method
 * @param {string} name
 * @param {AbortSignal} signal
 */
async function list(session, method, name, signal) {
  /** @type {string[]} */
  const found = []
  let cursor
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? "{}" : `{"cursor":${cursor}}`
    const outcome = await session.call(method, params, { signal })
    if (outcome.status !== "done") {
      if (outcome.status === "failed" && member(outcome.response ?? "{}", "code") === methodNotFound) return []
      throw new NoOfferError(method, outcome)
    }
    found.push(...elements(member(outcome.result, name) ?? "[]"))
    cursor = member(outcome.result, "nextCursor")
    if (cursor === undefined || cursor === "null") return found
  }
  return found
}
