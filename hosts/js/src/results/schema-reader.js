// Reads what schema.js describes from what JSON.parse made of it, and its text.
// What a host needs to use a value must be there and of its type, or reading
// fails. Else what must be there and is not is empty, and what may be there and
// is of another type is left out.

import { inQuotes, rounds } from "../texts/exact-number.js"
import { elements, member } from "../texts/raw-json.js"
import { say } from "../texts/sentence.js"

/** @import { Sentence } from "../texts/sentence.js" */

/** How many entries of a list are taken: tools, contents, messages and the like. */
const mostEntries = 10_000

/** Of arguments, icons and the like: the rest is in the text only. */
const mostNested = 100

/** What is wrong with a result, in words that continue after where. */
export class Fault {
  /** @param {string | Sentence} where such as tools[3].name @param {Sentence} what @param {boolean} [limit] it is more than is taken, rather than what the schema forbids */
  constructor(where, what, limit = false) {
    this.where = where
    this.what = what
    this.limit = limit
  }
}

/** Reads a value that may be absent; undefined leaves it out. @typedef {(value: any, raw: string) => unknown} Read */

/** Reads a value that must be there; it throws a {@link Fault}. @typedef {(value: any, raw: string, where: string) => any} Need */

/** @type {Read} */
const string = (value) => (typeof value === "string" ? value : undefined)
/** @type {Read} */
const boolean = (value) => (typeof value === "boolean" ? value : undefined)
/** @type {Read} */
const number = (value) => (typeof value === "number" ? value : undefined)
/** @type {Read} */
const whole = (value) => (Number.isSafeInteger(value) ? value : undefined)
/** @type {Read} */
const object = (value) => (isObject(value) ? value : undefined)
/** @type {Read} */
const anything = (value) => value ?? undefined
/** @type {Read} */
const text = (value) => (typeof value === "string" ? value : "")

/** @type {Need} */
const neededString = (value, _, where) => {
  if (typeof value !== "string") throw new Fault(where, say`is not a string`)
  return value
}

/** A name, by which something is asked for: Unicode text, as no other could go back as it came. @type {Need} */
const neededName = (value, raw, where) => neededString(typeof value === "string" && /\p{Cs}/u.test(value) ? undefined : value, raw, where)

/** Bytes in base64. White space in it counts for nothing. @type {Need} */
const neededBase64 = (value, _, where) => {
  const text = typeof value === "string" ? value.replace(/[ \t\r\n]+/g, "") : "?"
  if (text.length % 4 || /[^A-Za-z0-9+/]/.test(text.replace(/={1,2}$/, ""))) throw new Fault(where, say`is not base64`)
  return value
}

/** An object: what it needs, what it may have, and its text if that is to be beside. @param {Record<string, Need>} needs @param {Record<string, Read>} may @param {boolean} [beside] @returns {Need} */
function record(needs, may, beside = false) {
  return (value, raw, where) => {
    if (!isObject(value)) throw new Fault(where || say`the result`, say`is not an object`)
    /** @type {Record<string, unknown>} */
    const fields = {}
    for (const [name, read] of Object.entries(needs)) fields[name] = read(value[name], raw, where ? `${where}.${name}` : name)
    for (const [name, read] of Object.entries(may)) {
      const field = read(value[name], raw)
      if (field !== undefined) fields[name] = field
    }
    return beside ? Object.defineProperty(fields, "raw", { value: raw }) : fields
  }
}

/** A value where it can be read. @param {Need} read @param {string} name of the member that it is @returns {Read} */
const maybe = (read, name) => (value, raw) => {
  try {
    return read(value, member(raw, name) ?? "", "")
  } catch (fault) {
    if (fault instanceof Fault) return undefined
    throw fault
  }
}

/** Those entries of a list that can be read, and not too many. @param {Need} read @returns {Read} */
const some = (read) => (list) => {
  if (!Array.isArray(list)) return undefined
  const found = []
  for (const entry of list) {
    if (found.length === mostNested) break
    const one = maybe(read, "")(entry, "{}")
    if (one !== undefined) found.push(one)
  }
  return found
}

/** The list that a method must bring, whose entries must all be usable. @param {string} name of the member that it is @param {Need} read @returns {Need} */
const brought = (name, read) => (list, raw, where) => each(list, raw, name).map(({ entry, text, at }) => read(entry, text, at))

/** The entries of a list that are usable, and what is wrong with the others; null and nothing are an empty one. @param {unknown} list @param {string} raw @param {string} name @param {Need} read */
function usable(list, raw, name, read) {
  /** @type {any[]} */
  const items = []
  /** @type {Fault[]} */
  const leftOut = []
  for (const { entry, text, at } of list === undefined || list === null ? [] : each(list, raw, name)) {
    try {
      items.push(read(entry, text, at))
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault
      leftOut.push(fault)
    }
  }
  return { items, leftOut }
}

/** @param {unknown} list @param {string} raw what it is in @param {string} name of the member that it is */
function each(list, raw, name) {
  if (!Array.isArray(list)) throw new Fault(say`the result`, say`has no list of ${name}`) // as the engine says it
  if (list.length > mostEntries) throw new Fault(name, say`has more than 10,000 entries`, true)
  const texts = elements(raw, name)
  return list.map((entry, i) => ({ entry, text: texts[i] ?? "", at: `${name}[${i}]` }))
}

/** The results of methods. @type {Record<string, Need>} */
export const results = /* @__PURE__ */ shapes()

/** @returns {Record<string, Need>} */
function shapes() {
  const annotations = record({}, { audience: some(neededString), priority: number, lastModified: string })
  const icon = record({ src: neededString }, { mimeType: string, sizes: some(neededString), theme: string })
  const argument = record({ name: neededString }, { title: string, description: string, required: boolean })

  const hints = record({}, { title: string, readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean, openWorldHint: boolean })

  const execution = (/** @type {unknown} */ value) => {
    const taskSupport = ["required", "optional", "forbidden"].find((one) => isObject(value) && one === value.taskSupport)
    return taskSupport && { taskSupport }
  }

  /** @type {Record<string, Read>} */
  const listed = { title: string, description: string, icons: some(icon), _meta: object }
  /** @type {Record<string, Read>} */
  const located = { ...listed, mimeType: string, annotations: maybe(annotations, "annotations") }

  const tool = record(
    { name: neededName },
    { ...listed, inputSchema: (value) => (isObject(value) ? value : { type: "object" }), outputSchema: object, annotations: maybe(hints, "annotations"), execution },
    true,
  )
  const prompt = record({ name: neededName }, { ...listed, arguments: some(argument) }, true)
  const resource = record({ uri: neededName, name: neededName }, { ...located, size: whole }, true)
  const template = record({ uriTemplate: neededName, name: neededName }, located, true)

  const bare = { mimeType: string, _meta: object }

  /** A resource, which has either text or bytes. @param {Need} uri @returns {Need} */
  const contents = (uri) => {
    const withText = record({ uri, text: neededString }, bare, true)
    const withBlob = record({ uri, blob: neededBase64 }, bare, true)
    return (value, raw, where) => {
      if (isObject(value) && typeof value.text !== "string" && typeof value.blob !== "string") throw new Fault(where, say`has neither text nor blob`)
      return (isObject(value) && typeof value.text !== "string" ? withBlob : withText)(value, raw, where)
    }
  }
  const embedded = contents((value) => text(value, "")) // which may be shown whatever its uri is

  const block = { annotations: maybe(annotations, "annotations"), _meta: object }
  const media = record({ type: neededString, data: neededBase64 }, { ...block, mimeType: text }, true)

  /** By their types. @type {Record<string, Need>} */
  const blocks = {
    text: record({ type: neededString, text: neededString }, block, true),
    image: media,
    audio: media,
    resource: record({ type: neededString, resource: (value, raw, where) => embedded(value, member(raw, "resource") ?? "null", where) }, block, true),
    resource_link: record({ type: neededString, uri: neededString }, { ...located, name: text, size: whole }, true),
  }
  const unknown = record({ type: neededString }, {}, true)

  /** @type {Need} */
  const content = (value, raw, where) => {
    const type = isObject(value) ? String(value.type) : ""
    return ((Object.hasOwn(blocks, type) && blocks[type]) || unknown)(value, raw, where)
  }

  const message = record({ role: neededString, content: (value, raw, where) => content(value, member(raw, "content") ?? "", where) }, {})

  /** @type {Need} A failure must not pass for a success. */
  const failed = (value, _, where) => {
    if (value !== undefined && value !== null && typeof value !== "boolean") throw new Fault(where, say`is not a boolean`)
    return value ?? undefined
  }

  /** A page of a list. @param {string} name @param {Need} item @returns {Need} */
  const page = (name, item) => (value, raw) => {
    if (!isObject(value)) throw new Fault(say`the result`, say`is not an object`)
    const { items, leftOut } = usable(value[name], raw, name, item)
    return { [name]: items, leftOut }
  }

  const toolResult = record({ content: brought("content", content), isError: failed }, { structuredContent: anything, _meta: object }, true)

  return {
    // What is structured does for content.
    "tools/call": (value, raw, where) => exact(toolResult(isObject(value) && value.structuredContent != null ? { ...value, content: value.content ?? [] } : value, raw, where)),
    "prompts/get": record({ messages: brought("messages", message) }, { description: string, _meta: object }, true),
    "resources/read": record({ contents: brought("contents", contents(neededString)) }, { ttlMs: whole, cacheScope: string, _meta: object }, true),
    "tools/list": page("tools", tool),
    "prompts/list": page("prompts", prompt),
    "resources/list": page("resources", resource),
    "resources/templates/list": page("resourceTemplates", template),
  }
}

/** A tool's result whose structuredContent is not read as other numbers: it says so where it is used. @param {any} result */
function exact(result) {
  if (result.structuredContent === undefined || !rounds(member(result.raw, "structuredContent") ?? "")) return result
  return Object.defineProperty(result, "structuredContent", {
    get: () => { throw new RangeError("parley: structuredContent has a whole number that JavaScript would round: read it from the result's raw") },
  })
}

/** The result as data for a chat: such numbers are text in it. @param {import("./schema.js").CallToolResult} result */
export function legible(result) {
  const text = member(result.raw, "structuredContent")
  if (!Object.getOwnPropertyDescriptor(result, "structuredContent")?.get || text === undefined) return result
  return Object.defineProperty(result, "structuredContent", { value: JSON.parse(inQuotes(text)) })
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
