// What a store holds of a call, which Parley's programs share: the way to the
// server, as text before the engine's snapshot, and what lists show of it.

import { Code } from "@parley-mcp/parley/core"
import { maxAbout } from "@parley-mcp/parley/store"

import { plainLine } from "../../shared-js/plain.js"
import { member, members, object, string } from "../../shared-js/raw-json.js"
import { settleLease } from "../../../hosts/js/dist/store/lease.js"

/** @import { Engine, Outcome } from "@parley-mcp/parley" */
/** @import { About, Lease, Parked } from "@parley-mcp/parley/store" */
/** @import { Member } from "../../shared-js/raw-json.js" */
/** @import { Failure } from "../../shared-js/failure.js" */
/** @import { CallRecord } from "./record.js" */
/** @import { Server } from "./servers.js" */

/**
 * A call as it was kept: the members before its snapshot, if a program of
 * Parley's kept it, and not a host of somebody's own. `record` is there if an
 * earlier version of this extension did.
 *
 * @typedef {{head?: Member[], snapshot: string, record?: CallRecord}} Kept
 */

/** How much of a text a list shows, in characters. */
const most = 200

/** The longest peer and principal that lists are told, in UTF-16 units: commands have no bound. */
const longest = 500

/** How many questions are told of with what they say. */
const mostTitles = 4

/** What stands before the snapshots of calls to a server: another program finds it by that. @param {Server} server @returns {Member[]} */
export function headOf(server) {
  const way = server.url === undefined ? { command: [server.command, ...server.args], dir: server.cwd } : { url: server.url }
  return members(JSON.stringify({ parley: "parked", ...way, label: server.label }))
}

/** @param {string} text JSON @returns {Kept} */
export function readKept(text) {
  const kept = JSON.parse(text) // or it throws; below, the text is cut
  if (kept?.parley === "parked") {
    const snapshot = member(text, "snapshot")
    if (snapshot === undefined) throw new Error("it is not kept as this version of Parley keeps calls")
    return { head: members(text).filter(({ name }) => name !== "snapshot"), snapshot }
  }
  if (typeof kept?.snapshot === "string" && typeof kept.record === "object") return kept
  return { snapshot: text }
}

/** What the engine says of a snapshot; undefined if it is none of its own. @param {Engine} engine @param {string} snapshot */
export function infoOf(engine, snapshot) {
  try {
    return engine.snapshotInfo(snapshot)
  } catch {} // who resumes it is told why
}

/** What lists show of a call. Here they show what its questions say, too. @param {Engine} engine @param {CallRecord} record @param {string} snapshot @returns {About} */
export function aboutOf(engine, record, snapshot) {
  const { method, params = "{}", questions = 0, task, inDoubt, over, principal, peer = record.address } = infoOf(engine, snapshot) ?? {}
  const within = (/** @type {string | undefined} */ text) => (text && text.length <= longest ? text : undefined)
  const about = {
    principal: within(principal),
    peer: within(peer),
    label: plainLine(record.server, most),
    method: method ?? record.method,
    name: plainLine(string(member(params, "name") ?? member(params, "uri")) ?? "", most),
    title: plainLine(record.title, most),
    questions: Math.max(questions, record.open.length), // the sign-in is one, too
    titles: record.open.slice(0, mostTitles).map(({ says }) => plainLine(says, most)),
    task,
    inDoubt,
    over,
  }
  const { length } = new TextEncoder().encode(JSON.stringify(about))
  return length <= maxAbout ? about : { ...about, title: undefined, titles: [] }
}

/** What a list shows of a call that another window, or another program, may have kept; undefined where nothing is said. @param {Parked} parked @returns {CallRecord | undefined} */
export function recordOf({ id, time, about }) {
  const { method, peer = "", label = peer, name = method, title = name, principal, questions = 0, titles = [], inDoubt } = about
  if (!method) return
  const open = Array.from({ length: Math.min(questions, 100) }, (_, ask) => ({ ask, says: titles[ask] ?? "A question" }))
  return { id, server: label, address: peer, method, params: "{}", title: title ?? method, started: time, principal, open, ...(inDoubt && { failure: doubt }) }
}

/** All that is known of a call whose last leg may have arrived. @type {Failure} */
const doubt = { code: Code.canceled, detail: "", resumable: true, inDoubt: true }

/** A lease on a call that is kept with what its record says at that moment. */
export class KeptLease {
  #engine
  #lease
  #record
  #head

  /** @param {Engine} engine @param {Lease} lease @param {CallRecord} record @param {Member[]} [head] */
  constructor(engine, lease, record, head) {
    this.#engine = engine
    this.#lease = lease
    this.#record = record
    this.#head = head
  }

  /** @param {string} snapshot */
  async save(snapshot) {
    const text = this.#head ? object([...this.#head, { name: "snapshot", value: snapshot }]) : snapshot
    await this.#lease.save(text, aboutOf(this.#engine, this.#record, snapshot))
  }

  keep() {
    return this.#lease.keep()
  }

  release() {
    return this.#lease.release()
  }

  done() {
    return this.#lease.done()
  }

  /** @param {Outcome} outcome */
  settle(outcome) {
    return settleLease(this, outcome)
  }
}
