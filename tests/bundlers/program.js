import { execFile, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { promisify } from "node:util"

/** @import { TestContext } from "node:test" */

/** @type {NodeJS.ProcessEnv} */
const env = { ...process.env, NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1" }
for (const name of ["NODE_ENV", "NODE_TEST_CONTEXT", "FORCE_COLOR"]) delete env[name] // bundlers choose their own

/** Runs a script of Node to its end, and returns what it printed. @param {string} folder where to run it @param {string[]} args */
export async function run(folder, args) {
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env, maxBuffer: 1 << 26 }).catch((error) => {
    throw new Error(`node ${args.join(" ")} failed:\n${error.stdout}\n${error.stderr}`)
  })
  return stdout
}

/** Runs a server for the length of a test, and returns the URL that it prints. @param {TestContext} t @param {string} folder @param {string[]} args */
export async function serve(t, folder, args) {
  const server = spawn(process.execPath, args, { cwd: folder, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  const stop = () => {
    try {
      process.kill(-(server.pid ?? 0), "SIGKILL") // with what it has started
    } catch {} // it has ended
  }
  process.once("exit", stop)
  t.after(() => {
    process.off("exit", stop)
    stop()
  })
  let said = ""
  server.stderr.on("data", (data) => (said += data))
  for await (const line of createInterface(server.stdout)) {
    said += `${line}\n`
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (!url) continue
    server.stdout.resume() // lest it wait for a reader
    return url
  }
  throw new Error(`node ${args.join(" ")} ended:\n${said}`)
}
