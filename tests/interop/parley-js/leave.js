// Parley's client in JavaScript, in a host that is in a hurry: it gives a call up
// as soon as the server works on it, closes the session at once, and ends.
//
// leave.js {"name":TOOL,"arguments":{…}} URL | COMMAND...
import { Code, connect, fetchTransport, load } from "../../../hosts/js/dist/node.js"
import { stdioTransport } from "../../../hosts/js/dist/transport/stdio-node.js"
import { patience } from "../js/play.js"

const [params = "", at = "", ...args] = process.argv.slice(2)
const transport = at.startsWith("http:") ? fetchTransport(at) : stdioTransport({ command: at, args, env: process.env, stderr: "inherit" })
const session = connect(await load(), transport, { askers: { elicit: () => ({ action: "decline" }), tasks: true }, probeTimeout: patience })
const leaving = new AbortController()
const leave = () => leaving.abort()
const outcome = await session.call({ method: "tools/call", params, signal: leaving.signal, watchers: { onProgress: leave, onTask: leave } })
await session.close()
console.log(outcome.status === "failed" && outcome.code === Code.canceled ? "canceled" : JSON.stringify(outcome))
