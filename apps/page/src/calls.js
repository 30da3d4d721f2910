// All calls of the browser, in this tab and in others. One tab drives a call,
// by the right that the store gives it; every tab sees it and may answer.

import { indexedDBStore, memoryStore, newId, PARK, TakenError, NotFoundError, watchCall } from "@parley-mcp/parley"

import { Drive } from "./drive.js"
import { isOver } from "./record.js"
import { t } from "../../shared-js/language.js"

/** @import { Answer, Engine, Lease, Outcome, ParkingStore } from "@parley-mcp/parley" */
/** @import { Accounts } from "./accounts.js" */
/** @import { GoOn } from "../../shared-js/failure.js" */
/** @import { CallRecord } from "./record.js" */
/** @import { Records } from "./records.js" */
/** @import { Server, Sessions } from "../../shared-js/sessions.js" */

/** How long another tab may take to do as it is told, in milliseconds. */
const patience = 1000

/** How often to look whether the tab of a call is gone, in milliseconds. */
const lookAfter = 2000

/** How many calls that are over are kept. */
const mostOver = 50

/** What is known of a call before it is made. @typedef {Pick<CallRecord, "address" | "server" | "method" | "params" | "title" | "name" | "lines">} Request */

/** It emits "change" when any call has changed. */
export class Calls extends EventTarget {
  #engine
  #sessions
  #records
  #accounts
  #store
  /** Tells the tab that drives a call to stop it. */
  #stops = new BroadcastChannel("parley-chat-stop")
  /** Those that this tab drives. @type {Map<string, Drive>} */
  #drives = new Map()
  /** Those that another tab drives, as far as it is known. @type {Set<string>} */
  #elsewhere = new Set()
  /** Answers that another tab took. If it goes before it has passed them on, they are given once more. @type {Map<string, Map<number, Answer>>} */
  #handed = new Map()
  /** Those that this tab is about to drive. @type {Map<string, Promise<boolean>>} */
  #going = new Map()
  /** Those that have just ended here, until what is left of them is kept. @type {Map<string, Promise<void>>} */
  #settling = new Map()

  /** @param {Engine} engine @param {Sessions<Server>} sessions @param {Records} records @param {Accounts} accounts */
  constructor(engine, sessions, records, accounts) {
    super()
    this.#engine = engine
    this.#sessions = sessions
    this.#records = records
    this.#accounts = accounts
    /** @type {ParkingStore} */
    this.#store = records.problem === undefined ? indexedDBStore({ name: "parley-chat-calls" }) : memoryStore()
  }

  /** Reads what was kept, and goes on with what a page that is gone has left. */
  async open() {
    this.#stops.onmessage = ({ data: id }) => this.#drives.get(id)?.stop()
    await this.#records.read({
      drives: (id) => this.#drives.has(id),
      elsewhere: (id) => void this.#elsewhere.add(id),
      changed: () => this.#changed(),
    })
    await this.#tidy()
    await this.#adopt()
    // Those for which the page went away to sign in.
    for (const { id, phase, returns } of this.list()) if (phase === "parked" && returns) void this.goOn(id)
    setInterval(() => this.#adopt(), lookAfter)
  }

  /** The calls, the oldest first. */
  list() {
    return this.#records.list()
  }

  /** Whether another tab drives a call. @param {string} id */
  isElsewhere(id) {
    return this.#elsewhere.has(id) && !this.#drives.has(id)
  }

  /** Makes a call. @param {Request} request @returns {string} its id */
  start(request) {
    const id = newId()
    /** @type {CallRecord} */
    const record = { ...request, id, started: Date.now(), phase: "running", turns: [], open: [] }
    this.#records.set(record)
    void this.#store.create(id).then(
      (lease) => this.#drive(record, lease, (drive) => drive.run()),
      () => this.#fail(record, t`this browser could not make room for the call, so nothing was sent`),
    )
    return id
  }

  /**
   * Goes on with a call that is parked, failed or left behind. Where another
   * tab has it by now, that one goes on.
   *
   * @param {string} id
   * @param {GoOn} [how]
   * @returns {Promise<boolean>} whether this tab has it
   */
  async goOn(id, how = {}) {
    const going = this.#going.get(id) ?? this.#goOn(id, how)
    this.#going.set(id, going)
    try {
      return await going
    } finally {
      this.#going.delete(id)
    }
  }

  /** @param {string} id @param {GoOn} how */
  async #goOn(id, how) {
    await this.#settling.get(id)
    if (this.#drives.has(id)) return true
    const taken = await this.#take(id)
    if (taken) void this.#drive(Object.assign(taken.record, { filed: undefined }), taken.lease, (drive) => drive.run(taken.snapshot, how))
    return taken !== undefined
  }

  /**
   * Answers a question. False if nobody took the answer: it was answered
   * elsewhere, or the tab that drives the call does not respond.
   *
   * @param {string} id @param {number} ask @param {string} raw the answer, JSON text
   */
  async reply(id, ask, raw) {
    const taken = await this.#give(id, ask, raw)
    if (taken) void this.#records.keepDraft(id, ask)
    return taken
  }

  /** @param {string} id @param {number} ask */
  park(id, ask) {
    return this.#give(id, ask, PARK)
  }

  /** @param {string} id */
  async stop(id) {
    if (!this.#drives.has(id)) {
      this.#stops.postMessage(id)
      await new Promise((resolve) => setTimeout(resolve, patience))
      if (this.#records.get(id)?.phase !== "running") return true
      if (!(await this.goOn(id))) return false
    }
    this.#drives.get(id)?.stop()
    return true
  }

  /**
   * What another program needs to go on with a parked call. It holds a secret.
   * Nothing where another tab has the call.
   *
   * @param {string} id
   */
  async copy(id) {
    await this.#settling.get(id)
    const taken = await this.#take(id)
    if (!taken) return
    this.#records.set(taken.record)
    await this.#records.write(Object.assign(taken.record, { filed: true }))
    await taken.lease.release()
    return taken.snapshot
  }

  /** Forgets a call. The server is not told. @param {string} id */
  async discard(id) {
    await this.#settling.get(id)
    try {
      await this.#store.delete(id)
    } catch (error) {
      const taken = error instanceof TakenError
      if (!taken && !(error instanceof NotFoundError)) throw error
      const record = this.#records.get(id)
      if (taken && !(record && isOver(record))) return this.#records.refresh(id) // one that is over is just let go of
    }
    await this.#records.delete(id)
  }

  /** What is kept of a call, and the right to it; nothing where another tab has it. @param {string} id */
  async #take(id) {
    try {
      const { lease, snapshot } = await this.#store.take(id)
      const record = await this.#records.latest(id)
      if (record) return { lease, snapshot, record }
      await lease.done() // it was forgotten meanwhile
    } catch (error) {
      if (error instanceof NotFoundError) await this.#lost(id)
      else if (error instanceof TakenError) await this.#records.refresh(id)
      else throw error
    }
  }

  /** Gives an answer to the tab that drives the call; where that is gone, this one goes on with it. @param {string} id @param {number} ask @param {Answer} answer */
  async #give(id, ask, answer) {
    return (await this.#hand(id, ask, answer)) || ((await this.goOn(id)) && this.#hand(id, ask, answer))
  }

  /** Gives an answer to whoever drives the call. @param {string} id @param {number} ask @param {Answer} answer */
  async #hand(id, ask, answer) {
    const drive = this.#drives.get(id)
    if (drive) {
      drive.reply(ask, answer)
      return true
    }
    const other = watchCall(id, { onQuestions() {} })
    try {
      const taken = await other.answer(ask, answer)
      if (taken && answer !== PARK) this.#handed.set(id, (this.#handed.get(id) ?? new Map()).set(ask, answer))
      return taken
    } finally {
      other.close()
    }
  }

  /** @param {CallRecord} record @param {Lease} lease @param {(drive: Drive) => Promise<Outcome>} run */
  async #drive(record, lease, run) {
    const { id } = record
    this.#records.set(record)
    const drive = new Drive(this.#engine, record, this.#sessions, {
      changed: () => void this.#records.write(record),
      save: (snapshot) => this.#keeping(record, lease.save(snapshot)),
    })
    this.#drives.set(id, drive)
    lease.keep().catch((error) => drive.abandon(error))
    const outcome = await run(drive)
    this.#drives.delete(id)
    if (outcome.status === "failed" && outcome.cause instanceof TakenError) return this.#records.refresh(id)
    const settling = this.#settle(record, lease, outcome)
    this.#settling.set(id, settling)
    await settling
    this.#settling.delete(id)
    if (record.returns) await this.#accounts.leave(record.address)
  }

  /** @param {CallRecord} record @param {Lease} lease @param {Outcome} outcome */
  async #settle(record, lease, outcome) {
    if (outcome.status === "parked" && this.#accounts.isLeaving(record.address)) {
      record.returns = true
      record.turns.push({ type: "note", text: t`This page went away for you to sign in.` })
    }
    await this.#records.keep(record) // before the snapshot goes: then the record is all there is
    await this.#keeping(record, record.phase === "stopped" ? lease.done() : lease.settle(outcome)).catch(() => this.#records.refresh(record.id))
    this.#records.tell(record.id) // now another tab can have it
  }

  /**
   * A call goes on where it cannot be kept, and the person is told. Only that
   * another tab has it ends it here.
   *
   * @param {CallRecord} record @param {Promise<unknown>} work
   */
  async #keeping(record, work) {
    try {
      await work
    } catch (error) {
      if (error instanceof TakenError) throw error
      const text = t`This browser could not keep the call. It continues, but it is lost when the page closes.`
      if (!record.turns.some((turn) => turn.type === "note" && turn.text === text)) record.turns.push({ type: "note", text })
      await this.#records.write(record)
    }
  }

  /** Goes on with the calls whose tab is gone. */
  async #adopt() {
    for (const [id, answers] of this.#handed) for (const [ask, answer] of answers) this.#handAgain(id, ask, answer)
    const left = this.list().filter(({ id, phase }) => phase === "running" && !this.#drives.has(id))
    if (!left.length) return
    const taken = new Set((await this.#store.list()).flatMap(({ id, taken }) => (taken ? [id] : [])))
    if (left.some(({ id }) => taken.has(id) !== this.#elsewhere.has(id))) {
      this.#elsewhere = taken
      this.#changed()
    }
    await Promise.all(left.map(({ id }) => !taken.has(id) && !this.#drives.has(id) && this.goOn(id)))
  }

  /** Gives an answer once more while the very question is open: to this tab once, which passes it on. @param {string} id @param {number} ask @param {Answer} answer */
  #handAgain(id, ask, answer) {
    const question = this.#records.get(id)?.open.find((one) => one.ask === ask)
    const open = question && question.problem === undefined && !question.repeat
    if (!open || this.#drives.has(id)) this.#handed.get(id)?.delete(ask)
    if (open) void this.#give(id, ask, answer)
  }

  /** Lets go of what nobody will come back to. */
  async #tidy() {
    const over = this.list().filter(isOver)
    for (const { id } of over.slice(0, -mostOver)) await this.discard(id)
    for (const { id, taken } of await this.#store.list()) {
      const record = this.#records.get(id)
      if (!taken && (!record || isOver(record))) await this.#store.delete(id).catch(() => {}) // another tab was first
    }
  }

  /** Nothing is kept of a call: it ended before anything was, or its page went in the moment it ended. @param {string} id */
  async #lost(id) {
    const record = await this.#records.latest(id)
    if (record?.phase !== "running" && record?.phase !== "parked") return this.#records.refresh(id)
    this.#records.set(record)
    await this.#fail(record, t`nothing was kept of this call to resume`)
  }

  /** Ends a call that has no driver to end it. @param {CallRecord} record @param {string} detail */
  async #fail(record, detail) {
    await this.#records.write(Object.assign(record, { phase: "failed", open: [], failure: { code: -1, detail, ours: true, resumable: false } }))
  }

  #changed() {
    this.dispatchEvent(new Event("change"))
  }
}
