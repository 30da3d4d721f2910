// The programs that the tests run, and their ends.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"

const built = (/** @type {string} */ name) => fileURLToPath(new URL(`.built/${name}`, import.meta.url))

/** The bridge's command line. @param {string[]} args */
export const bridge = (...args) => [built("parley-bridge"), ...args]

/** The terminal's. @param {string[]} args */
export const parley = (...args) => [built("parley"), ...args]

/** The modern story server's. @param {string[]} args */
export const goServer = (...args) => [built("go-server"), "-addr", "127.0.0.1:0", ...args]

/** The legacy server's, which is the interoperability tests'. @param {string[]} args */
export const legacyServer = (...args) => [fileURLToPath(new URL("../interop/run.sh", import.meta.url)), "server", "ts-legacy", "--legacy", ...args]

/**
 * Runs a program that prints "listening on URL" until the test ends.
 *
 * @param {import("node:test").TestContext} t @param {string[]} command
 */
export async function serve(t, [program, ...args]) {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] })
  const exited = once(child, "exit")
  let [out, log] = ["", ""]
  child.stderr.on("data", (bytes) => (log += bytes))
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
    await exited
  }
  /** Tells it to end; it returns its exit code. @returns {Promise<number>} */
  const stop = async () => {
    child.kill("SIGTERM")
    return (await exited)[0]
  }
  t.after(async () => {
    child.kill("SIGTERM")
    const late = setTimeout(() => child.kill("SIGKILL"), 5000)
    await exited
    clearTimeout(late)
  })
  const url = await new Promise((resolve, reject) => {
    child.stdout.on("data", (bytes) => {
      const [, url] = /^listening on (\S+)/.exec((out += bytes)) ?? []
      if (url) resolve(url)
    })
    exited.then(() => reject(new Error(`${program} ended: ${log}`)))
  })
  return { url: /** @type {string} */ (url), log: () => log, kill, stop }
}

/** Waits until something is so. @param {() => boolean} so @param {string} what */
export async function until(so, what) {
  for (const late = Date.now() + 120_000; !so(); await new Promise((resolve) => setTimeout(resolve, 20))) {
    if (Date.now() > late) throw new Error(`never: ${what}`)
  }
}
