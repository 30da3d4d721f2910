import { rounded } from "../../codec/errors.js"
import { hasRounded } from "../../texts/exact-number.js"
import { abilities, tasksExtension } from "../abilities.js"
import { asking } from "../asking.js"
import { guardedOf, opened, replaying } from "../exchange.js"
import { tokenPrincipal } from "../principal.js"
import { inCall, keptIn, Task } from "./work.js"
import { TaskError } from "./error.js"
import { asksForTask, pageCreated, pageOutcome, pageState, relatedTask, relatedTo } from "./sep-2322.js"
import { noOwner, taskMemory } from "./store.js"
import { closeQuestion, stops, untilStopped } from "./time.js"

/** @import { ServerContext } from "@modelcontextprotocol/server" */
/** @import { Abilities } from "../abilities.js" */
/** @import { LowLevelServer } from "../index.js" */
/** @import { TaskRecord, TaskStore } from "./store.js" */

/**
 * @typedef {object} TasksOptions
 * @property {TaskStore} [store] where tasks are kept; in memory by default, 1000 at most, 250 of one principal
 * @property {(context: ServerContext) => string | null | Promise<string | null>} [principal]
 *   Tells whose call made a task, and who asks for it: nobody else gets to know
 *   that there is one. As that of guardServer: `tokenPrincipal` if absent.
 * @property {number} [ttl] how long the work may take, in milliseconds, before it is stopped, and then how
 *   long its result is kept. The time in which a question is open does not count: that is a person's. An hour by default.
 * @property {number} [patience] how long a person may take, in milliseconds, for each time that something is asked; then
 *   the task is stopped. 24 hours by default.
 * @property {number} [poll] how often clients are told to ask, in milliseconds; 1000 by default
 * @property {boolean} [page] has tasks for clients of SEP-2322 too, as that proposal had them before
 *   they became an extension: their calls have `task` in the params. Only in sessions of earlier revisions,
 *   as the SDK drops it in 2026-07-28. The time to live is the server's all the same.
 * @property {() => number} [now] the clock that tasks are forgotten by, in Unix milliseconds
 * @property {(error: Error) => void} [onerror] gets why a task failed, never an id or an answer
 */

/**
 * What a task does. What it throws goes to `onerror`, and to the client only as
 * a failure; a {@link TaskError} goes to the client as it is.
 *
 * @callback Work
 * @param {Task} task
 * @returns {Promise<object>} the tool's result
 */

/** Edits a record at a time. @typedef {(record: TaskRecord, now: number) => void} Edit */

/** Who calls, and what came of the call. @typedef {{owner: string, able: boolean, page: boolean, can: Abilities, made?: TaskRecord, stop?: () => void, refused?: TaskError}} Caller */

const caller = Symbol("parley.tasks")

/** @typedef {{mcpReq: ServerContext["mcpReq"] & {[caller]?: Caller}}} Called */

/**
 * Tasks of the extension io.modelcontextprotocol/tasks: a tool's call is
 * answered with a task at once, and goes on; the client asks how it stands,
 * answers what it asks, and gets the result in the end. A handler may ask first,
 * with `inputRequired`, and start a task after the last answer.
 *
 * Clients poll: no `notifications/tasks` are sent.
 *
 * Source: ext-tasks 2026-07-28; SEP-2322, Persistent Tool Workflow.
 */
export class Tasks {
  #store
  #options

  /** @param {TasksOptions} [options] */
  constructor(options = {}) {
    this.#options = { ttl: 60 * 60 * 1000, patience: 24 * 60 * 60 * 1000, poll: 1000, now: Date.now, ...options }
    for (const name of /** @type {const} */ (["ttl", "patience", "poll"])) {
      const given = this.#options[name]
      if (!(Number.isFinite(given) && given > 0)) throw new TypeError(`parley: ${name} of tasks must be a number of milliseconds above 0`)
    }
    this.#store = options.store ?? taskMemory()
  }

  /**
   * Gives a server the methods tasks/get, tasks/update and tasks/cancel, and with the option
   * `page` tasks/result and tasks/input_response. Call it after guardServer and before anything
   * is registered.
   *
   * @template {LowLevelServer | {server: LowLevelServer}} S
   * @param {S} server a `Server`, or a `McpServer`
   * @returns {S} the same server
   */
  add(server) {
    const low = /** @type {LowLevelServer} */ ("server" in server ? server.server : server)
    low.assertCanSetRequestHandler("tools/call")
    const register = low.setRequestHandler
    low.setRequestHandler = function (/** @type {any[]} */ ...registration) {
      if (registration[0] === "tools/call" && typeof registration[1] === "function") registration[1] = calls(registration[1])
      return register.apply(this, registration)
    }
    const calls = (/** @type {(request: any, context: any) => any} */ handler) => async (/** @type {any} */ request, /** @type {ServerContext} */ context) => {
      const who = await this.#identify(context, low)
      who.page = Boolean(this.#options.page) && !who.able && asksForTask(request)
      const result = await handler(request, { ...context, mcpReq: { ...context.mcpReq, [caller]: who } })
      if (who.refused) throw who.refused
      if (!who.made) return result
      if (result?.isError) {
        who.stop?.() // nobody will know of it
        return result
      }
      if (who.page) return pageCreated(pageState(this.#state(who.made), who.made))
      return { ...this.#state(who.made), resultType: "task" }
    }
    /** @param {string} method @param {(params: any, context: ServerContext, who: Caller) => Promise<object>} answer */
    const answers = (method, answer) =>
      register.call(low, method, { params: asked }, async (/** @type {any} */ params, /** @type {ServerContext} */ context) =>
        answer(params, context, await this.#identify(context, low)))
    answers("tasks/get", async ({ taskId }, _, who) => {
      const record = await this.#find(taskId, who)
      if (record.page) return { resultType: "complete", ...pageState(this.#state(record), record) }
      const { asked, result, error } = record
      return { ...this.#state(record), ...(isEmpty(asked) ? {} : { inputRequests: asked }), ...(result && { result }), ...(error && { error }) }
    })
    answers("tasks/update", async ({ taskId }, context, who) => {
      await this.#answer(await this.#find(taskId, who), context.mcpReq.inputResponses) // the SDK takes them out of the params
      return { resultType: "complete" }
    })
    answers("tasks/cancel", async ({ taskId }, _, who) => {
      const record = await this.#find(taskId, who)
      if (record.page && record.status !== "working") throw new TaskError(-32602, "The task is over")
      await this.#change(record.id, (record) => { record.cancel = true })
      return record.page ? pageState(this.#state(record), record) : { resultType: "complete" }
    })
    if (!this.#options.page) return server
    answers("tasks/result", async ({ taskId }, { mcpReq }, who) => {
      let record = await this.#find(taskId, who)
      while (record.status === "working" && isEmpty(record.asked)) {
        record = await this.#store.wait(record.id, record.version, mcpReq.signal).catch(async (error) => {
          await this.#find(taskId, who) // says so if it was forgotten meanwhile
          throw error
        })
      }
      return pageOutcome(record)
    })
    answers("tasks/input_response", async (params, { mcpReq }, who) => {
      const record = await this.#find(relatedTask(params), who)
      if (isEmpty(record.asked)) throw new TaskError(-32602, "The task asks nothing now")
      await this.#answer(record, mcpReq.inputResponses ?? params.inputResponses)
      return { resultType: "complete", ...relatedTo(record.id) }
    })
    return server
  }

  /**
   * Throws for a client that did not declare the extension; its call then ends
   * with the error -32021, whatever the handler does. A handler that asks before it starts a
   * task calls it first: the answers would be for nothing.
   *
   * @param {ServerContext} context
   */
  require(context) {
    const who = called(context)
    if (who.able || who.page) return
    who.refused = undeclared()
    throw who.refused
  }

  /**
   * Makes a task of the tools/call of a context, and starts its work. The
   * handler returns what this returns.
   *
   * @param {ServerContext} context
   * @param {Work} work
   * @returns {Promise<{content: []}>}
   */
  async start(context, work) {
    this.require(context)
    const who = called(context)
    if (who.made) throw new TypeError("parley: this call has a task already")
    const created = this.#options.now()
    /** @type {TaskRecord} */
    const record = {
      id: crypto.randomUUID(), owner: who.owner, version: 1, created, updated: created, expires: created + this.#options.ttl, left: 0,
      page: who.page, status: "working", message: "", cancel: false, asked: {}, answers: {},
    }
    if (!(await this.#store.create(record))) {
      throw (who.refused = new TaskError(-32603, "There are too many tasks already: try again later"))
    }
    const running = new AbortController()
    who.made = record
    who.stop = () => running.abort()
    void this.#run(record, who.can, running, work)
    return { content: [] }
  }

  /**
   * Does work as a task for a client that has tasks, and while the
   * call waits for any other. Work that asks there asks as a handler of `asking` does, and the server
   * needs guardServer for that: the client is asked in rounds, or by requests of the server in earlier
   * revisions, and the handler and the work begin again with each answer. A run without its answer
   * never goes on. So effects belong after the last question. A handler of `asking` may run work after its own questions.
   *
   * @param {ServerContext} context
   * @param {Work} work
   * @returns {Promise<object>} what the handler returns
   */
  async run(context, work) {
    const who = called(context)
    if (who.able || who.page) return this.start(context, work)
    const { [opened]: guarded, [replaying]: run } = guardedOf(context)
    if (guarded && !run) return asking(guarded.guard, (_, __, inside) => this.run(inside, work))(context)
    const { signal } = context.mcpReq
    try {
      return await work(new Task(inCall(context), who.can, run ? either(signal, run.signal) : signal))
    } catch (error) {
      if (error instanceof TaskError && !run?.replay.outcome) who.refused = error
      throw error
    }
  }

  /** @param {TaskRecord} made @param {Abilities} can @param {AbortController} running @param {Work} work */
  async #run(made, can, running, work) {
    const { ttl, patience, now, onerror } = this.#options
    const { id } = made
    /** @type {string | null} */
    let why = null
    const stop = (/** @type {string | null} */ reason) => {
      why = reason
      running.abort()
    }
    untilStopped(this.#store, made, now, running.signal).then(stop, (cause) => {
      onerror?.(new Error("parley: a task that is not kept is stopped", { cause }))
      stop(null)
    })
    const edit = (/** @type {Edit} */ change) => this.#change(id, change)
    /** @type {(record: TaskRecord) => void} */
    let end
    try {
      const result = await work(new Task(keptIn(this.#store, id, edit, patience, running.signal), can, running.signal))
      if (!result) throw new TypeError("parley: the work has no result")
      end = (record) => Object.assign(record, { status: "completed", result })
    } catch (error) {
      const stopped = why
      onerror?.(new Error("parley: a task failed", { cause: error }))
      end = (record) => {
        if (stopped === stops.canceled) return Object.assign(record, { status: "cancelled", message: stopped })
        const failure = failureOf(error, stopped)
        return Object.assign(record, { status: "failed", message: failure.message, error: failure })
      }
    }
    try {
      await edit((record, now) => {
        end(record)
        Object.assign(record, { asked: {}, answers: {}, expires: now + ttl })
      })
    } catch (cause) {
      onerror?.(new Error("parley: how a task ended is not kept", { cause }))
    }
    running.abort()
  }

  /** Edits a task that is not over. @param {string} id @param {Edit} change */
  #change(id, change) {
    const now = this.#options.now()
    return this.#store.change(id, (record) => {
      if (record.status !== "working") return
      change(record, now)
      record.updated = now
    })
  }

  /** @param {TaskRecord} task @param {Record<string, any>} [responses] */
  #answer({ id }, responses = {}) {
    if (hasRounded(responses)) throw new TaskError(rounded.code, rounded.message)
    return this.#change(id, (record, now) => {
      for (const [key, answer] of Object.entries(responses)) {
        if (!Object.hasOwn(record.asked, key)) continue // not asked, or answered
        closeQuestion(record, key, now)
        record.answers[key] = answer
      }
    })
  }

  /** @param {unknown} taskId @param {Caller} who */
  async #find(taskId, who) {
    if (!who.able && !this.#options.page) throw undeclared()
    const record = typeof taskId === "string" ? await this.#store.load(taskId) : null
    if (!record || record.owner !== who.owner || this.#options.now() > record.expires || Boolean(record.page) === who.able) {
      throw new TaskError(-32602, "There is no such task, or not any more")
    }
    return record
  }

  /** @param {ServerContext} context @param {LowLevelServer} low @returns {Promise<Caller>} */
  async #identify(context, low) {
    const { principal = tokenPrincipal, onerror } = this.#options
    try {
      const name = await principal(context)
      const can = abilities(context, /** @type {any} */ (low))
      return { owner: name === null ? noOwner : `user ${name}`, able: can.tasks, page: false, can }
    } catch (cause) {
      onerror?.(new Error("parley: a user cannot be told from others", { cause }))
      throw new TaskError(-32603, "The server cannot tell who calls")
    }
  }

  /** How long it lives changes while it waits for a person. @param {TaskRecord} record */
  #state({ id, status, message, created, updated, expires, asked }) {
    return {
      resultType: "complete", taskId: id, status: isEmpty(asked) ? status : "input_required", ...(message && { statusMessage: message }),
      createdAt: new Date(created).toISOString(), lastUpdatedAt: new Date(updated).toISOString(),
      ttlMs: expires - created, pollIntervalMs: this.#options.poll,
    }
  }
}

/** @param {ServerContext} context */
function called(context) {
  const who = /** @type {Called} */ (/** @type {unknown} */ (context)).mcpReq[caller]
  if (!who) throw new TypeError("parley: this is no tools/call of a server with tasks: call add before registering the tool")
  return who
}

const undeclared = () => new TaskError(-32021, `This needs a client that declares the extension ${tasksExtension}`,
  { requiredCapabilities: { extensions: { [tasksExtension]: {} } } })

/** @param {unknown} error @param {string | null} stopped why, if it was */
function failureOf(error, stopped) {
  if (stopped) return { code: -32603, message: stopped }
  if (!(error instanceof TaskError)) return { code: -32603, message: "It failed inside the server" }
  const { code, message, data } = error
  return { code, message, ...(data !== undefined && { data }) }
}

/** Aborted with the first of the two. Node has AbortSignal.any since 20.3 only. @param {AbortSignal[]} signals */
function either(...signals) {
  const first = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason)
    signal.addEventListener("abort", () => first.abort(signal.reason), { signal: first.signal })
  }
  return first.signal
}

/** @param {object} map */
const isEmpty = (map) => Object.keys(map).length === 0

/** A schema that takes what the methods' params are, for the SDK. @type {any} */
const asked = { "~standard": { version: 1, vendor: "parley", validate: (/** @type {any} */ value) => ({ value }) } }
