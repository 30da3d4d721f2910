// The protected servers, as programs.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** @import { AuthorizationServer } from "./authorization-server.js" */

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

/** The servers, by the SDK they stand on. @type {Record<string, string[]>} */
export const servers = {
  gosdk: [here(".built/gosdk")],
  ts: [process.execPath, here("ts/server.js")],
}

/** What a server saw and did. @typedef {{counts: Record<string, number>, users: string[], tokens: number}} Seen */

/**
 * Starts one of them before an authorization server, until the test ends.
 *
 * @param {{after: (stop: () => unknown) => void}} t
 * @param {string} name
 * @param {AuthorizationServer} authorization
 * @param {string[]} [flags] of its own
 */
export async function startServer(t, name, { issuer, lookup }, flags = []) {
  const command = [...(servers[name] ?? []), "--issuer", issuer, "--introspection", lookup.introspection, "--id", lookup.id, ...flags]
  const server = await start(t, command, { SIGNIN_SECRET: lookup.secret })
  return {
    ...server,
    /** @returns {Promise<Seen>} */
    seen: async () => (await fetch(new URL("/counts", server.url))).json(),
  }
}

/** Where the SDK for Python is: test.sh sets it where there is a Python. */
const python = process.env.PARLEY_EXAMPLES_PYTHON

/** The example servers, which let anybody read. @type {Record<string, string[]>} */
export const examples = {
  "go-server": [here(".built/go-server"), "-addr", "127.0.0.1:0"],
  "js-server": [process.execPath, here("../../examples/js-server/server.js"), "--port", "0"],
  ...(python && { "python-server": [python, "-B", here("../../examples/python-server/server.py"), "--port", "0"] }),
}

/**
 * Starts one of the examples, which counts nothing.
 *
 * @param {{after: (stop: () => unknown) => void}} t
 * @param {string} name
 * @param {AuthorizationServer} authorization
 */
export async function startExample(t, name, { issuer, lookup }) {
  const server = await start(t, [...(examples[name] ?? []), "--issuer", issuer, "--client-id", lookup.id], { CLIENT_SECRET: lookup.secret })
  return { ...server, seen: async () => /** @type {Seen} */ ({ counts: {}, users: [], tokens: 0 }) }
}

/** @param {{after: (stop: () => unknown) => void}} t @param {string[]} command @param {Record<string, string>} environment */
async function start(t, [program = "", ...args], environment) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...environment } })
  let log = ""
  child.stderr.on("data", (bytes) => (log += bytes))
  const ended = once(child, "exit")
  t.after(async () => {
    child.kill()
    await ended
  })
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended.then(() => [`nothing, but ended: ${log}`])])
  const url = /^listening on (\S+)$/.exec(line)?.[1]
  if (!url) throw new Error(`${program} says ${line}`)
  return { url, log: () => log }
}
