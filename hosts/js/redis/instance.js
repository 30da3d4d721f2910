// An instance of tests/fleet: it reads what to do with which call, a line each, and writes the line again when it has tried.
// What the lines mean, and what goes into the journal, is said there: instance_test.go and journal_test.go.
import { appendFileSync } from "node:fs"
import { createInterface } from "node:readline"

import { connect, fetchTransport, load, PARK } from "@parley-mcp/parley"
import { redisStore, TakenError } from "@parley-mcp/parley/store"

import { boxOf } from "./boxes.js"
import { clients } from "./clients.js"

/** @import { Asker, Outcome } from "@parley-mcp/parley" */
/** @import { About, Lease } from "@parley-mcp/parley/store" */

/** @type {{Store: string, Server: string, Journal: string, Key: string}} */
const is = JSON.parse(process.env.FLEET_INSTANCE ?? "")
const { client } = await /** @type {NonNullable<typeof clients[string]>} */ (clients.redis)(Number(new URL(is.Store).port))
const calls = await redisStore(client, { box: await boxOf(is.Key), lease: 250 })
const session = connect(await load(), fetchTransport(`${is.Server}?by=${process.pid}`), { askers: { elicit: () => PARK } })

console.log("ready")
for await (const line of createInterface(process.stdin)) attempt(line)
process.exit()

/** @param {string} line */
async function attempt(line) {
  const [what = "", id = ""] = line.split(" ")
  await carryOut(what, id).catch(() => {}) // what fails, another goes on with
  console.log(line)
}

/** @param {string} what @param {string} id */
async function carryOut(what, id) {
  if (what === "start") {
    const lease = await calls.create(id)
    const params = { name: "move", arguments: { id } }
    await settle(what, id, lease, (signal) => session.call({ method: "tools/call", params, signal, save: saver(id, lease, [], { principal: "ann", name: "move" }) }))
    return
  }
  const { lease, snapshot } = await take(id, what === "look" || what === "resend")
  if (what === "resend") write("resend", id)
  /** @type {string[]} */
  const answered = []
  let most = what === "answer" ? 1 : 2
  /** @type {Asker} */
  const elicit = ({ params = "" }) => {
    if (most-- <= 0) return PARK
    const question = params.includes('"first"') ? "first" : "second"
    write("ask", id, question)
    answered.push(question)
    return { action: "accept", content: { ok: true } }
  }
  await settle(what, id, lease, (signal) => session.resume({ snapshot, signal, resend: what === "resend", askers: { elicit }, save: saver(id, lease, answered) }))
}

/** Takes a call, if need be once whoever has it lets go. @param {string} id @param {boolean} wait @returns {Promise<{lease: Lease, snapshot: string}>} */
async function take(id, wait) {
  for (;;) {
    try {
      return await calls.take(id)
    } catch (error) {
      if (!wait || !(error instanceof TakenError)) throw error
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

/** Keeps snapshots, and tells when an answer is saved. @param {string} id @param {Lease} lease @param {string[]} answered @param {About} [about] */
function saver(id, lease, answered, about) {
  return async (/** @type {string} */ snapshot) => {
    const saved = answered.splice(0)
    write("saving", id, process.pid)
    await lease.save(snapshot, about)
    for (const question of saved) write("saved", id, question)
  }
}

/** Runs a call while its lease lasts, and tells what became of it once the store knows. @param {string} what @param {string} id @param {Lease} lease @param {(signal: AbortSignal) => Promise<Outcome>} run */
async function settle(what, id, lease, run) {
  const lost = new AbortController()
  lease.keep().catch((error) => lost.abort(error))
  const outcome = await run(lost.signal)
  const { status } = outcome
  if (status === "failed" && outcome.inDoubt && what === "look") write("doubt", id)
  await lease.settle(outcome)
  if (status !== "failed" || outcome.snapshot === undefined) write(status, id)
}

/** @param {...(string | number)} words */
function write(...words) {
  appendFileSync(is.Journal, `${words.join(" ")}\n`)
}
