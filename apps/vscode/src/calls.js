// All calls of this workspace: those that run in this window, and those that are
// kept. One window drives a call, by the right that the store gives it.

import { NotFoundError, newId, TakenError } from "@parley-mcp/parley/store"
import * as vscode from "vscode"

import { member, string } from "../../shared-js/raw-json.js"
import { Drive } from "./drive.js"
import { headOf, infoOf, KeptLease, readKept, recordOf } from "./kept.js"

/** @import { Parked } from "@parley-mcp/parley/store" */
/** @import { Failure } from "../../shared-js/failure.js" */
/** @import { Host } from "./drive.js" */
/** @import { Place } from "./place.js" */
/** @import { CallRecord } from "./record.js" */
/** @import { Server } from "./servers.js" */

/**
 * A call in the list: `phase` says who has it. One that cannot be read was
 * sealed with a key that is gone.
 *
 * @typedef {{id: string, phase: "here" | "kept" | "elsewhere" | "unreadable", record?: CallRecord}} Listed
 */

/** What is known of a call before it is made. @typedef {Pick<CallRecord, "method" | "params" | "title" | "principal">} Request */

/** How often to look at what others have done, in milliseconds. */
const lookAfter = 5000

/** How many calls are listed, the oldest first: others may have more in a store that is shared. */
const mostListed = 500

export class Calls {
  #host
  #place
  #store
  #changed = new vscode.EventEmitter()
  /** Those that this window drives. @type {Map<string, Drive>} */
  #drives = new Map()
  /** Those that are kept, as they were last read. @type {Map<string, Listed>} */
  #kept = new Map()
  /** Why calls failed in this window, as long as they stay as they are. @type {Map<string, {failure: Failure, cursor?: string}>} */
  #failures = new Map()
  /** What was found in calls of which lists say nothing. @type {Map<string, {cursor: string, record?: CallRecord}>} */
  #found = new Map()
  /** Readings of the store, one after the other. @type {Promise<void>} */
  #reading = Promise.resolve()
  #timer
  /** What was told last. */
  #told = ""

  /** Is called when any call has changed. */
  onChange = this.#changed.event

  /** @param {Host} host @param {Place} place where calls are kept */
  constructor(host, place) {
    this.#host = host
    this.#place = place
    this.#store = place.store
    this.#timer = setInterval(() => void this.refresh(), lookAfter)
  }

  /** Whether a call can be had from who has it. */
  get takesOver() {
    return this.#place.free !== undefined
  }

  /** The calls, the oldest first. @returns {Listed[]} */
  list() {
    /** @type {Listed[]} */
    const here = [...this.#drives.values()].map(({ record }) => ({ id: record.id, phase: "here", record }))
    const kept = [...this.#kept.values()].filter(({ id }) => !this.#drives.has(id))
    return [...here, ...kept].sort((a, b) => (a.record?.started ?? 0) - (b.record?.started ?? 0) || (a.id < b.id ? -1 : 1))
  }

  /** How many questions wait for the person, in calls that run and in those that are kept. */
  get waiting() {
    return this.list().reduce((n, { phase, record }) => n + (phase === "here" ? (record?.open.length ?? 0) : 1), 0)
  }

  /** Reads what is kept, which other windows change too. */
  refresh() {
    this.#reading = this.#reading.then(() => this.#read()).catch((error) => this.#host.trouble("the calls that are kept could not be read", error))
    return this.#reading
  }

  /** Makes a call, or goes on with one of another host's. It resolves when the call has ended or was parked. @param {Server} server @param {Request} request @param {string} [snapshot] */
  async start(server, request, snapshot) {
    const id = newId()
    const { label, address } = server
    await this.#drive(server, { ...request, id, server: label, address, started: Date.now(), open: [] }, await this.#store.create(id), headOf(server), snapshot)
  }

  /**
   * Goes on with a call that is kept, as `failure` says, which is what is known
   * here of its last trouble. Fails with a TakenError if somebody else has it,
   * unless it is to be taken over.
   *
   * @param {string} id @param {Server} server @param {{takeOver?: boolean, failure?: Failure}} [how]
   */
  async goOn(id, server, { takeOver = false, failure = this.#failures.get(id)?.failure } = {}) {
    if (this.#drives.has(id)) return
    if (takeOver) await this.#place.free?.(id)
    const { lease, kept } = await this.#take(id)
    const record = { ...this.#recordOf(id, kept), id, server: server.label, address: server.address, failure } // it may be called otherwise by now
    await this.#drive(server, record, lease, kept.record ? headOf(server) : kept.head, kept.snapshot)
  }

  /** Gives a call that is kept away: once it is taken, nothing of it is left here. @param {string} id @param {(snapshot: string) => PromiseLike<void>} take */
  async give(id, take) {
    const { lease, kept } = await this.#take(id)
    try {
      await take(kept.snapshot)
    } catch (error) {
      await lease.release()
      throw error
    }
    await lease.done()
    await this.refresh()
  }

  /** Stops a call that runs here. @param {string} id */
  stop(id) {
    this.#drives.get(id)?.stop()
  }

  /** Forgets a call that is kept. The server is not told. @param {string} id */
  async discard(id) {
    await this.#store.delete(id).catch((error) => {
      if (!(error instanceof NotFoundError)) throw error
    })
    await this.refresh()
  }

  /** Leaves all calls as they are, for the next window to go on with. */
  async leave() {
    clearInterval(this.#timer)
    await Promise.allSettled([...this.#drives.values()].map((drive) => drive.leave())) // one may have been taken
    await this.#reading
    this.#place.close()
  }

  /**
   * @param {Server} server @param {CallRecord} record @param {import("@parley-mcp/parley/store").Lease} held
   * @param {import("../../shared-js/raw-json.js").Member[] | undefined} head @param {string} [snapshot]
   */
  async #drive(server, record, held, head, snapshot) {
    const { id } = record
    const lease = new KeptLease(this.#host.engine, held, record, head)
    const drive = new Drive(this.#host, server, record, lease, () => this.#tell())
    this.#drives.set(id, drive)
    lease.keep().catch((error) => drive.abandon(error))
    this.#tell()
    const outcome = await drive.run(snapshot)
    try {
      await (drive.isGivenUp ? lease.done() : drive.untouched ? lease.release() : lease.settle(outcome))
    } catch (error) {
      if (!(error instanceof TakenError)) this.#host.trouble("what is left of a call could not be kept", error)
    }
    await this.#reading // of before: what is listed from here on is how the call was left
    if (record.failure && !drive.untouched) this.#failures.set(id, { failure: record.failure })
    this.#drives.delete(id)
    await this.refresh()
    await drive.tell(outcome, this.#kept.has(id))
  }

  /** @param {string} id */
  async #take(id) {
    const { lease, snapshot } = await this.#store.take(id)
    try {
      return { lease, kept: readKept(snapshot) }
    } catch (error) {
      await lease.release()
      throw error
    }
  }

  async #read() {
    /** @type {Map<string, Listed>} */
    const kept = new Map()
    for await (const call of this.#store.list({ limit: mostListed })) {
      const { id, taken, problem } = call
      const record = problem ? undefined : (recordOf(call) ?? this.#drives.get(id)?.record ?? (await this.#find(call)))
      const failure = record && this.#failureOf(call)
      const phase = taken ? "elsewhere" : record ? "kept" : "unreadable"
      kept.set(id, { id, record: failure ? { ...record, failure } : record, phase: problem ? "unreadable" : phase })
    }
    for (const known of [this.#failures, this.#found]) for (const id of [...known.keys()]) if (!kept.has(id)) known.delete(id)
    this.#kept = kept
    this.#tell()
  }

  /** Why a call failed in this window, unless somebody has changed it since. @param {Parked} call */
  #failureOf({ id, cursor }) {
    const known = this.#failures.get(id)
    if (!known) return
    known.cursor ??= cursor
    if (known.cursor === cursor) return known.failure
    this.#failures.delete(id)
  }

  /** Looks into a call of which a list says nothing, once: an earlier version kept it, or a host of somebody's own. @param {Parked} call */
  async #find({ id, cursor, taken }) {
    const known = this.#found.get(id)
    if (taken || known?.cursor === cursor) return known?.record
    let record
    try {
      const { lease, kept } = await this.#take(id)
      const found = this.#recordOf(id, kept)
      record = found.method ? found : undefined
      await lease.release()
    } catch (error) {
      if (error instanceof TakenError) return
    }
    this.#found.set(id, { cursor, record })
    return record
  }

  /** What is known of a call. @param {string} id @param {import("./kept.js").Kept} kept @returns {CallRecord} */
  #recordOf(id, { record, snapshot, head = [] }) {
    if (record) return record
    const info = infoOf(this.#host.engine, snapshot)
    const { method = "", params = "{}", peer = "", principal } = info ?? {}
    const label = head.find(({ name }) => name === "label")?.value
    const title = string(member(params, "name") ?? member(params, "uri")) ?? method
    const listed = this.#kept.get(id)?.record ?? { id, server: string(label) ?? peer, address: peer, title, started: 0, open: [] }
    return { ...listed, method, params, principal }
  }

  /** Tells of changes, and of nothing else. */
  #tell() {
    const list = JSON.stringify(this.list())
    if (list === this.#told) return
    this.#told = list
    this.#changed.fire(undefined)
  }
}
