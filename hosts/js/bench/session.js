import { connect, load } from "../dist/node.js"
import { answer, clientInfo, params, response, result } from "./peer.js"

/** Whole calls by a session of Parley's, with all that a client does. @param {number} legs */
export async function session(legs) {
  const request = JSON.stringify(params)
  const client = connect(await load(), scripted(legs), { clientInfo, versions: ["2026-07-28"], elicit: async () => answer })
  return async () => {
    const outcome = await client.call("tools/call", request)
    if (outcome.status !== "done") throw new Error(JSON.stringify(outcome))
  }
}

/** @param {number} legs @returns {import("../dist/node.js").Transport} */
function scripted(legs) {
  let leg = 0
  return {
    kind: "http",
    open: (receive) => ({
      perform(action) {
        if (action.type !== "post") return
        const id = Number(/"id":(\d+)/.exec(action.body)?.[1])
        const body = response(id, result((leg = (leg % legs) + 1), legs))
        receive({ type: "message", exchange: action.exchange, body, last: true })
      },
      reset() {},
      async close() {},
    }),
  }
}
