// Client programs, and the person who answers what they ask. The README has the words that they speak.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

import { processArguments } from "./secrets.js"

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

/** The clients, by their language. @type {Record<string, string[]>} */
export const clients = {
  go: [here(".built/goclient")],
  node: [process.execPath, here("jsclient/client.js")],
}

/** A line of a client: its type says what else is in it. @typedef {{type: string, [member: string]: any}} Line */

/** A machine with one client on it: what it keeps from process to process, and all it ever said. */
export class Machine {
  /** @param {{after: (stop: () => unknown) => void}} t @param {string} client @param {string} url of the server */
  constructor(t, client, url) {
    this.t = t
    this.client = client
    this.command = clients[client] ?? []
    this.url = url
    this.folder = mkdtempSync(join(tmpdir(), "signin-"))
    this.accounts = join(this.folder, "accounts")
    mkdirSync(this.accounts, { mode: 0o700 })
    /** What was written and with what processes were started, for assertNoSecrets. @type {Record<string, string>} */
    this.texts = {}
    this.started = 0
    t.after(() => rmSync(this.folder, { recursive: true, force: true }))
  }

  /** Starts the client. @param {string} tool or "-" to resume, or "signout" @param {object} [args] of the tool */
  start(tool, args = {}) {
    return new Client(this, `process ${++this.started}`, [...this.command, this.url, tool, this.folder, this.accounts, JSON.stringify(args)])
  }
}

/** One process of a client. */
class Client {
  /** @param {Machine} machine @param {string} name @param {string[]} command */
  constructor(machine, name, [program = "", ...args]) {
    this.machine = machine
    this.child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] })
    this.ended = once(this.child, "exit")
    machine.t.after(async () => {
      this.child.kill("SIGKILL")
      await this.ended
    })
    this.child.stdin.on("error", () => {}) // it has ended
    /** @type {Line[]} */
    this.said = []
    /** @type {(() => void)[]} */
    this.waiting = []
    this.log = ""
    const heard = (/** @type {string} */ stream, /** @type {string} */ text) => {
      const place = `${stream} of ${name}`
      machine.texts[place] = (machine.texts[place] ?? "") + text
      Object.assign(machine.texts, processArguments())
    }
    this.child.stderr.on("data", (bytes) => {
      this.log += bytes
      heard("stderr", String(bytes))
    })
    const lines = createInterface({ input: this.child.stdout })
    lines.on("line", (line) => {
      heard("stdout", `${line}\n`)
      this.said.push(JSON.parse(line))
      for (const go of this.waiting.splice(0)) go()
    })
    this.over = once(lines, "close").then(() => {
      this.closed = true
      for (const go of this.waiting.splice(0)) go()
    })
    this.next = 0
  }

  /** The next line, which must be of a type. @param {string} type @returns {Promise<Line>} */
  async hears(type) {
    while (this.next >= this.said.length && !this.closed) await new Promise((resolve) => this.waiting.push(() => resolve(undefined)))
    const line = this.said[this.next++]
    if (line?.type !== type) throw new Error(`the client says ${JSON.stringify(line) ?? "nothing more"}, not "${type}"\n${this.log}`)
    return line
  }

  /** @param {object | "park"} answer */
  answers(answer) {
    this.child.stdin.write(`${answer === "park" ? answer : JSON.stringify(answer)}\n`)
  }

  /** Signs in, as the person is asked to, and returns what they were told. @param {import("./browser.js").Person} person @param {string} name @returns {Promise<Line>} */
  async signsIn(person, name) {
    const why = await this.hears("sign in")
    this.answers({ Go: true })
    const page = await this.hears("open")
    await person.signsIn(page.url, name)
    if (!/close this/.test(person.read)) throw new Error(`the browser ends at: ${person.read}`)
    return { ...why, ...page, why: why.scopes }
  }

  /** Is asked by a form, and fills in its first field. @param {string | number} value */
  async fills(value) {
    const { params } = await this.hears("form")
    const [field = ""] = Object.keys(params.requestedSchema.properties)
    this.answers({ Answer: { action: "accept", content: { [field]: value } } })
    return field
  }

  /** Is done, and returns the text of the result. */
  async ends() {
    const { result } = await this.hears("done")
    await this.ended
    return result.content[0].text.trim()
  }
}
