/**
 * One call by the engine that `globalThis.engine` promises: its server asks for a
 * name and greets whoever has it. Resolves with the result, as text. The tests
 * hand this function to pages and workers, so it uses nothing of this file.
 *
 * @returns {Promise<string>}
 */
export async function call() {
  const { engine: loading } = /** @type {any} */ (globalThis)
  /** @type {import("../../hosts/js/src/engine/index.js").Engine} */
  const engine = await loading
  const session = engine.newSession({ transport: "requests", can: { form: true } })
  const call = session.call("tools/call", { name: "greet" })
  const step = (/** @type {import("../../hosts/js/src/engine/session.js").SessionEvent} */ event) => session.step(Date.now(), event)
  const question = { method: "elicitation/create", params: { message: "Who are you?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } } }
  const respond = (/** @type {number} */ exchange, /** @type {object} */ result) => step({ type: "message", exchange, body: JSON.stringify({ jsonrpc: "2.0", id: exchange, result }), last: true })
  step({ type: "begin", call })
  const [ask] = respond(1, { resultType: "input_required", inputRequests: { who: question } })
  if (ask?.type !== "ask") throw new Error(`it did not ask: ${JSON.stringify(ask)}`)
  const [request] = step({ type: "answer", call, ask: ask.ask, raw: '{"action":"accept","content":{"name":"Ann"}}' })
  if (request?.type !== "request") throw new Error(`it did not call again: ${JSON.stringify(request)}`)
  const { name } = JSON.parse(request.params).inputResponses.who.content
  const [done] = respond(2, { content: [{ type: "text", text: `Hello, ${name}.` }] })
  session.free()
  if (done?.type !== "done" || engine.live !== 0) throw new Error(`it is not done, or the engine holds ${engine.live}: ${JSON.stringify(done)}`)
  return done.result
}

/** What a call results in. */
export const result = '{"content":[{"type":"text","text":"Hello, Ann."}]}'
