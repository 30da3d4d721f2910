// How long somebody waits beside servers that send much: in Node all sessions
// have one thread.
import { Worker } from "node:worker_threads"

import { Code, connect, load, PARK, requests } from "../dist/node.js"

/** @import { Engine, Outcome } from "../dist/node.js" */

const answer = { action: "accept", content: { name: "octocat" } }

/** A round with one question, and the final result. */
const results = [
  '{"resultType":"input_required","inputRequests":{"name":{"method":"elicitation/create","params":{"mode":"form","message":"Your name?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}}}}}',
  '{"resultType":"complete","content":[]}',
]

/** @param {number} id @param {string} result */
const response = (id, result) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`

/** How often each is measured. */
const times = 200

/** What may be done at a question. @type {("answer" | "cancel" | "park")[]} */
const ways = ["answer", "cancel", "park"]

/** Results that cost the most to read, as those of hosts/go/sliced_test.go. @param {number} size in bytes */
function worst(size) {
  const fill = (/** @type {string} */ unit) => unit.repeat(size / Buffer.byteLength(unit))
  return [
    `{"resultType":"complete","content":["${fill("\\\\")}"]}`,
    `{"resultType":"complete","content":[${fill('"",')}1]}`,
    `{"resultType":"complete",${fill(" \n\t ")}"content":[]}`,
    `{"resultType":"complete","content":[${fill("[".repeat(9000) + "]".repeat(9000) + ",")}1]}`,
    `{"resultType":"complete","content":["${fill("\\u00e9é")}"]}`,
    `{${fill('"content":[],')}"resultType":"complete"}`,
    `{"content":["${fill("x")}"],"resultType":"complete"}`,
    `{"content":[],"structuredContent":{"result":{"a":"${fill("世")}"}}}`,
  ]
}

/**
 * The milliseconds from what somebody does in another thread until it is done,
 * all of them in order, and the longest step; alone, and beside sessions whose
 * servers send so many bytes each.
 *
 * @param {number} size
 */
export async function stalls(size) {
  const { engine, steps } = timed(await load())
  const person = new Person()
  const rows = [{ beside: "nothing", waits: await measured(engine, person, () => true), step: steps.longest }]
  let over = false
  const busy = worst(size).map(async (result, i) => {
    const text = response(1, result)
    const body = i % 2 ? text : Buffer.from(text)
    const session = connect(engine, requests(() => body))
    while (!over) await session.call({ method: "tools/call" })
    await session.close()
  })
  steps.longest = 0
  let seen = 0
  const waits = await measured(engine, person, () => steps.parts >= seen + 3 && (seen = steps.parts) > 0)
  rows.push({ beside: `${busy.length} x ${size >> 20} MiB`, waits, step: steps.longest })
  over = true
  await Promise.all(busy)
  await person.leave()
  return rows
}

/** Notes the longest step of an engine's sessions, and how many slices they get. @param {Engine} engine */
function timed(engine) {
  const steps = { longest: 0, parts: 0 }
  const make = engine.newSession.bind(engine)
  engine.newSession = (options) => {
    const core = make(options)
    const step = core.step.bind(core)
    core.step = (now, event) => {
      const begun = performance.now()
      const actions = step(now, event)
      steps.longest = Math.max(steps.longest, performance.now() - begun)
      if (event.type === "part") steps.parts++
      return actions
    }
    return core
  }
  return { engine, steps }
}

/** Somebody who does not share the thread with the sessions. */
class Person {
  #worker = new Worker('import { parentPort } from "node:worker_threads"; parentPort.on("message", () => setTimeout(() => parentPort.postMessage(process.hrtime.bigint()), Math.random() * 5))', { eval: true })

  /** Settles when the person has done something, with when that was. @returns {Promise<bigint>} */
  acts() {
    this.#worker.postMessage("go on")
    return new Promise((resolve) => this.#worker.once("message", resolve))
  }

  async leave() {
    await this.#worker.terminate()
  }
}

/** @param {Engine} engine @param {Person} person @param {() => boolean} ready */
async function measured(engine, person, ready) {
  /** @type {Record<string, number[]>} */
  const waits = { answer: [], cancel: [], park: [] }
  for (let i = 0; i < times; i++) {
    while (!ready()) await new Promise((resolve) => setTimeout(resolve, 1))
    for (const how of ways) waits[how]?.push(await waited(engine, person, how))
  }
  for (const how of ways) waits[how]?.sort((a, b) => a - b)
  return waits
}

/** @param {Engine} engine @param {Person} person @param {typeof ways[number]} how */
async function waited(engine, person, how) {
  const ended = { answer: "done", cancel: "failed", park: "parked" }
  let done = 0n
  let ask = () => {}
  const asked = new Promise((resolve) => (ask = () => resolve(undefined)))
  /** @type {(answer: any) => void} */
  let say = () => {}
  const stop = new AbortController()
  const session = connect(engine, requests(({ leg }) => ((leg === 2 ? (done = process.hrtime.bigint()) : 0n), response(leg, results[leg - 1] ?? ""))))
  const elicit = () => new Promise((resolve) => ((say = resolve), ask()))
  const call = session.call({ method: "tools/call", askers: { elicit }, signal: stop.signal })
  await asked
  const begun = await person.acts()
  if (how === "cancel") stop.abort()
  else say(how === "park" ? PARK : answer)
  const outcome = await call
  if (how !== "answer") done = process.hrtime.bigint()
  if (outcome.status !== ended[how] || outcome.status === "failed" && outcome.code !== Code.canceled) throw new Error(JSON.stringify(outcome))
  await session.close()
  return Number(done - begun) / 1e6
}
