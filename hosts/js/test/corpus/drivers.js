// Plays scripts of hosts/testdata/drivers on the package's driver;
// internal/testkit/drivertest says how they read.
import { Connection } from "./connection.js"
import { sorted } from "./driver-lines.js"
import { Played } from "./played.js"
import { expand, Impossible, readBlocks } from "./script.js"
import { platformTime } from "./time.js"

/** @import { Engine } from "../../dist/index.js" */
/** @import { Traps } from "../traps.js" */
/** @import { Time } from "./time.js" */

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
 * @param {Pick<Stage, "do" | "open" | "end">} stage a new one
 */
export async function playDriver(text, stage) {
  const script = readBlocks(text)
  try {
    for (const [i, block] of script.blocks.entries()) {
      /** @type {string[]} */
      const calls = []
      for (const line of block.call.split("\n")) {
        const [, until] = /^until (.*)$/.exec(line) ?? []
        if (until && calls.some((call) => `${call} `.startsWith(`${until} `))) continue // the time has passed already
        calls.push(...(await stage.do(line)))
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

/** Where one script is played. What it throws is a fault of the driver, unless it is Impossible. */
export class Stage {
  engine
  /** Every callback returns at once. */
  over = false
  /** What the driver has thrown that is none of its errors. @type {unknown[]} */
  faults = []
  /** @type {string[]} */
  #lines = []
  /** @type {(changed: boolean) => void} */
  #changed = () => {}
  #calls
  #traps
  #time

  /** @param {() => Engine} engine @param {typeof Connection} [connection] what its calls go out over @param {Traps} [traps] of the engine's instances @param {Time} [time] */
  constructor(engine, connection = Connection, traps, time = platformTime) {
    this.engine = engine
    this.#traps = traps
    this.#time = time
    this.connection = connection
    this.#calls = [new Played(this, ""), new Played(this, "other ")]
  }

  /** Lets something happen, and returns what was called by the time everything stands still. @param {string} line */
  async do(line) {
    const [call, other] = /** @type {[Played, Played]} */ (this.#calls)
    const expanded = expand(line)
    const [text, played] = expanded.startsWith("other ") ? [expanded.slice("other ".length), other] : [expanded, call]
    const [verb = "", rest = ""] = text.split(/ (.*)/s)
    if (verb === "until") await this.#until(rest)
    else if (verb === "traps" && this.#traps) this.#traps.next = `parley_session_${rest}`
    else await played.do(verb, rest)
    return this.called()
  }

  /** What was called since the last time, once everything stands still. */
  async called() {
    await this.#time.still()
    for (const call of this.#calls) call.ended()
    if (this.faults.length) throw this.faults.shift()
    return sorted(this.#lines.splice(0))
  }

  get open() {
    return this.#calls.some(({ open }) => open)
  }

  /** Lets every callback return, and returns what is called even then. */
  async end() {
    this.over = true
    this.#lines = []
    for (const call of this.#calls) call.release()
    const late = await this.called()
    let closing = this.#calls.length
    for (const call of this.#calls) {
      Promise.resolve(call.connection?.close()).then(() => closing--, (error) => this.faults.push(error)).then(() => this.#changed(true))
    }
    if (!(await this.#holds(() => closing === 0 || this.faults.length > 0))) throw new Error("a session does not close")
    return [...late, ...(await this.called())]
  }

  /** @param {string} line */
  note(line) {
    this.#lines.push(line)
    this.#changed(true)
  }

  /** Lets time pass. @param {string} name */
  async #until(name) {
    const come = () => this.#lines.some((line) => `${line} `.startsWith(`${name} `))
    if (!(await this.#holds(() => come() || !this.open))) throw new Impossible(`nothing called ${name} comes`)
    if (!come()) throw new Impossible(`the call is over, and nothing called ${name} came`)
  }

  /** Lets time pass until something holds. @param {() => boolean} holds */
  #holds(holds) {
    return this.#time.until(holds, () => new Promise((resolve) => (this.#changed = resolve)))
  }
}
