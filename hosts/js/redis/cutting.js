// A proxy that cuts a connection after so many bytes, once each time it is told.
import { once } from "node:events"
import { connect, createServer } from "node:net"

/** @typedef {"sent" | "answered"} Way */

/** @param {number} port where to */
export async function cutting(port) {
  /** @type {{way: Way, left: number} | undefined} */
  let cut
  let cuts = 0
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1")
    const both = [near, far]
    for (const socket of both) socket.on("error", () => {}).on("close", () => both.forEach((one) => one.destroy()))
    const pass = (/** @type {Way} */ way, /** @type {import("node:net").Socket} */ from, /** @type {import("node:net").Socket} */ to) =>
      from.on("data", (bytes) => {
        if (cut?.way !== way) return void to.write(bytes)
        if (bytes.length <= cut.left) {
          cut.left -= bytes.length
          return void to.write(bytes)
        }
        const some = bytes.subarray(0, cut.left)
        cut = undefined
        cuts++
        if (some.length) to.write(some, () => both.forEach((one) => one.destroy()))
        else both.forEach((one) => one.destroy())
      })
    pass("sent", near, far)
    pass("answered", far, near)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: /** @type {import("node:net").AddressInfo} */ (server.address()).port,
    /** @param {Way} way @param {number} left in bytes */
    cutAfter: (way, left) => void (cut = { way, left }),
    /** Cuts nothing more, and tells how often it did. */
    whole() {
      cut = undefined
      return cuts
    },
    stop: () => void server.close(),
  }
}
