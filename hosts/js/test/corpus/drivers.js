// Plays scripts of hosts/testdata/drivers on the package's driver;
// internal/drivertest says how they read.
import { inTurn } from "../../dist/turn.js"
import { Connection } from "./connection.js"
import { sorted } from "./driver-lines.js"
import { Played } from "./played.js"
import { expand, readBlocks } from "./script.js"

/** @import { Engine } from "../../dist/index.js" */
/** @import { Traps } from "../traps.js" */

/** What is to change, and what is needed, as the header says. @param {string} text */
export function marks(text) {
  const { header } = readBlocks(text)
  const said = (/** @type {RegExp} */ line) => Array.from(header.matchAll(line), ([, name = ""]) => name)
  return { changes: said(/^# to change: ([^:\n]+):/gm), needs: said(/^# needs: (.+)$/gm) }
}

/**
 * Plays one script. It throws where something else was called than stands
 * there.
 *
 * @param {string} text
 * @param {() => Engine} engine a new one
 * @param {typeof Connection} [connection] what its calls go out over
 * @param {Traps} [traps] of the engine's instances
 */
export async function playDriver(text, engine, connection = Connection, traps) {
  const script = readBlocks(text)
  const stage = new Stage(engine, connection, traps)
  try {
    for (const [i, block] of script.blocks.entries()) {
      /** @type {string[]} */
      const calls = []
      for (const line of block.call.split("\n")) {
        const [, until] = /^until (.*)$/.exec(line) ?? []
        if (until && calls.some((call) => `${call} `.startsWith(`${until} `))) continue // the time has passed already
        await stage.do(expand(line))
        calls.push(...sorted(await stage.calls()))
      }
      const got = calls.join("\n") || "nothing"
      if (got !== block.answer) throw new Error(`block ${i + 1}, ${block.call}\n got ${got}\nwant ${block.answer}`)
    }
    if (stage.open) throw new Error("the script is over, and a call is not")
  } catch (error) {
    await stage.end()
    throw error
  }
  const late = await stage.end()
  if (late.length) throw new Error(`after the end it calls\n${late.join("\n")}`)
}

/** Where one script is played. */
export class Stage {
  engine
  /** @type {string[]} */
  lines = []
  /** Every callback returns at once. */
  over = false
  /** What until waits for. @type {(() => void) | undefined} */
  called
  #calls
  #traps

  /** @param {() => Engine} engine @param {typeof Connection} connection @param {Traps} [traps] */
  constructor(engine, connection, traps) {
    this.engine = engine
    this.#traps = traps
    this.connection = connection
    this.#calls = [new Played(this, ""), new Played(this, "other ")]
  }

  /** Lets something happen. @param {string} line */
  async do(line) {
    const [call, other] = /** @type {[Played, Played]} */ (this.#calls)
    const [text, played] = line.startsWith("other ") ? [line.slice("other ".length), other] : [line, call]
    const [verb = "", rest = ""] = text.split(/ (.*)/s)
    if (verb === "until") return this.#until(rest)
    if (verb === "traps" && this.#traps) return void (this.#traps.next = `parley_session_${rest}`)
    await played.do(verb, rest)
  }

  /** What was called since the last time, once everything stands still. */
  async calls() {
    await still()
    for (const call of this.#calls) call.ended()
    return this.lines.splice(0)
  }

  get open() {
    return this.#calls.some(({ open }) => open)
  }

  /** Lets every callback return, and returns what is called even then. */
  async end() {
    this.over = true
    this.lines = []
    for (const call of this.#calls) call.release()
    const late = await this.calls()
    for (const call of this.#calls) await call.connection?.close()
    return [...late, ...(await this.calls())]
  }

  /** @param {string} line */
  note(line) {
    this.lines.push(line)
    this.called?.()
  }

  /** Lets time pass. @param {string} name */
  async #until(name) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    const never = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`nothing called ${name} comes`)), 120_000)))
    try {
      while (!this.lines.some((line) => `${line} `.startsWith(`${name} `))) {
        if (!this.open) throw new Error(`the call is over, and nothing called ${name} came`)
        await Promise.race([new Promise((resolve) => (this.called = () => resolve(undefined))), never])
      }
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * Waits until nothing is left but timers: by a message, as the timers of a tab
 * that nobody looks at are slow, and until the slices of any message have had
 * their turns.
 */
async function still() {
  await new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve(undefined)
    }
    port2.postMessage(0)
  })
  for (let turns = 0; turns < 64; turns++) await new Promise((resolve) => inTurn(() => resolve(undefined)))
}
