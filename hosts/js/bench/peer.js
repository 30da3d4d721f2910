// The peer of both contestants: a script that answers with ready JSON text.

export const params = { name: "get_weather", arguments: { location: "New York" } }
export const clientInfo = { name: "bench", version: "1" }
export const answer = { action: "accept", content: { name: "octocat" } }

/** The result of a leg: a round with one question, or the final one. @param {number} leg @param {number} legs */
export function result(leg, legs) {
  if (leg === legs) return `{"resultType":"complete","content":[{"type":"text","text":"It is 18 degrees in New York."}],"isError":false}`
  return (
    `{"resultType":"input_required","inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Please provide your GitHub username",` +
    `"requestedSchema":{"type":"object","properties":{"name":{"type":"string","title":"Name","minLength":1}},"required":["name"]}}}},` +
    `"requestState":"EctyVi7rHqYNXYdM_VpwwGsI4GKYbcxT_xXTBvr5_qm3yMeS42TOHB_QaA78_3jspF04${leg}"}`
  )
}

/** @param {unknown} id @param {string} result */
export function response(id, result) {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`
}

const discovered = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}}}`

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
