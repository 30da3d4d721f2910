// What the tests of remote sessions have in common.

import { load } from "../dist/node.js"

/** @import { RemoteHost } from "../dist/remote/index.js" */
/** @import { Outbound, Question, Send, SendContext } from "../dist/index.js" */

export const engine = await load()

/** A server whose tool asks for a name and then has a result, and what reached it. */
export function desk() {
  /** @type {Outbound[]} */
  const legs = []
  /** @type {Send} */
  const send = (leg) => {
    legs.push(leg)
    const answered = JSON.parse(leg.params).inputResponses
    return answer(answered ? { content: [{ type: "text", text: answered.who.content.name }] } : asks)
  }
  return { legs, send }
}

export const form = { method: "elicitation/create", params: { message: "Who?", requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } } }
export const asks = { resultType: "input_required", requestState: "a secret", inputRequests: { who: form } }
export const tool = { method: "tools/call", params: { name: "t" } }
export const ada = { action: "accept", content: { name: "Ada" } }

/** @param {object} result */
export const answer = (result) => JSON.stringify({ jsonrpc: "2.0", id: 1, result })

/** Something that is waited for. @template T */
export function promised() {
  /** @type {(value: T) => void} */
  let settle = () => {}
  const promise = new Promise((/** @type {(value: T) => void} */ resolve) => (settle = resolve))
  return { promise, settle }
}

/** Asks once, and waits to be told the answer. */
export function person() {
  /** @type {{question: Question, signal: AbortSignal, answer: (value: any) => void}[]} */
  const asked = []
  let next = promised()
  return {
    asked,
    /** The next question that is put. */
    async question() {
      await next.promise
      next = promised()
      return /** @type {typeof asked[0]} */ (asked.at(-1))
    },
    elicit: (/** @type {Question} */ question, /** @type {{signal: AbortSignal}} */ { signal }) =>
      new Promise((answer) => {
        asked.push({ question, signal, answer })
        next.settle(undefined)
      }),
  }
}

/** @param {{server: RemoteHost, session: {close: () => Promise<void>}}} remote */
export async function end({ server, session }) {
  await session.close()
  await server.close()
}

/** A connection that is a function. @param {Send} send @returns {(receive: import("../dist/index.js").Receive) => any} */
export function opener(send) {
  return (receive) => ({
    perform: async (/** @type {any} */ action) => {
      if (action.type !== "request") return
      const body = await send(action, /** @type {SendContext} */ ({ signal: new AbortController().signal, progress: () => {} }))
      receive({ type: "message", exchange: action.exchange, body, last: true })
    },
    reset: () => {},
    close: async () => {},
  })
}
