// The stage as a program: what plays there must be the very lines of the scripts, and nothing may end it without a word.
import { spawn } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import test from "node:test"

import { contains, equal, ok } from "./assert.js"
import { marks, playDriver } from "./corpus/drivers.js"

/** A stage in another process. */
class Piped {
  open = false
  #child
  #answers

  /** @param {import("node:test").TestContext} t @param {string} [before] what the process does before */
  constructor(t, before = "") {
    const index = JSON.stringify(new URL("../dist/index.js", import.meta.url).href)
    const code = before && `import { Session } from ${index}\n${before}`
    this.#child = spawn(process.execPath, [...(code ? ["--import", `data:text/javascript,${encodeURIComponent(code)}`] : []), new URL("./corpus/stage-server.js", import.meta.url).pathname], { stdio: ["pipe", "pipe", "inherit"] })
    this.#answers = createInterface(this.#child.stdout)[Symbol.asyncIterator]()
    t.after(() => this.#child.kill())
  }

  /** @param {object} request @returns {Promise<{lines: string[], open: boolean, error?: string, fatal?: true}>} */
  async ask(request) {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await this.#answers.next()
    if (done) throw new Error("the program has ended")
    return JSON.parse(value)
  }

  /** @param {object} request */
  async #told(request) {
    const { lines, open, error } = await this.ask(request)
    if (error !== undefined) throw new Error(error)
    this.open = open
    return lines
  }

  start() {
    return this.#told({ do: "start" })
  }

  /** @param {string} input */
  do(input) {
    return this.#told({ do: "input", input })
  }

  end() {
    return this.#told({ do: "end" })
  }

  /** Ends the program, and returns its exit code. @returns {Promise<number | null>} */
  exit() {
    this.#child.stdin.end()
    return new Promise((resolve) => this.#child.on("close", resolve))
  }
}

const call = 'call {"method":"tools/call","params":{"name":"t"},"callbacks":["save"]}'

test("the corpus of drivers over a pipe", async (t) => {
  const folder = new URL("../../testdata/drivers/", import.meta.url)
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".txt"))
  const stage = new Piped(t)
  let played = 0
  for (const name of scripts) {
    const text = readFileSync(new URL(name, folder), "utf8")
    if (marks(text).changes.includes("js")) continue
    await stage.start()
    await playDriver(text, stage).catch((error) => { throw new Error(`${name}: ${error.message}`) })
    played++
  }
  ok(played >= 111, `scripts played: ${played}`)
  equal(await stage.exit(), 0, "exit code")
})

test("what cannot happen is an error, and the stage goes on", async (t) => {
  const stage = new Piped(t)
  await stage.start()
  await stage.do(call)
  for (const [input, error] of /** @type {const} */ ([
    ["response 1 {}", "no callback waits for 1"],
    ["until send", "nothing called send comes"],
    ["resume {}", "there is no snapshot"],
    ["dance", "nothing of this name can happen"],
    [call, "the call before is not over"],
  ])) equal(await stage.ask({ do: "input", input }), { lines: [], open: true, error })
  equal(await stage.ask({ do: "sleep" }), { lines: [], open: true, error: "do is start, input or end" })
  equal((await stage.do("saved"))[0]?.split(" ")[0], "send")
  await stage.end()
  await stage.start()
  equal(await stage.do(call), ["save"])
})

test("a call and a save that never come back end with the stage", async (t) => {
  const stage = new Piped(t)
  await stage.start()
  equal(await stage.do(call), ["save"])
  contains((await stage.end()).join("\n"), "failed {")
  equal(stage.open, false)
})

for (const [fault, before, words] of /** @type {const} */ ([
  ["throws in a callback of its own", 'Session.prototype.call = () => (queueMicrotask(() => { throw new Error("a slip") }), new Promise(() => {}))', "a slip"],
  ["rejects a promise that is not awaited", 'Session.prototype.call = () => (Promise.reject(new Error("a slip")), new Promise(() => {}))', "a slip"],
  ["fails with what is none of its errors", 'Session.prototype.call = () => Promise.reject(new TypeError("a slip"))', "a slip"],
  ["ends with what is no outcome", "Session.prototype.call = async () => undefined", "TypeError"],
])) {
  test(`a driver that ${fault} is told, and another stage begins`, async (t) => {
    const stage = new Piped(t, before)
    for (let times = 0; times < 2; times++) {
      equal(await stage.start(), [])
      const { error, fatal } = await stage.ask({ do: "input", input: call })
      equal(fatal, true, "fatal")
      contains(error, words)
    }
  })
}

test("a session that does not close is told", async (t) => {
  const stage = new Piped(t, "Session.prototype.close = () => new Promise(() => {})")
  await stage.start()
  await stage.do(call)
  const { error, fatal } = await stage.ask({ do: "end" })
  equal(fatal, true, "fatal")
  contains(error, "a session does not close")
})
