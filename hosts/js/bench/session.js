import { connect, load, requests as borrowed } from "../dist/node.js"
import { answer, clientInfo, params, response, result } from "./peer.js"

/** @import { ConnectOptions, Transport } from "../dist/node.js" */

/** Whole calls by a session of Parley's, with all that a client does. @param {number} legs */
export const session = (legs) => calls(scripted(legs), { clientInfo, versions: ["2026-07-28"] })

/** Whole calls by a session over a connection that is there already. @param {number} legs */
export const requests = (legs) => calls(borrowed(async ({ leg }) => response(leg, result(leg, legs))))

/** @param {Transport} transport @param {ConnectOptions} [options] */
async function calls(transport, options) {
  const request = JSON.stringify(params)
  const client = connect(await load(), transport, { ...options, askers: { elicit: async () => answer } })
  return async () => {
    const outcome = await client.call({ method: "tools/call", params: request })
    if (outcome.status !== "done") throw new Error(JSON.stringify(outcome))
  }
}

/** @param {number} legs @returns {Transport} */
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
