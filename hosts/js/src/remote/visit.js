import { Code, ParleyError } from "../engine/errors.js"
import { askersOf, RemoteRun } from "./run.js"
import { check, fromPage, mostCalls, ofSession, read, version } from "./messages.js"
import { TakenError } from "../store/errors.js"
import { inEnglish, say } from "../texts/sentence.js"

/** @import { Askers } from "../calls/askers.js" */
/** @import { Outcome } from "../calls/driver.js" */
/** @import { CallOptions, HostSide } from "../calls/request.js" */
/** @import { Holding } from "../store/contract.js" */
/** @import { Owner } from "./host.js" */
/** @import { Socket } from "./messages.js" */
/** @import { Session } from "../calls/session.js" */
/** @import { SessionWatchers } from "../calls/watchers.js" */

/**
 * Who a page is, and what it may do.
 *
 * @typedef {object} Visitor
 * @property {string} owner whose page it is, as the host has authenticated it: nobody else gets at its calls
 * @property {string} server the host's name for the server, which tells its calls from those to another
 * @property {Session | ((page: {askers: Askers, watchers: SessionWatchers}) => Session | Promise<Session>)} session
 *   with that server; what makes one for this page alone, which is closed with the connection, or one that is there, whose watchers are
 *   the host's and which servers of earlier eras ask only what its own askers can
 * @property {(request: {method: string, params: string}) => boolean | Promise<boolean>} [allow] which requests the page may make; tools, prompts, resources, completions and subscriptions if absent
 * @property {(page: Askers) => Askers} [askers] who answers in place of the page: what the host answers itself, beside what it leaves to the page
 * @property {CallOptions} [options] of every call, in place of what the page says
 */

/** How long a page may take to say hello, in milliseconds. */
const patience = 10_000

/** What a page may ask for where the host does not say. */
const usual = ["tools/list", "tools/call", "prompts/list", "prompts/get", "resources/list", "resources/read", "resources/templates/list", "completion/complete", "subscriptions/listen"]

/** The options of a call that are a page's to choose: how long, how often, what it declares, and its own labels. Sizes are the host's. */
const optionNames = ["askConcurrency", "legTimeout", "legMax", "askTimeout", "budget", "deadline", "maxRounds", "maxWaits", "maxPace", "maxTries", "resendTools", "fresh", "audit", "capabilities", "id", "peer", "principal"]

const expectNames = ["peer", "principal", "deadline", "budget", "maxRounds", "maxWaits"]

const filterNames = ["toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions"]

/** One connection of a page. */
export class RemoteVisit {
  #socket
  #visitor
  #owner
  #settings
  /** @type {Promise<Session> | undefined} */
  #session
  /** What runs in that session. @type {Set<Promise<void>>} */
  #running = new Set()
  #timer
  #over = false

  /** @param {Socket} socket @param {Visitor} visitor @param {Owner} owner @param {import("./host.js").Settings} settings */
  constructor(socket, visitor, owner, settings) {
    this.#socket = socket
    this.#visitor = visitor
    this.#owner = owner
    this.#settings = settings
    this.#timer = setTimeout(() => this.end(1002, "no hello"), patience)
    socket.addEventListener("message", ({ data }) => this.#receive(data))
    socket.addEventListener("close", () => this.#gone())
    socket.addEventListener("error", () => {}) // close follows
  }

  /** @param {object} message */
  say(message) {
    if (this.#over) return
    if ((this.#socket.bufferedAmount ?? 0) > this.#settings.maxBacklog) return this.end(1008, "the page does not read")
    try {
      this.#socket.send(JSON.stringify(message))
    } catch {
      this.end(1011, "the connection takes nothing")
    }
  }

  /** @param {number} code @param {string} reason */
  end(code, reason) {
    if (this.#over) return
    this.#gone()
    try {
      this.#socket.close(code, reason)
    } catch {} // it is closed
  }

  /** Settles when nothing of this page runs any more. @type {Promise<void>} */
  ended = Promise.resolve()

  #gone() {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#owner.leave(this)
    this.ended = this.#close()
  }

  async #close() {
    while (this.#running.size) await Promise.allSettled(this.#running)
    if (typeof this.#visitor.session === "function") await this.#session?.then((session) => session.close()).catch(() => {})
  }

  /** @param {unknown} data */
  #receive(data) {
    if (this.#over) return
    try {
      this.#perform(read(data, fromPage, this.#settings.maxMessage))
    } catch (error) {
      this.end(1002, error instanceof Error ? error.message.slice(0, 100) : "")
    }
  }

  /** @param {any} message */
  #perform(message) {
    if ((message.type === "hello") === (this.#session !== undefined)) throw new Error("hello comes first, and once")
    switch (message.type) {
      case "hello":
        return this.#greet(message)
      case "call":
      case "resume":
        return this.#begin(message)
      case "subscribe":
        return void this.#subscribe(message.filter)
      case "took":
        return this.#owner.ended.delete(message.call)
    }
    const run = this.#owner.runs.get(message.call)
    if (!run || run.page !== this) return this.#refuse("this page has no such call")
    if (message.type === "park") run.park()
    else if (message.type === "cancel") run.cancel("the page canceled the call")
    else if (!run.reply(message)) this.#refuse("no question of this number is open")
  }

  /** @param {{version: number, can: Record<string, unknown>, tell: unknown[]}} hello */
  #greet({ version: its, can, tell }) {
    if (its !== version) throw new Error(`version ${its} is not spoken here`)
    clearTimeout(this.#timer)
    const { session } = this.#visitor
    const watchers = Object.fromEntries(Object.keys(ofSession).filter((name) => tell.includes(name)).map((what) => [what, (/** @type {unknown[]} */ ...said) => this.say({ type: "tell", what, said })]))
    const open = async () => (typeof session === "function" ? session({ askers: this.#askers(askersOf(can, nobody)), watchers }) : session)
    this.#session = open()
    this.#session.catch(() => this.end(1011, "there is no session"))
    this.say({ type: "hello", version, memory: this.#owner.memory, most: this.#settings.maxMessage })
  }

  /** @param {Askers} page */
  #askers(page) {
    return this.#visitor.askers?.(page) ?? page
  }

  /** @param {string} detail */
  #refuse(detail) {
    this.say({ type: "error", detail })
  }

  /** @param {object} filter */
  async #subscribe(filter) {
    try {
      only(filter, filterNames)
      const allowed = typeof this.#visitor.session === "function" && (await this.#allows("subscriptions/listen", JSON.stringify(filter)))
      if (!allowed) return this.#refuse("this page may not subscribe")
      ;(await this.#session)?.subscribe(filter)
    } catch (error) {
      this.#refuse(error instanceof ParleyError ? error.detail : "the subscription failed")
    }
  }

  /** @param {string} method @param {string} params */
  async #allows(method, params) {
    return this.#visitor.allow ? this.#visitor.allow({ method, params }) : usual.includes(method)
  }

  /** @param {any} message a call or a resumption */
  #begin(message) {
    const { call: id, since } = message
    const owner = this.#owner
    const run = owner.runs.get(id)
    const end = owner.ended.get(id)
    if (run && (since !== undefined || message.type === "resume")) return run.attach(this)
    if (end && since !== undefined) return this.say(end)
    if (run || (end && message.type === "call")) return this.#refuse("there was a call of this id already")
    if (owner.runs.size >= mostCalls) return misuse(this, id, new ParleyError(Code.order, `${mostCalls} calls run already`))
    this.#start(message)
  }

  /** @param {any} message */
  #start(message) {
    const run = new RemoteRun(message.call, message.can, message.tell, this.#settings.linger)
    this.#owner.runs.set(message.call, run)
    run.attach(this)
    const running = this.#drive(run, message).finally(() => {
      run.end()
      this.#running.delete(running)
    })
    this.#running.add(running)
  }

  /** @param {RemoteRun} run @param {any} message */
  async #drive(run, message) {
    const { call: id, type, options, since } = message
    const { runs, ended } = this.#owner
    /** @type {Outcome | undefined} */
    let outcome
    try {
      const held = await this.#hold(run, message)
      if (held) outcome = await this.#keep(run, held)
    } catch (error) {
      runs.delete(id)
      if (error instanceof ParleyError || error instanceof TypeError) return misuse(run.page, id, error)
      if (type === "resume" || since !== undefined) return run.page?.say({ type: "unknown", call: id, later: true })
      outcome = { status: "failed", code: Code.save, ...inEnglish(say`the host's server could not keep the call, and it was not sent`), resumable: false }
    }
    runs.delete(id)
    if (!outcome) return run.page?.say(ended.get(id) ?? { type: "unknown", call: id })
    if (outcome.status === "parked" && run.left && !run.wanted) {
      // The page went away and came back while the call was parked for that.
      const expect = type === "call" ? labels(options) : message.how.expect
      if (run.page) return run.page.#begin({ ...message, type: "resume", how: { expect }, since: undefined })
      return
    }
    const { snapshot, cause, ...said } = /** @type {any} */ (outcome)
    const end = { type: "end", call: id, outcome: said }
    this.#owner.remember(id, end)
    run.page?.say(end)
  }

  /**
   * The right to drive a call, and how; nothing where nobody knows of it, or the
   * page is gone before it began.
   *
   * @param {RemoteRun} run @param {any} message @returns {Promise<Held | undefined>}
   */
  async #hold(run, message) {
    const session = await /** @type {Promise<Session>} */ (this.#session)
    const { type, call: id, method, params, options, how = {}, since } = message
    const { options: own = {} } = this.#visitor
    if (type === "resume" || since !== undefined) {
      check(how, { expect: "object?", resend: "flag?", again: "flag?", moreRounds: "number?" }, "a resumption")
      const { expect = type === "call" ? labels(options) : {}, ...begin } = how
      only(expect, expectNames)
      const kept = await this.#owner.take(id, run)
      if (kept) {
        const { lease, snapshot, principal } = kept
        return { lease, principal, make: (side) => session.resume({ snapshot, expect: { ...labels({ principal }), ...expect, ...labels(own) }, ...begin, ...side }) }
      }
      if (type === "resume" || since !== this.#owner.memory) return
      // Nothing was forgotten since the page said it first, so that never came.
    }
    only(options, optionNames)
    if (!(await this.#allows(method, params))) throw new ParleyError(Code.options, "the host's server does not let this page make such a request")
    if (!run.page) return
    const lease = await this.#settings.store.create(id)
    return { lease, make: (side) => session.call({ method, params, options: { ...options, ...own }, ...side }) }
  }

  /** Drives a call, and keeps what it needs. @param {RemoteRun} run @param {Held} held @returns {Promise<Outcome>} */
  async #keep(run, { lease, principal, make }) {
    const seal = (/** @type {string} */ snapshot) => this.#owner.seal(snapshot, principal)
    const { authorize, ...askers } = this.#askers(run.askers)
    /** @type {Askers} */
    const all = authorize ? { ...askers, authorize: async (question, context) => {
      const answer = await authorize(question, context)
      const { account } = Object(typeof answer === "string" ? JSON.parse(answer) : answer)
      if (typeof account === "string") principal = account
      return answer
    } } : askers
    lease.keep().catch(() => run.cancel("the call is somebody else's"))
    /** @type {Outcome} */
    let outcome
    try {
      outcome = await make({ askers: all, watchers: run.watchers, save: (snapshot) => lease.save(seal(snapshot)), ...run.signals })
    } catch (error) {
      await lease.release().catch(() => {})
      throw error
    }
    const { snapshot } = /** @type {{snapshot?: string}} */ (outcome)
    try {
      await lease.settle(snapshot === undefined ? outcome : /** @type {Outcome} */ ({ ...outcome, snapshot: seal(snapshot) }))
      return outcome
    } catch (cause) {
      if (outcome.status === "done" || snapshot === undefined) return outcome
      if (cause instanceof TakenError) return { status: "failed", code: Code.lost, ...inEnglish(say`somebody else goes on with the call`), resumable: true }
      return { status: "failed", code: Code.save, ...inEnglish(say`the host's server could not keep the call`), resumable: false, inDoubt: "inDoubt" in outcome && outcome.inDoubt }
    }
  }
}

/** What a call is driven with, and who has signed in for it. @typedef {{lease: Holding, principal?: string, make: (side: HostSide) => Promise<Outcome>}} Held */

/** @param {{say: (message: object) => void} | undefined} page @param {string} call @param {unknown} error */
function misuse(page, call, error) {
  const { code, detail } = error instanceof ParleyError ? error : { code: Code.options, detail: "the host's server could not make the call" }
  page?.say({ type: "misuse", call, code, detail })
}

/** The labels that there are. @param {{peer?: string, principal?: string}} options */
const labels = ({ peer, principal }) => ({ ...(peer !== undefined && { peer }), ...(principal !== undefined && { principal }) })

/** @param {object} options @param {string[]} names */
function only(options, names) {
  const stray = Object.keys(options).find((name) => !names.includes(name))
  if (stray) throw new ParleyError(Code.options, "an option is not a page's to choose")
}

/** A session's own askers declare what can be answered; its calls have theirs. */
const nobody = () => Promise.reject(new Error("parley: no call of the page asks this"))
