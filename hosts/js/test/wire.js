// A transport whose other side is a script.

/** @import { Carried, Receive, Transport } from "../dist/index.js" */

/** A message as a server reads it. @typedef {{id?: number, method: string, params: any, result?: unknown, error?: unknown}} Sent */

/**
 * What the script does with a message: the result as JSON text, or nothing if
 * the answer is to wait.
 *
 * @typedef {(message: Sent, post: Extract<Carried, {type: "post"}>) => string | undefined | void} Script
 */

/**
 * Answers posts by a script, a microtask later, and notes what it was asked to
 * do.
 *
 * @implements {Transport}
 */
export class Wire {
  /** What was performed, such as "tools/call 1", "abort 1". @type {string[]} */
  log = []

  /** @type {Receive} */
  receive = () => {}

  #script

  /** @param {Script} script @param {"http" | "stdio"} [kind] */
  constructor(script, kind = "http") {
    this.#script = script
    this.kind = kind
  }

  /** @param {Receive} receive */
  open(receive) {
    this.receive = receive
    return this
  }

  /** @param {Carried} action */
  perform(action) {
    if (action.type !== "post") return void this.log.push(`${action.type} ${action.exchange}`)
    const message = JSON.parse(action.body)
    this.log.push(message.method ? `${message.method} ${action.exchange}` : `reply ${JSON.stringify(message.result ?? message.error)}`)
    const result = this.#script(message, action)
    const { exchange, call } = action
    if (result !== undefined) this.answer(`{"jsonrpc":"2.0","id":${message.id},"result":${result}}`, exchange, call)
    else if (message.id === undefined && this.kind === "http") queueMicrotask(() => this.receive({ type: "ended", exchange, status: 202 }))
  }

  /** Lets a message of the server come, the last of its exchange. @param {string} body @param {number} exchange @param {number} [call] */
  answer(body, exchange, call) {
    const stdio = this.kind === "stdio"
    queueMicrotask(() => this.receive({ type: "message", exchange: stdio ? 0 : exchange, body, ...(!stdio && { last: true }) }))
  }

  reset() {
    this.log.push("reset")
  }

  async close() {
    this.log.push("close")
  }

  /** What was noted since the last time. */
  take() {
    return this.log.splice(0).join(", ")
  }
}

/**
 * The script of a server of an earlier era, around one for its tools.
 *
 * @param {Script} tools
 * @returns {Script}
 */
export function earlier(tools) {
  return (message, post) => {
    if (message.method === "server/discover") throw new Error("give the version")
    if (message.method === "initialize") return '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}'
    if (message.method?.startsWith("notifications/")) return
    return tools(message, post)
  }
}

/** Answers the legs of any call with results, by how many rounds it has had. @param {...string} results @returns {Script} */
export function rounds(...results) {
  return ({ params }) => results[params.inputResponses || params.requestState ? 1 : 0]
}
