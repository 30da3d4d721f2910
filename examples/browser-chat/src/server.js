// What a server offers: its tools, prompts and resources, by plain requests
// that ask nothing.

import { http } from "@parley-mcp/parley"

import { elements, member, string } from "./raw-json.js"

/** @import { Engine } from "@parley-mcp/parley" */

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

export const clientInfo = { name: "parley-browser-chat", title: "Parley in the browser", version: "0.1.0" }

/** The most pages of a list that are read. */
const mostPages = 20

/**
 * Everything a server offers. Fails with what the transport says, or with the
 * server's error.
 *
 * @param {Engine} engine
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {Promise<Offer[]>}
 */
export async function offers(engine, url, signal) {
  const lists = await Promise.all([
    list(engine, url, "tools/list", "tools", signal),
    list(engine, url, "prompts/list", "prompts", signal),
    list(engine, url, "resources/list", "resources", signal),
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
 * @param {Engine} engine
 * @param {string} url
 * @param {string} method
 * @param {string} name
 * @param {AbortSignal} signal
 */
async function list(engine, url, method, name, signal) {
  const send = http(engine, url, { clientInfo })
  /** @type {string[]} */
  const found = []
  let cursor
  for (let page = 0; page < mostPages; page++) {
    const params = cursor === undefined ? "{}" : `{"cursor":${cursor}}`
    const body = await send({ leg: page + 1, method, params, capabilities: "{}" }, { signal, progress() {} })
    JSON.parse(body) // what follows takes well-formed JSON only
    const error = member(body, "error")
    if (error !== undefined && member(error, "code") === methodNotFound) return []
    if (error !== undefined) throw new Error(`the server answered ${method} with an error: ${string(member(error, "message")) ?? error}`)
    const result = member(body, "result") ?? "{}"
    found.push(...elements(member(result, name) ?? "[]"))
    cursor = member(result, "nextCursor")
    if (cursor === undefined || cursor === "null") return found
  }
  return found
}
