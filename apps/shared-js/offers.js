// What a server offers: its tools, prompts, resources and templates of resources.

import { member } from "./raw-json.js"
import { variables } from "./template.js"

/** @import { Prompt, ResourceTemplate, Session, Tool } from "./parley.js" */

/**
 * Something that can be called. Texts are the server's.
 *
 * @typedef {object} Offer
 * @property {"tools/call" | "prompts/get" | "resources/read"} method
 * @property {string} name or the address of a resource
 * @property {string} title
 * @property {string} description
 * @property {string} schema of the arguments, JSON text
 * @property {boolean} [mayBeTask] a tool that runs as a task if the call asks for one
 * @property {boolean} [task] this is to ask for one
 * @property {true} [template] the name is a template of addresses, and the arguments are what it is filled in with
 */

/**
 * Everything a server offers. Rejects with the library's Failure.
 *
 * @param {Session} session
 * @param {AbortSignal} signal
 * @param {boolean} [fresh] asks the server, even if it lets an earlier answer be used again
 * @returns {Promise<Offer[]>}
 */
export async function offers(session, signal, fresh = false) {
  const settings = { signal, options: { fresh } }
  const lists = await Promise.all([
    each(session.tools(settings), ofTool),
    each(session.prompts(settings), (prompt) => offer("prompts/get", prompt, prompt.name, promptSchema(prompt))),
    each(session.resources(settings), (resource) => offer("resources/read", resource, resource.uri, "{}")),
    each(session.resourceTemplates(settings), ofTemplate),
  ])
  return lists.flat().filter((one) => one !== undefined)
}

/** @template T @param {AsyncIterable<T>} items @param {(item: T) => Offer | undefined} make */
async function each(items, make) {
  /** @type {(Offer | undefined)[]} */
  const made = []
  for await (const item of items) made.push(make(item))
  return made
}

/** @param {Offer["method"]} method @param {{name: string, title?: string, description?: string}} item @param {string} called @param {string} schema @returns {Offer} */
function offer(method, { name, title, description = "" }, called, schema) {
  return { method, name: called, title: title || name || called, description, schema }
}

/** @param {Tool} tool @returns {Offer} */
function ofTool(tool) {
  const made = offer("tools/call", tool, tool.name, member(tool.raw, "inputSchema") ?? "{}")
  return tool.execution?.taskSupport === "optional" ? { ...made, mayBeTask: true } : made
}

/** What cannot be filled in is no offer. @param {ResourceTemplate} template @returns {Offer | undefined} */
function ofTemplate(template) {
  const asked = variables(template.uriTemplate)
  if (asked.length === 0) return undefined
  const schema = {
    type: "object",
    properties: Object.fromEntries(asked.map(({ name }) => [name, { type: "string" }])),
    required: asked.filter(({ required }) => required).map(({ name }) => name),
  }
  return { ...offer("resources/read", template, template.uriTemplate, JSON.stringify(schema)), template: true }
}

/** The arguments of a prompt, which are all strings, as a schema. @param {Prompt} prompt */
function promptSchema({ arguments: all = [] }) {
  return JSON.stringify({
    type: "object",
    properties: Object.fromEntries(all.map(({ name, title, description }) => [name, { type: "string", title, description }])),
    required: all.filter(({ required }) => required).map(({ name }) => name),
  })
}
