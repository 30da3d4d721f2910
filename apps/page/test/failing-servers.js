import { spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** Where setup.sh builds internal/testkit/failures/serve. */
const program = fileURLToPath(new URL(".built/serve", import.meta.url))

const folder = new URL("../../../hosts/testdata/verdicts/", import.meta.url)

/** What is to be said of a failure. @typedef {{verdict: string, words: string[]}} Said */

/** As internal/testkit/failures has it. @typedef {Said & {hosts?: string[], page?: Said, login?: string, most?: number, timeout?: number}} Case */

/** Where a case is served. @typedef {{url: string, signed?: boolean}} Served */

/** A failure that the page can meet. @typedef {{name: string, url: string, want: Said}} Failure */

/**
 * Servers that fail as hosts/testdata/verdicts has it, all those that the page
 * can meet as it is.
 *
 * @returns {Promise<{failures: Failure[], stop: () => Promise<unknown>}>}
 */
export async function startFailing() {
  const server = spawn(program, ["-cases", fileURLToPath(folder)], { stdio: ["pipe", "pipe", "inherit"] })
  const ended = once(server, "exit")
  const { value } = await createInterface(server.stdout)[Symbol.asyncIterator]().next()
  if (value === undefined) throw new Error(`${program} ended before it served anything`)
  /** @type {{cases: Record<string, Served>}} */
  const served = JSON.parse(value)
  const failures = readdirSync(folder).flatMap((file) => {
    const name = file.replace(/\.json$/, "")
    /** @type {Case} */
    const one = JSON.parse(readFileSync(new URL(file, folder), "utf8"))
    const at = served.cases[name]
    if (name === "status-401") return [] // there the page asks to sign in: signing-in.test.js
    return at && isMet(one, at) ? [{ name, url: at.url, want: one.page ?? one }] : []
  })
  if (failures.length === 0) throw new Error(`nothing of ${folder} is for a page`)
  return { failures, stop: () => (server.stdin.end(), ended) }
}

/**
 * Whether the page meets the failure. It lets nobody set what a case may set of
 * a host (how it signs in, how much it takes, how long it waits), and the browser
 * does not trust the authority of the certificates.
 *
 * @param {Case} one @param {Served} at
 */
function isMet({ hosts, login, most, timeout }, { signed }) {
  return (hosts?.includes("page") ?? true) && login === undefined && most === undefined && timeout === undefined && !signed
}
