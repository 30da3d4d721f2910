// The stage of scripts of hosts/testdata/drivers as a program: a request a line, an answer a line, one after the other.
//
//   {"do":"start"}                       a new stage, with a new engine
//   {"do":"input","input":"saved"}       lets something happen, as it stands in a script
//   {"do":"end"}                         lets every callback return, gives the calls up and closes their sessions
//
// An answer is {"lines":[…],"open":…}: what was called by the time everything stands still, and whether a call has not
// ended. "error" says what went wrong: something that cannot happen, or with "fatal":true the driver; then only start
// helps. No time passes but where a script says until, and there as much as it takes, up to a day.
import { readFileSync, readSync, writeSync } from "node:fs"

import { Engine } from "../../dist/node.js"
import { limited } from "../modules.js"
import { Traps } from "../traps.js"
import { Stage } from "./drivers.js"
import { Impossible } from "./script.js"
import { StandingTime } from "./time.js"

/** @typedef {{do: "start" | "input" | "end", input?: string}} Request */
/** @typedef {{lines: string[], open: boolean, error?: string, fatal?: true}} Answer */

const traps = new Traps()
const time = new StandingTime()
// What load takes in Node, with so little memory that a large response traps it.
const module = limited(readFileSync(new URL("../../dist/parley-fast.wasm", import.meta.url)), 40)
let engine = new Engine(module)
let stage = new Stage(() => engine, undefined, traps, time)
/** What is caught nowhere else. @type {unknown[]} */
const uncaught = []
process.on("uncaughtException", (error) => uncaught.push(error)) // and what was rejected

/** @param {Request} request @returns {Promise<string[]>} */
async function did(request) {
  switch (request.do) {
    case "start":
      time.clear()
      traps.forget()
      uncaught.length = 0
      engine = new Engine(module)
      stage = new Stage(() => engine, undefined, traps, time)
      return []
    case "input":
      return stage.do(request.input ?? "")
    case "end": {
      const lines = await stage.end()
      if (engine.live) throw new Error(`the engine still holds ${engine.live} sessions and calls`)
      return lines
    }
  }
  throw new Impossible("do is start, input or end")
}

/** @param {string} line @returns {Promise<Answer>} */
async function answered(line) {
  try {
    const lines = await did(JSON.parse(line))
    if (uncaught.length) throw uncaught[0]
    return { lines, open: stage.open }
  } catch (error) {
    if (error instanceof Impossible) return { lines: await stage.called(), open: stage.open, error: error.message }
    return { lines: [], open: stage.open, error: (error instanceof Error && error.stack) || String(error), fatal: true }
  }
}

/** The lines of stdin, which are waited for with nothing else to do. */
function* requests() {
  const room = Buffer.alloc(64 << 10)
  let text = Buffer.alloc(0)
  for (let read; (read = readSync(0, room)) > 0; ) {
    text = Buffer.concat([text, room.subarray(0, read)])
    for (let end; (end = text.indexOf("\n")) >= 0; text = text.subarray(end + 1)) yield text.toString("utf8", 0, end)
  }
}

for (const line of requests()) {
  const answer = Buffer.from(`${JSON.stringify(await answered(line))}\n`)
  for (let at = 0; at < answer.length; ) at += writeSync(1, answer, at)
}
