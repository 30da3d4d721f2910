import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"

import { Person } from "./person.js"

/**
 * A connected client. Its calls return the text that the call comes to, or its
 * snapshot if it was parked, and have every notification and question handled
 * by the person.
 *
 * @typedef {object} Player
 * @property {(call: Call, options: {signal?: AbortSignal, onprogress?: (progress: number) => void}) => Promise<string | {snapshot: string}>} call
 * @property {() => Promise<void>} close
 *
 * @typedef {{tool?: string, prompt?: string, resource?: string, arguments?: any, task?: any, snapshot?: string}} Call
 * @typedef {{url: string, command?: undefined} | {url?: undefined, command: string[]}} Target
 */

/** How long anything may take, in milliseconds. Nobody waits for it on a good day. */
export const patience = 180_000

/**
 * Plays the calls on standard input and prints what they come to: the program
 * that every official client has.
 *
 * @param {(target: Target, person: Person, legacy: boolean) => Promise<Player>} connect
 */
export async function play(connect) {
  const { values, positionals } = parseArgs({ options: { legacy: { type: "boolean", default: false } }, allowPositionals: true })
  const cases = JSON.parse(await text(process.stdin))
  const person = new Person()
  const target = positionals.length === 1 ? { url: positionals[0] } : { command: positionals }
  const player = await connect(target, person, values.legacy)
  const outcomes = []
  for (const one of cases) outcomes.push(await outcome(player, person, one))
  await player.close()
  process.stdout.write(JSON.stringify(outcomes), () => process.exit())
}

/** @param {Player} player @param {Person} person @param {any} one */
async function outcome(player, person, one) {
  person.begin(one)
  /** @type {{text?: string, snapshot?: string, error?: string, cancelled?: boolean, asked: string[], progress: number[], logs: string[], then?: string}} */
  const got = { asked: person.asked, progress: [], logs: person.logs }
  const abort = new AbortController()
  const onprogress = (/** @type {number} */ progress) => {
    got.progress.push(progress)
    if (one.cancel) abort.abort()
  }
  // Only where the server tells: the TypeScript SDK reports rounds as progress, too.
  const options = { signal: abort.signal, onprogress: one.progress || one.cancel ? onprogress : undefined }
  try {
    const said = await player.call(one, options).catch(async (error) => {
      if (error.code !== -32042) throw error
      await person.open(error.data.elicitations) // which the SDKs leave to their users
      return player.call(one, options)
    })
    Object.assign(got, typeof said === "string" ? { text: said } : said)
  } catch (error) {
    if (one.cancel) got.cancelled = true
    else got.error = error instanceof Error ? error.message : String(error)
  }
  // Notifications are delivered apart from results.
  const told = () => got.error !== undefined || (got.logs.length >= (one.logs?.length ?? 0) && got.progress.length >= (one.progress?.length ?? 0))
  for (const late = Date.now() + patience; !told() && Date.now() < late; ) await sleep(20)
  if (one.then) {
    for (const late = Date.now() + patience; got.then !== one.then.text && Date.now() < late; await sleep(20)) got.then = String(await player.call(one.then, {}))
  }
  return got
}
