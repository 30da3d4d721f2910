import { createServer } from "node:http"

/**
 * Serves HTTP on a free port and says where, for whoever started the process.
 *
 * @param {import("node:http").RequestListener} listener
 */
export function listen(listener) {
  const server = createServer(listener)
  server.listen(0, "127.0.0.1", () => {
    const address = /** @type {import("node:net").AddressInfo} */ (server.address())
    console.log(`listening on http://127.0.0.1:${address.port}/mcp`)
  })
}
