import { load } from "../dist/node.js"
import { answer, clientInfo, params, response, result } from "./peer.js"

/** Whole calls by a flow alone, driven by hand: what the engine itself costs. @param {number} legs */
export async function flow(legs) {
  const engine = await load()
  const [request, info, capabilities, raw] = [JSON.stringify(params), JSON.stringify(clientInfo), '{"elicitation":{"form":{}}}', JSON.stringify(answer)]
  let id = 0
  return async () => {
    const flow = engine.newFlow("tools/call", request, { can: { form: true } })
    /** @type {import("../dist/node.js").Event} */
    let event = { type: "begin" }
    for (;;) {
      const [action] = flow.step(Date.now(), event) // what else there is are times to wait
      if (action?.type === "send") {
        const { leg, method, params } = action
        const { body } = engine.request({ id: ++id, method, params, capabilities, clientInfo: info })
        if (body.length === 0) throw new Error("nothing to send")
        event = { type: "response", leg, body: response(id, result(leg, legs)) }
      } else if (action?.type === "ask") {
        event = { type: "answer", ask: action.ask, raw }
      } else if (action?.type === "done") {
        return flow.free()
      } else {
        throw new Error(JSON.stringify(action))
      }
    }
  }
}
