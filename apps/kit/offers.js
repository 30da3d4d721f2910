// What a server offers: its tools, prompts and resources.

import { member } from "./raw-json.js"

/** @import { Prompt, Session } from "./parley.js" */

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

/**
 * Everything a server offers. Rejects with the library's Failure.
 *
 * @param {Session} session
 * @param {AbortSignal} signal
 * @returns {Promise<Offer[]>}
 */
export async function offers(session, signal) {
  const lists = await Promise.all([
    each(session.tools({ signal }), (tool) => offer("tools/call", tool, tool.name, member(tool.raw, "inputSchema") ?? "{}")),
    each(session.prompts({ signal }), (prompt) => offer("prompts/get", prompt, prompt.name, promptSchema(prompt))),
    each(session.resources({ signal }), (resource) => offer("resources/read", resource, resource.uri, "{}")),
  ])
  return lists.flat()
}

/** @template T @param {AsyncIterable<T>} items @param {(item: T) => Offer} make */
async function each(items, make) {
  /** @type {Offer[]} */
  const made = []
  for await (const item of items) made.push(make(item))
  return made
}

/** @param {Offer["method"]} method @param {{name: string, title?: string, description?: string}} item @param {string} called @param {string} schema @returns {Offer} */
function offer(method, { name, title, description = "" }, called, schema) {
  return { method, name: called, title: title || name || called, description, schema }
}

/** The arguments of a prompt, which are all strings, as a schema. @param {Prompt} prompt */
function promptSchema({ arguments: all = [] }) {
  return JSON.stringify({
    type: "object",
    properties: Object.fromEntries(all.map(({ name, title, description }) => [name, { type: "string", title, description }])),
    required: all.filter(({ required }) => required).map(({ name }) => name),
  })
}
