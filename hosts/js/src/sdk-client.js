import { requests } from "./requests.js"
import { neverConnected, unsent } from "./unsent.js"

/** @import { Outbound } from "./requests.js" */
/** @import { Transport } from "./transport.js" */

/**
 * The part of a `Client` of @modelcontextprotocol/client that this adapter uses.
 *
 * @typedef {object} SdkClient
 * @property {unknown} [transport]
 * @property {(request: {method: string, params: Record<string, unknown>}, resultSchema: any, options: any) => Promise<unknown>} request
 */

/**
 * @typedef {object} SdkClientOptions
 * @property {(request: Outbound) => Record<string, string>} [headers] more HTTP header fields for a leg, such as a tool's own Mcp-Param-* (SEP-2243)
 */

/**
 * A transport over a connection that a `Client` of
 * @modelcontextprotocol/client has made, in its manual mode: the engine drives
 * the loop, the client only carries its legs. The connection must speak MCP
 * 2026-07-28.
 *
 * The client parses and writes JSON itself: values are kept, their spellings
 * are not. Numbers beyond a double are rounded (2^53+1), 1.0 becomes 1, and
 * members whose names are whole numbers come first. An answer of the server
 * that the client rejects counts as lost.
 *
 * @param {SdkClient} client connected
 * @param {SdkClientOptions} [options]
 * @returns {Transport}
 */
export function sdkClient(client, options = {}) {
  return requests(async (request, { signal, progress }) => {
    if (!client.transport) throw unsent("the client is not connected")
    const params = JSON.parse(request.params)
    // The engine decides what may be asked in this call, whatever the client
    // was made with.
    params._meta = { ...params._meta, "io.modelcontextprotocol/clientCapabilities": JSON.parse(request.capabilities) }
    try {
      const result = await client.request({ method: request.method, params }, anything, {
        allowInputRequired: true,
        timeout: never,
        signal,
        onprogress: (/** @type {unknown} */ params) => progress(JSON.stringify(params)),
        headers: options.headers?.(request),
      })
      return JSON.stringify({ jsonrpc: "2.0", id: request.leg, result })
    } catch (error) {
      if (isProtocolError(error)) return JSON.stringify({ jsonrpc: "2.0", id: request.leg, error: { code: error.code, message: error.message, data: error.data } })
      throw neverConnected(error) ? unsent("there is no connection to the server", error) : error
    }
  })
}

/** The result is the engine's to judge: a standard schema that takes anything. */
const anything = { "~standard": { version: 1, vendor: "parley", validate: (/** @type {unknown} */ value) => ({ value }) } }

/** The flow's own clocks decide when a leg has taken too long. In milliseconds, the longest a timer can be set for. */
const never = 2 ** 31 - 1

/**
 * Whether an error is one the server sent. The SDK brands its classes so, for
 * whoever has another copy of them.
 *
 * @param {any} error
 * @returns {error is {code: number, message: string, data?: unknown}}
 */
function isProtocolError(error) {
  return error?.[Symbol.for("mcp.sdk.errorBrands")]?.has("mcp.ProtocolError") === true
}
