import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker"

import { strictForm } from "./strict-form.js"
import { byName, list, object, string } from "./record.js"

/** @import { Form } from "./strict-form.js" */
/** @import { CreateMessageRequestParams, CreateMessageResultWithTools, ElicitRequestFormParams, ElicitResult, Root } from "@modelcontextprotocol/server" */

/** The person said no. */
export class Declined extends Error {
  constructor() {
    super("the person declined")
    this.name = "Declined"
  }
}

/** The person walked away. */
export class Cancelled extends Error {
  constructor() {
    super("the person cancelled")
    this.name = "Cancelled"
  }
}

/**
 * Something to ask the client, for {@link Ask.all}. `accept` makes the JSON text
 * that is recorded of a client's answer, undefined if that is none to this
 * question; `read` makes what the handler gets of what was recorded, or throws
 * {@link Declined} or {@link Cancelled}.
 *
 * @template T
 * @typedef {object} Question
 * @property {string} [key]
 * @property {string} kind as in the keys of questions without a key of their own
 * @property {string} method
 * @property {any} params
 * @property {(answer: any) => string | undefined} accept
 * @property {(recorded: any) => T} read
 */

/** A question's name on the wire, which clients see. @typedef {{key?: string}} Keyed */

/**
 * The JSON Schema of a form. One that a library such as zod has made may say in other words what MCP allows.
 *
 * @typedef {ElicitRequestFormParams["requestedSchema"] | {readonly "~standard": object}} FormSchema
 */

/**
 * A form of a JSON Schema, answered with its content. Throws {@link Declined} or
 * {@link Cancelled} if the person does not fill it in. An answer that does not
 * fit is none, and is asked for again; defaults are filled in. A server in
 * another language with the same words goes on with the call.
 *
 * Throws a TypeError at once if MCP allows no such form, because other clients
 * are strict. What says the same in other words is rewritten: with null beside a
 * type the field may be left out, and is null then.
 *
 * @template {Record<string, any>} [T=Record<string, any>]
 * @param {string} message
 * @param {FormSchema} schema
 * @param {Keyed} [options]
 * @returns {Question<T>}
 */
export function form(message, schema, { key } = {}) {
  return elicitation({ mode: "form", message, requestedSchema: schema }, key, accepted)
}

/**
 * An elicitation as the SDK has it, answered with its whole result: a person who
 * declines or cancels has answered, too. Its form is as that of {@link form}.
 *
 * @param {{message: string, requestedSchema: FormSchema} | {message: string, url: string}} params
 * @param {Keyed} [options]
 * @returns {Question<ElicitResult>}
 */
export function elicit(params, { key } = {}) {
  return elicitation({ ...params, mode: "url" in params ? "url" : "form" }, key, (recorded) => recorded)
}

/**
 * Has the person open a page. Throws {@link Declined} or {@link Cancelled} if
 * they do not; that they agreed does not say that they are done there.
 *
 * @param {string} message
 * @param {string} address
 * @param {Keyed} [options]
 * @returns {Question<void>}
 */
export function url(message, address, { key } = {}) {
  return elicitation({ mode: "url", message, url: address }, key, (recorded) => void accepted(recorded))
}

/**
 * Asks the client's model. A prompt is answered with text, messages with the
 * whole result.
 *
 * @template {string | CreateMessageRequestParams["messages"]} P
 * @param {P} messages
 * @param {Keyed & Partial<Omit<CreateMessageRequestParams, "messages">>} [options]
 * @returns {Question<P extends string ? string : CreateMessageResultWithTools>}
 */
export function sampling(messages, { key, maxTokens = 1000, ...options } = {}) {
  const prompt = typeof messages === "string" ? [{ role: "user", content: { type: "text", text: messages } }] : messages
  const read = (/** @type {any} */ recorded) => (typeof messages === "string" ? textOf(recorded.content) : recorded)
  return { key, kind: "sampling", method: "sampling/createMessage", params: { ...options, messages: prompt, maxTokens }, accept: sampled, read }
}

/** Asks for the client's roots. @param {Keyed} [options] @returns {Question<Root[]>} */
export function roots({ key } = {}) {
  const accept = (/** @type {any} */ answer) => {
    if (!Array.isArray(answer?.roots) || !answer.roots.every((/** @type {any} */ root) => typeof root?.uri === "string" && isText(root.name))) return
    const found = answer.roots.map((/** @type {any} */ root) => object([meta(root), optional("name", root.name), ["uri", string(root.uri)]]))
    return object([meta(answer), ["roots", list(found)]])
  }
  return { key, kind: "roots", method: "roots/list", params: {}, accept, read: (recorded) => recorded.roots }
}

/**
 * A question as the SDK has it, an entry of inputRequests, answered with what the client sent.
 *
 * @param {string} key
 * @param {{method: string, params?: any}} question
 * @returns {Question<any>}
 */
export function unchecked(key, { method, params }) {
  return { key, kind: key, method, params, accept: (answer) => (isObject(answer) ? byName(answer) : undefined), read: (recorded) => recorded }
}

/**
 * @template T
 * @param {any} given
 * @param {string | undefined} key
 * @param {(recorded: any) => T} read
 * @returns {Question<T>}
 */
function elicitation(given, key, read) {
  const form = given.mode === "form" ? strictForm(given.requestedSchema) : undefined
  const params = form ? { ...given, requestedSchema: form.schema } : given
  const accept = (/** @type {any} */ answer) => {
    const { action, content } = answer ?? {}
    if (action === "decline" || action === "cancel") return object([meta(answer), ["action", string(action)]])
    if (action !== "accept" || (content != null && !isObject(content))) return
    const filled = form ? fill(form, content ?? {}) : (content ?? {})
    if (!filled) return
    return object([meta(answer), ["action", string(action)], ["content", Object.keys(filled).length ? byName(filled) : undefined]])
  }
  return { key, kind: "elicitation", method: "elicitation/create", params, accept, read }
}

/** The content with what stands for what was left out; undefined if it does not fit. @param {Form} form @param {Record<string, any>} content */
function fill({ schema, nullable, empty, closed }, content) {
  const given = Object.fromEntries(Object.entries(content).filter(([name, value]) => value !== null || !nullable.has(name)))
  const checked = closed ? { ...schema, additionalProperties: false } : schema
  if (!new CfWorkerJsonSchemaValidator().getValidator(checked)(given).valid) return
  const defaults = Object.entries(schema.properties).flatMap(([name, property]) => {
    const value = empty.has(name) ? null : property.default
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(defaults), ...given }
}

/** @param {any} recorded */
function accepted({ action, content = {} }) {
  if (action === "decline") throw new Declined()
  if (action === "cancel") throw new Cancelled()
  return content
}

/** @param {any} answer */
function sampled(answer) {
  const { content, model, role, stopReason } = answer ?? {}
  if (role !== "assistant" || typeof model !== "string" || !isText(stopReason)) return
  const blocks = []
  for (const one of Array.isArray(content) ? content : [content]) {
    const written = block(one)
    if (!written) return
    blocks.push(written)
  }
  const written = blocks.length === 1 ? blocks[0] : list(blocks)
  return object([meta(answer), ["content", written], ["model", string(model)], ["role", string(role)], optional("stopReason", stopReason)])
}

/** A block as Go writes it; undefined if it is none that a model answers with. @param {any} block */
function block(block) {
  const { type, text, mimeType, data, id, name, input, annotations } = block ?? {}
  const texts = (/** @type {unknown[]} */ ...all) => all.every((one) => typeof one === "string")
  const shown = isObject(annotations) ? annotated(annotations) : undefined
  if (type === "text" && texts(text)) return object([["type", string(type)], ["text", string(text)], meta(block), ["annotations", shown]])
  if ((type === "image" || type === "audio") && texts(mimeType, data)) {
    return object([["type", string(type)], ["mimeType", string(mimeType)], ["data", string(data)], meta(block), ["annotations", shown]])
  }
  if (type === "tool_use" && texts(id, name) && isObject(input)) {
    return object([["type", string(type)], ["id", string(id)], ["name", string(name)], ["input", byName(input)], meta(block)])
  }
}

/** @param {any} annotations */
function annotated({ audience, lastModified, priority }) {
  const heard = Array.isArray(audience) && audience.length ? byName(audience) : undefined
  return object([["audience", heard], optional("lastModified", lastModified), ["priority", typeof priority === "number" && priority ? byName(priority) : undefined]])
}

/** @param {any} content */
function textOf(content) {
  return [content].flat().map(({ type, text }) => (type === "text" ? text : "")).join("")
}

/** @param {any} of @returns {[string, string | undefined]} */
const meta = ({ _meta }) => ["_meta", isObject(_meta) && Object.keys(_meta).length ? byName(_meta) : undefined]

/** A member that Go leaves out if it is empty. @param {string} name @param {unknown} value @returns {[string, string | undefined]} */
const optional = (name, value) => [name, typeof value === "string" && value ? string(value) : undefined]

/** @param {unknown} value */
const isText = (value) => value === undefined || typeof value === "string"

/** @param {unknown} value */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)
