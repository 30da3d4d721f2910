import { call, load } from "../dist/node.js"
import { answer, clientInfo, params, response, result } from "./peer.js"

/** Whole calls by Parley's loop. @param {number} legs */
export async function parley(legs) {
  const engine = await load()
  const [request, info] = [JSON.stringify(params), JSON.stringify(clientInfo)]
  let id = 0
  const callbacks = {
    /** @param {import("../dist/node.js").Request} request */
    async send({ leg, method, params, capabilities }) {
      const { body } = engine.request({ id: ++id, method, params, capabilities, clientInfo: info })
      if (body.length === 0) throw new Error("nothing to send")
      return response(id, result(leg, legs))
    },
    elicit: async () => answer,
  }
  return async () => {
    const outcome = await call(engine, "tools/call", request, callbacks)
    if (outcome.status !== "done") throw new Error(JSON.stringify(outcome))
  }
}
