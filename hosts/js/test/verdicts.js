// Makes the call of each failure of hosts/testdata/verdicts, which are served as
// its argument says, and prints what became of it. Node takes the certificates
// that it trusts from its environment when it starts, so this is a program of
// its own.
import { readFileSync } from "node:fs"

import { Code, connect, fetchTransport, load, StatusError } from "../dist/node.js"
import { stdioTransport } from "../dist/transport/stdio-node.js"
import { failed } from "./peer.js"

/** @typedef {{name: string, url?: string, program?: string[], login?: string, most?: number, timeout?: number}} Failure */
/** @typedef {{verdict: string, words: string}} Said */

/** @type {Failure[]} */
const failures = JSON.parse(readFileSync(0, "utf8"))
const engine = await load()

/** @type {Record<string, Said>} */
const said = {}
for (const failure of failures) said[failure.name] = await call(failure)
console.log(JSON.stringify(said))

/** @param {Failure} failure @returns {Promise<Said>} */
async function call(failure) {
  const session = connect(engine, transport(failure))
  const outcome = await session.call({ method: "tools/call", params: { name: "pay", arguments: {} }, options: { legTimeout: failure.timeout } })
  await session.close()
  if (outcome.status === "done") return { verdict: "done", words: "" }
  return { verdict: verdict(failed(outcome)), words: failed(outcome).detail }
}

/** @param {Failure} failure */
function transport({ url = "", program, login, most }) {
  if (program) return stdioTransport({ command: program[0] ?? "", args: program.slice(1), maxMessage: most })
  const fetch = login === undefined ? undefined : () => Promise.reject(Object.assign(new Error(login), { unsent: true }))
  return fetchTransport(url, { maxResponse: most, fetch })
}

/** What became of a tool call, as a host can tell it to a person. @param {ReturnType<typeof failed>} outcome */
function verdict({ code, cause, resumable }) {
  if (code === Code.rpc) return "answered"
  if (code === Code.malformed) return "unusable"
  if (!resumable) return "cannot go on"
  if (code === Code.inDoubt || code === Code.legTimeout) return "in doubt"
  if (cause instanceof StatusError) return "refused"
  return code === Code.lost ? "not sent" : `code ${code}`
}
