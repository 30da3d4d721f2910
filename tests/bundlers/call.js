/**
 * One call by the engine that `globalThis.engine` promises: its server asks for a
 * name and greets whoever has it. Resolves with the result, as text. The tests
 * hand this function to pages and workers, so it uses nothing of this file.
 *
 * @returns {Promise<string>}
 */
export async function call() {
  const { engine: loading } = /** @type {any} */ (globalThis)
  /** @type {import("../../hosts/js/src/core.js").Engine} */
  const engine = await loading
  const flow = engine.newFlow("tools/call", { name: "greet" }, { can: { form: true } })
  const question = { method: "elicitation/create", params: { message: "Who are you?", requestedSchema: { type: "object", properties: { name: { type: "string" } } } } }
  const respond = (/** @type {number} */ leg, /** @type {object} */ result) => flow.step(Date.now(), { type: "response", leg, body: JSON.stringify({ jsonrpc: "2.0", id: leg, result }) })
  flow.step(Date.now(), { type: "begin" })
  const [ask] = respond(1, { resultType: "input_required", inputRequests: { who: question } })
  if (ask?.type !== "ask") throw new Error(`it did not ask: ${JSON.stringify(ask)}`)
  const [send] = flow.step(Date.now(), { type: "answer", ask: ask.ask, raw: '{"action":"accept","content":{"name":"Ann"}}' })
  if (send?.type !== "send") throw new Error(`it did not call again: ${JSON.stringify(send)}`)
  const { name } = JSON.parse(send.params).inputResponses.who.content
  const [done] = respond(2, { content: [{ type: "text", text: `Hello, ${name}.` }] })
  flow.free()
  if (done?.type !== "done" || engine.live !== 0) throw new Error(`it is not done, or holds ${engine.live} flows: ${JSON.stringify(done)}`)
  return done.result
}

/** What a call results in. */
export const result = '{"content":[{"type":"text","text":"Hello, Ann."}]}'
