// Parley's own client in JavaScript: the package as hosts/js/build.mjs makes it.
import { fetchTransport } from "../../../hosts/js/dist/node.js"
import { stdioTransport } from "../../../hosts/js/dist/transport/stdio-node.js"
import { playSession } from "./session.js"

await playSession(({ url, command }) => {
  const [program = "", ...args] = command ?? []
  return url ? fetchTransport(url) : stdioTransport({ command: program, args, env: process.env, stderr: "inherit" })
})
