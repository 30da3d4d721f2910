import { load } from "../dist/node.js"
import { answer, clientInfo, params, response, result } from "./peer.js"

/** Whole calls of a session that is stepped by hand: what the engine itself costs. @param {number} legs */
export async function core(legs) {
  const engine = await load()
  const session = engine.newSession({ transport: "stdio", versions: ["2026-07-28"], clientInfo, can: { form: true } })
  const [request, raw] = [JSON.stringify(params), JSON.stringify(answer)]
  return async () => {
    const call = session.call("tools/call", request)
    /** @type {import("../dist/node.js").SessionEvent} */
    let event = { type: "begin", call }
    for (;;) {
      const action = session.step(Date.now(), event).find(({ type }) => type !== "ready") // what else there is are times to wait
      if (action?.type === "post") {
        const id = Number(/"id":(\d+)/.exec(action.body)?.[1])
        event = { type: "message", exchange: 0, body: response(id, result(action.leg ?? 0, legs)) }
      } else if (action?.type === "ask") {
        event = { type: "answer", call, ask: action.ask, raw }
      } else if (action?.type === "done") {
        return session.drop(call)
      } else {
        throw new Error(JSON.stringify(action))
      }
    }
  }
}
