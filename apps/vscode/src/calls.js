// All calls of this workspace: those that run in this window, and those that are
// kept. One window drives a call, by the right that the store gives it.

import { newId, NotFoundError, ParkingStore, TakenError } from "@parley-mcp/parley/core"
import * as vscode from "vscode"

import { Drive } from "./drive.js"

/** @import { Lease } from "@parley-mcp/parley" */
/** @import { Entry } from "../../../hosts/js/dist/store.js" */
/** @import { Host } from "./drive.js" */
/** @import { FileEntries } from "./entries.js" */
/** @import { CallRecord } from "./record.js" */
/** @import { Server } from "./servers.js" */
/** @import { Vault } from "./vault.js" */

/**
 * A call in the list: `phase` says who has it. One that cannot be read was
 * sealed with a key that is gone.
 *
 * @typedef {{id: string, phase: "here" | "kept" | "elsewhere" | "unreadable", record?: CallRecord}} Listed
 */

/** What is known of a call before it is made. @typedef {Pick<CallRecord, "method" | "params" | "title" | "principal">} Request */

/** How long a window may be gone before its calls are another's to go on with, in milliseconds. */
const lease = 15_000

/** How often to look whether it is, in milliseconds. */
const lookAfter = 5000

export class Calls {
  #host
  #vault
  #entries
  #store
  #changed = new vscode.EventEmitter()
  /** Those that this window drives. @type {Map<string, Drive>} */
  #drives = new Map()
  /** Those that are kept, as they were last read. @type {Map<string, Listed>} */
  #kept = new Map()
  /** Readings of the store, one after the other. @type {Promise<void>} */
  #reading = Promise.resolve()
  #timer
  /** What was told last. */
  #told = ""

  /** Is called when any call has changed. */
  onChange = this.#changed.event

  /** @param {Host} host @param {Vault} vault @param {FileEntries} entries */
  constructor(host, vault, entries) {
    this.#host = host
    this.#vault = vault
    this.#entries = entries
    this.#store = new ParkingStore(entries, {
      lease,
      seal: (id, snapshot) => vault.seal(id, JSON.stringify({ record: this.#drives.get(id)?.record, snapshot })),
      open: (id, sealed) => vault.open(id, sealed),
    })
    this.#timer = setInterval(() => void this.refresh(), lookAfter)
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
    await this.#drive(server, { ...request, id, server: label, address, started: Date.now(), open: [] }, await this.#store.create(id), snapshot)
  }

  /**
   * Goes on with a call that is kept, as its trouble says. Fails with a
   * TakenError if another window has it, unless it is to be taken over.
   *
   * @param {string} id @param {Server} server @param {boolean} [takeOver]
   */
  async goOn(id, server, takeOver = false) {
    if (this.#drives.has(id)) return
    if (takeOver) {
      await this.#entries.change(id, (entry) => ({ entry: entry && { ...entry, holder: undefined }, result: undefined }))
    }
    const { lease, snapshot: opened } = await this.#store.take(id)
    const { record, snapshot } = JSON.parse(opened)
    record.server = server.label // it may be called otherwise by now
    await this.#drive(server, record, lease, snapshot)
  }

  /** Gives a call that is kept away: once it is taken, nothing of it is left here. @param {string} id @param {(snapshot: string) => PromiseLike<void>} take */
  async give(id, take) {
    const { lease, snapshot } = await this.#store.take(id)
    try {
      await take(JSON.parse(snapshot).snapshot)
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
  }

  /** @param {Server} server @param {CallRecord} record @param {Lease} lease @param {string} [snapshot] */
  async #drive(server, record, lease, snapshot) {
    const { id } = record
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
    this.#drives.delete(id)
    await this.refresh()
    await drive.tell(outcome, this.#kept.has(id))
  }

  async #read() {
    const entries = await this.#entries.all()
    const kept = new Map()
    for (const { id, taken } of await this.#store.list()) {
      const record = this.#recordOf(entries.find((entry) => entry.id === id))
      kept.set(id, { id, record, phase: record === undefined ? "unreadable" : taken ? "elsewhere" : "kept" })
    }
    this.#kept = kept
    this.#tell()
  }

  /** Tells of changes, and of nothing else. */
  #tell() {
    const list = JSON.stringify(this.list())
    if (list === this.#told) return
    this.#told = list
    this.#changed.fire(undefined)
  }

  /** @param {Entry | undefined} entry @returns {CallRecord | undefined} */
  #recordOf(entry) {
    try {
      return entry && JSON.parse(this.#vault.open(entry.id, /** @type {string} */ (entry.snapshot))).record
    } catch {} // its key is gone
  }
}
