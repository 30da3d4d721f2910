// A proxy that cuts a connection after so many bytes, once each time it is told, or keeps what is sent and delivers it later.
import { once } from "node:events"
import { connect, createServer } from "node:net"

/** @typedef {"sent" | "answered"} Way */

/** @param {number} port where to */
export async function cutting(port) {
  /** @type {{way: Way, left: number, reached?: () => void} | undefined} */
  let cut
  let cuts = 0
  let holding = false
  /** @type {{far: import("node:net").Socket, bytes: Buffer}[]} */
  let kept = []
  const server = createServer((near) => {
    if (holding) return void near.destroy()
    const far = connect(port, "127.0.0.1")
    let isKept = false
    const end = () => {
      near.destroy()
      if (!isKept) far.destroy()
    }
    for (const socket of [near, far]) socket.on("error", () => {}).on("close", end)
    const pass = (/** @type {Way} */ way, /** @type {import("node:net").Socket} */ from, /** @type {import("node:net").Socket} */ to) =>
      from.on("data", (bytes) => {
        if (isKept) return
        if (holding && way === "sent") {
          isKept = true
          kept.push({ far, bytes })
          return end()
        }
        if (cut?.way !== way) return void to.write(bytes)
        if (bytes.length <= cut.left) {
          cut.left -= bytes.length
          return void to.write(bytes)
        }
        const { left, reached } = cut
        cut = undefined
        cuts++
        const some = bytes.subarray(0, left)
        if (reached) {
          if (some.length) to.write(some)
          reached()
          to.write(bytes.subarray(left))
        } else if (some.length) to.write(some, end)
        else end()
      })
    pass("sent", near, far)
    pass("answered", far, near)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: /** @type {import("node:net").AddressInfo} */ (server.address()).port,
    /** @param {Way} way @param {number} left in bytes @param {() => void} [reached] is called instead of a cut */
    cutAfter: (way, left, reached) => void (cut = { way, left, reached }),
    /** Cuts nothing more, and tells how often it did. */
    whole() {
      cut = undefined
      return cuts
    },
    /** Breaks every connection that sends something, keeps what it sent, and lets no new one in, until it is told otherwise. @param {boolean} on */
    hold: (on) => void (holding = on),
    /** How many connections something is kept of. */
    kept: () => kept.length,
    /** Sends what was kept, and resolves when the server has dealt with it. */
    async deliver() {
      const all = kept
      kept = []
      for (const { far, bytes } of all) {
        const closed = once(far, "close")
        far.resume().end(bytes)
        await closed
      }
    },
    stop: () => void server.close(),
  }
}
