import { Failure } from "../results/failure.js"
import { nameApart } from "./names.js"
import { Turns } from "./question-queue.js"

/** @import { Asker, AskContext, Askers, Question } from "../calls/askers.js" */
/** @import { Outcome } from "../calls/driver.js" */
/** @import { Request, Resumption } from "../calls/request.js" */
/** @import { CallToolResult, Tool } from "../results/schema.js" */
/** @import { Session } from "../calls/session.js" */
/** @import { Standing } from "./question-queue.js" */
/** @import { ToolCall } from "../results/typed.js" */

/** A question's context with the name of the server that asks. @typedef {AskContext & {server: string}} ServerContext */

/** Answers for one of many servers. @typedef {(question: Question, context: ServerContext) => ReturnType<Asker>} ServerAsker */

/** The askers of many servers: each is told which one asks. @typedef {{[K in keyof Askers]: NonNullable<Askers[K]> extends Asker ? ServerAsker : Askers[K]}} ServerAskers */

/**
 * @typedef {object} SessionsOptions
 * @property {ServerAskers} [askers] of all the servers; one that a set's call brings itself does not wait in line
 * @property {number} [atOnce] how many questions are put to the person at once, 1 if absent
 * @property {number} [atOncePerServer] how many of them one server may have
 * @property {(keyof Askers)[]} [inLine] which askers wait for their turn; all but `listRoots` if absent, which mostly asks nobody
 * @property {(questions: {open: Standing<Question>[], waiting: Standing<Question>[]}) => void} [onQuestions] is told when the line has changed
 * @property {number} [listTime] how long a server may take to list its tools, in milliseconds; 15,000 if absent
 */

/** A tool of one of the servers, under a name that no other has. @typedef {{name: string, server: string, tool: Tool}} ServerTool */

/** The tools of all servers, and why those of others are not there: an Error, or what the session threw. @typedef {{tools: ServerTool[], failed: {server: string, error: unknown}[]}} ServerTools */

/** @type {(keyof Askers)[]} */
const asking = ["elicit", "elicitURL", "sample", "authorize"]

/** What can be asked of somebody, in the words of the askers. */
const all = /** @type {const} */ (["elicit", "elicitURL", "sample", "listRoots", "authorize"])

/**
 * Sessions with many servers, and one line of questions. A server that is dead,
 * slow or wants a sign-in does not hold up the others.
 */
export class Sessions {
  #options
  /** @type {Turns<Question>} */
  #turns
  /** @type {Map<string, Session>} */
  #sessions = new Map()
  /** The calls that run. @type {Set<{server: string, cancel: AbortController, park: AbortController}>} */
  #running = new Set()

  /** @param {SessionsOptions} [options] */
  constructor(options = {}) {
    const { atOnce, atOncePerServer, onQuestions } = options
    this.#options = options
    this.#turns = new Turns({ atOnce, atOncePerServer, onChanged: () => onQuestions?.(this.questions) })
  }

  /** The servers, in the order they were added. */
  get servers() {
    return [...this.#sessions.keys()]
  }

  /** The questions that are put, and those that wait for their turn. */
  get questions() {
    return { open: this.#turns.open, waiting: this.#turns.waiting }
  }

  /**
   * Adds a server. `open` makes its session, with the askers it is given:
   * `sessions.add("files", (askers) => connect(engine, transport, { askers }))`.
   *
   * @param {string} server its name, 1 to 64 characters
   * @param {(askers: Askers) => Session} open
   * @returns {Session}
   */
  add(server, open) {
    if (server.length < 1 || server.length > 64) throw new RangeError("parley: the name of a server has 1 to 64 characters")
    if (this.#sessions.has(server)) throw new Error(`parley: there is a server ${JSON.stringify(server)} already`)
    const session = open(this.#askers(server))
    this.#sessions.set(server, session)
    return session
  }

  /**
   * Removes a server. Its calls are canceled, resumably, and its session is
   * closed. It resolves when nothing is left; false if there is no such server.
   *
   * @param {string} server
   */
  async remove(server) {
    const session = this.#sessions.get(server)
    this.#sessions.delete(server)
    await session?.close()
    return session !== undefined
  }

  /** The session with a server. It throws if there is none. @param {string} server */
  session(server) {
    const session = this.#sessions.get(server)
    if (!session) throw new Error(`parley: there is no server ${JSON.stringify(server)}`)
    return session
  }

  /**
   * The tools of all servers, under names that differ. Nobody is asked
   * anything: a server that wants a sign-in is among those that failed, with
   * Code.unauthorized. `session(server).tools()` signs in.
   *
   * @param {{signal?: AbortSignal}} [options]
   * @returns {Promise<ServerTools>}
   */
  async tools({ signal } = {}) {
    const servers = this.servers
    const listed = await Promise.allSettled(servers.map((server) => this.#list(server, signal)))
    signal?.throwIfAborted()
    const tools = listed.flatMap((list, i) => (list.status === "fulfilled" ? list.value.map((tool) => ({ server: servers[i] ?? "", tool })) : []))
    const names = nameApart(tools.map(({ server, tool: { name } }) => ({ server, name })))
    return {
      tools: tools.map((tool, i) => ({ name: names[i] ?? "", ...tool })),
      failed: listed.flatMap((list, i) => (list.status === "rejected" ? [{ server: servers[i] ?? "", error: list.reason }] : [])),
    }
  }

  /**
   * Makes a call to a server; see {@link Session.call}.
   *
   * @param {string} server @param {Request} request @returns {Promise<Outcome>}
   */
  call(server, request) {
    return this.#run(server, request, (session, side) => session.call({ ...request, ...side }))
  }

  /**
   * Continues a call to a server from its snapshot; see {@link Session.resume}.
   *
   * @param {string} server @param {Resumption} resumption @returns {Promise<Outcome>}
   */
  resume(server, resumption) {
    return this.#run(server, resumption, (session, side) => session.resume({ ...resumption, ...side }))
  }

  /**
   * Calls a tool of a server by the name that the server gave it; see
   * {@link Session.callTool}.
   *
   * @param {string} server @param {ToolCall} call @returns {Promise<CallToolResult>}
   */
  callTool(server, call) {
    return this.#run(server, call, (session, side) => session.callTool({ ...call, ...side }))
  }

  /** Cancels all calls that run, or those to one server. @param {{server?: string, reason?: unknown}} [which] */
  cancel({ server, reason = new Error("parley: all calls were canceled") } = {}) {
    for (const call of this.#running) if (server === undefined || call.server === server) call.cancel.abort(reason)
  }

  /** Parks all calls that run, or those to one server, as soon as each can be. @param {{server?: string}} [which] */
  park({ server } = {}) {
    for (const call of this.#running) if (server === undefined || call.server === server) call.park.abort()
  }

  /** Closes all sessions. It resolves when nothing is left. */
  async close() {
    await Promise.all(this.servers.map((server) => this.remove(server)))
  }

  /** The askers of a server's session. @param {string} server @returns {Askers} */
  #askers(server) {
    const { askers = {}, inLine = asking } = this.#options
    /** @type {Askers} */
    const own = { ...(/** @type {Askers} */ (askers)) }
    for (const name of all) {
      const ask = askers[name]
      if (!ask) continue
      own[name] = (question, { signal }) => {
        const put = () => ask.call(askers, question, { signal, server })
        return inLine.includes(name) ? this.#turns.take({ server, question }, signal, put) : put()
      }
    }
    return own
  }

  /** @param {string} server @param {AbortSignal} [signal] */
  async #list(server, signal) {
    const time = new AbortController()
    const { listTime = 15_000 } = this.#options
    const late = setTimeout(() => time.abort(new Error(`parley: ${server} did not list its tools in ${listTime / 1000} seconds`)), listTime)
    const stop = () => time.abort(signal?.reason)
    signal?.addEventListener("abort", stop)
    if (signal?.aborted) stop()
    /** @type {Tool[]} */
    const tools = []
    try {
      for await (const tool of this.session(server).tools({ askers: {}, signal: time.signal })) tools.push(tool)
    } catch (error) {
      throw time.signal.aborted && error instanceof Failure ? time.signal.reason : error
    } finally {
      clearTimeout(late)
      signal?.removeEventListener("abort", stop)
    }
    return tools
  }

  /** @template T @param {string} server @param {{signal?: AbortSignal, park?: AbortSignal}} own @param {(session: Session, side: {signal: AbortSignal, park: AbortSignal}) => Promise<T>} make @returns {Promise<T>} */
  async #run(server, own, make) {
    const session = this.session(server)
    const call = { server, cancel: following(own.signal), park: following(own.park) }
    this.#running.add(call)
    try {
      return await make(session, { signal: call.cancel.signal, park: call.park.signal })
    } finally {
      this.#running.delete(call)
      for (const one of [call.cancel, call.park]) one.unfollow()
    }
  }
}

export { nameApart }

/** What aborts when another signal does. @param {AbortSignal} [signal] @returns {AbortController & {unfollow: () => void}} */
function following(signal) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener("abort", abort)
  return Object.assign(controller, { unfollow: () => signal?.removeEventListener("abort", abort) })
}
