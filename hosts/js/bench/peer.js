// The peer of all clients: a script that answers with ready JSON text. tests/peers gives it, the same to clients in
// every language, as the last argument.

/**
 * @typedef {object} Script
 * @property {{name: string, arguments: Record<string, unknown>}} params of tools/call
 * @property {{action: "accept", content: Record<string, string>}} answer to each question
 * @property {unknown} discovered the result of server/discover
 * @property {Record<string, string[]>} results of each leg, by how many legs there are
 */

/** @type {Script} */
const script = JSON.parse(process.argv.at(-1) ?? "")

export const { params, answer } = script
export const clientInfo = { name: "bench", version: "1" }

/** The result of a leg: a round with one question, or the final one. @param {number} leg @param {number} legs */
export function result(leg, legs) {
  return script.results[legs]?.[leg - 1] ?? ""
}

/** @param {unknown} id @param {string} result */
export function response(id, result) {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

const discovered = JSON.stringify(script.discovered)

/** A transport of the SDK whose other side is the script: it makes and reads JSON text, as any would. */
export class ScriptedTransport {
  /** @type {((message: any) => void) | undefined} */
  onmessage
  /** @type {(() => void) | undefined} */
  onclose
  #legs
  #leg = 0

  /** @param {number} legs */
  constructor(legs) {
    this.#legs = legs
  }

  async start() {}

  async close() {
    this.onclose?.()
  }

  /** @param {any} message */
  async send(message) {
    if (message.id === undefined) return
    const text = JSON.stringify(message)
    if (text.length === 0) throw new Error("nothing to send")
    let answer = discovered
    if (message.method === "tools/call") answer = result((this.#leg = (this.#leg % this.#legs) + 1), this.#legs)
    this.onmessage?.(JSON.parse(response(message.id, answer)))
  }
}
