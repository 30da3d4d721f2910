// What goes between the two halves of "./remote": JSON messages, one in each
// text message of a WebSocket. Whatever comes is checked against these shapes
// before anything is done with it.

/**
 * The part of a WebSocket that is used here: a page's own, Node's, that of the
 * package `ws`, or an object of yours that carries texts in order.
 *
 * @typedef {object} Socket
 * @property {(text: string) => void} send
 * @property {(code?: number, reason?: string) => void} close
 * @property {(type: any, listener: (event: any) => void) => void} addEventListener for "open", "message" (whose `data` is the text), "close" and "error"
 * @property {number} [bufferedAmount] what was sent and has not left yet, in bytes
 */

/** The version of these messages. Both halves are of one package; one that is of another says so. */
export const version = 1

/** How many calls of a page run at once. */
export const mostCalls = 64

/** How many questions of one call are open at once. */
export const mostQuestions = 64

/** How long ids, names and reasons may be, in characters. */
export const mostWord = 1024

/** What a page can answer. */
export const abilities = /** @type {const} */ (["elicit", "elicitURL", "sample", "sampleTools", "listRoots", "authorize", "tasks", "anyForm", "fill"])

/** Those of them that are no asker. @type {readonly string[]} */
export const flags = ["sampleTools", "tasks", "anyForm", "fill"]

/** Who can be told about a call, and with what. @type {Record<string, Kind[]>} */
export const ofCall = {
  onProgress: ["count", "text"],
  onNote: ["object"],
  onLeg: ["object"],
  onPause: ["object"],
  onTask: ["word", "text?"],
  onNotification: ["word", "text?"],
}

/** Who can be told about a session, and with what. @type {Record<string, Kind[]>} */
export const ofSession = { onReady: ["object"], onNotification: ["word", "text?"], onSubscribed: ["object"], onChanged: ["object"], onWarning: ["text", "object?"] }

/** What a member is, and whether it may be absent. @typedef {"id" | "ids" | "count" | "number" | "word" | "text" | "flag" | "object" | "list" | "number?" | "word?" | "text?" | "flag?" | "object?"} Kind */

/** The members of messages and of objects in them. @typedef {Record<string, Kind>} Shape */

/** What a page says. With `since` it may have said so before, over a connection that is lost, to a server that remembered that. @type {Record<string, Shape>} */
export const fromPage = {
  hello: { version: "number", can: "object", tell: "list" },
  call: { call: "id", method: "word", params: "text", options: "object", can: "object", tell: "list", since: "word?" },
  resume: { call: "id", how: "object", can: "object", tell: "list", since: "word?" },
  answer: { call: "id", number: "count", raw: "text" },
  refuse: { call: "id", number: "count", park: "flag?", reason: "word?" },
  park: { call: "id" },
  cancel: { call: "id" },
  took: { call: "id" },
  subscribe: { filter: "object" },
}

/** What the host's server says. @type {Record<string, Shape>} */
export const fromHost = {
  hello: { version: "number", memory: "word", most: "count" },
  ask: { call: "id", number: "count", question: "object" },
  withdraw: { call: "id", number: "count" },
  tell: { call: "word?", what: "word", said: "list" },
  end: { call: "id", outcome: "object" },
  misuse: { call: "id", code: "number", detail: "text" },
  unknown: { call: "id", later: "flag?" },
  moved: { call: "id" },
  error: { detail: "text" },
}

/** A question as an asker gets it. @type {Shape} */
export const ofQuestion = {
  ask: "number", key: "text", kind: "word", mode: "word?", params: "text?", round: "count", host: "text?",
  loopback: "flag?", punycode: "flag?", repeat: "flag?", problem: "text?", sentence: "object?", earlier: "text?",
}

/** Outcomes by their status, without the snapshot. @type {Record<string, Shape>} */
export const ofOutcome = {
  done: { status: "word", result: "text", noStore: "flag?", cached: "flag?", next: "text?", lacks: "text?", sentence: "object?" },
  parked: { status: "word" },
  failed: { status: "word", code: "number", detail: "text", sentence: "object?", resumable: "flag", inDoubt: "flag?", response: "text?" },
}

/** @type {Record<string, (value: any) => boolean>} */
const kinds = {
  id: (value) => typeof value === "string" && /^[a-z2-7]{26}$/.test(value),
  count: (value) => Number.isSafeInteger(value) && value >= 0,
  number: (value) => Number.isSafeInteger(value),
  word: (value) => typeof value === "string" && value.length <= mostWord,
  text: (value) => typeof value === "string",
  flag: (value) => typeof value === "boolean",
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  list: (value) => Array.isArray(value) && value.length <= 16,
}

/**
 * A message that came, if it is one of these. It throws an Error that says what
 * is wrong with it, and nothing of what is in it.
 *
 * @param {unknown} data @param {Record<string, Shape>} shapes @param {number} most how long it may be, in characters
 * @returns {any}
 */
export function read(data, shapes, most) {
  if (typeof data !== "string") throw new Error("a message is no text")
  if (data.length > most) throw new Error(`a message is longer than ${most} characters`)
  let message
  try {
    message = JSON.parse(data)
  } catch {}
  const { type, ...members } = Object(message)
  if (typeof type !== "string" || !Object.hasOwn(shapes, type)) throw new Error("a message is of no known type")
  check(members, shapes[type] ?? {}, type)
  return message
}

/** Throws unless an object has these members and no others. @param {Record<string, any>} object @param {Shape} shape @param {string} what */
export function check(object, shape, what) {
  for (const name of Object.keys(object)) if (!Object.hasOwn(shape, name)) throw new Error(`${what} has a member too many`)
  pick(object, shape, what)
}

/** The members of an object that are known; what else is there may be of a later engine. @param {Record<string, any>} object @param {Shape} shape @param {string} what @returns {any} */
export function pick(object, shape, what) {
  const wrong = Object.entries(shape).find(([name, kind]) => !is(object[name], kind))
  if (wrong) throw new Error(`${what}: ${wrong.join(" is no ")}`)
  return Object.fromEntries(Object.keys(shape).flatMap((name) => (object[name] === undefined ? [] : [[name, object[name]]])))
}

/** Throws unless a list has what a watcher takes, and returns that. @param {unknown[]} said @param {Kind[]} shape */
export function checkSaid(said, shape) {
  if (said.length > shape.length || !shape.every((kind, i) => is(said[i] ?? undefined, kind))) throw new Error("a watcher is told something else than it takes")
  return said.map((value) => value ?? undefined)
}

/** @param {unknown} value @param {Kind} kind */
const is = (value, kind) => (kind.endsWith("?") && value === undefined) || kinds[kind.replace("?", "")]?.(value) === true
