// The terminal app as a program: what it says, what it keeps, and the browser that it opens.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** @import { Person } from "./browser.js" */

const program = fileURLToPath(new URL(".built/parley", import.meta.url))

/** How a run of the program ended. @typedef {{code: number | null, out: string, said: string}} Ending */

/** A machine with the terminal app and a person before its browser. */
export class Terminal {
  /**
   * @param {{after: (stop: () => unknown) => void}} t
   * @param {Person} person
   * @param {string} [name] the person's
   */
  static async start(t, person, name = "alice") {
    const terminal = new Terminal(mkdtempSync(join(tmpdir(), "parley-terminal-")))
    // BROWSER is a program that hands its argument over, and writes down with what all processes were started by then.
    const browser = createServer((request, response) => {
      let url = ""
      request.on("data", (bytes) => (url += bytes))
      request.on("end", () => {
        response.end()
        person.signsIn(url, name).catch((error) => (terminal.failed = error))
      })
    })
    await new Promise((resolve) => browser.listen(0, "127.0.0.1", () => resolve(undefined)))
    t.after(() => {
      browser.close()
      rmSync(terminal.folder, { recursive: true })
    })
    const address = browser.address()
    const hand = `fetch("http://127.0.0.1:${typeof address === "object" && address?.port}", { method: "POST", body: process.argv[1] })`
    writeFileSync(terminal.browser, `#!/bin/sh\ncat /proc/[0-9]*/cmdline >'${terminal.seen}/'$$ 2>/dev/null\nexec '${process.execPath}' -e '${hand}' "$1"\n`)
    chmodSync(terminal.browser, 0o700)
    return terminal
  }

  /** @param {string} folder */
  constructor(folder) {
    this.folder = folder
    this.state = join(folder, "state") // what the program keeps
    this.seen = join(folder, "seen")
    this.browser = join(folder, "browser")
    /** @type {unknown} */
    this.failed = undefined
    this.written = ""
    this.runs = 0
    mkdirSync(this.seen)
  }

  /** Runs the program to its end. @param {string[]} args @returns {Promise<Ending>} */
  async run(...args) {
    const child = spawn(program, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, BROWSER: this.browser, XDG_STATE_HOME: this.state, XDG_RUNTIME_DIR: "", DBUS_SESSION_BUS_ADDRESS: "" },
    })
    let out = ""
    let said = ""
    child.stdout.on("data", (bytes) => (out += bytes))
    child.stderr.on("data", (bytes) => (said += bytes))
    const [code] = await once(child, "close")
    this.written += out + said
    if (this.failed) throw this.failed
    return { code, out, said }
  }

  /** A script for the program. @param {object} answers */
  script(answers) {
    const name = join(this.folder, `answers-${this.runs++}.json`)
    writeFileSync(name, JSON.stringify(answers))
    return name
  }

  /** The ids of the calls that are kept. */
  async parked() {
    return [...(await this.run("parked")).out.matchAll(/^\S+/gm)].map(([id]) => id)
  }

  /** With what processes were started while a browser opened, each time. */
  arguments() {
    return readdirSync(this.seen).map((name) => readFileSync(join(this.seen, name), "utf8"))
  }
}
