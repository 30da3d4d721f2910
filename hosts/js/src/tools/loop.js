import { asker, PARK } from "../calls/askers.js"
import { Code, ParleyError } from "../engine/errors.js"
import { Failure } from "../results/failure.js"
import { legible } from "../results/schema-reader.js"
import { say } from "../texts/sentence.js"
import { nameApart, Sessions } from "./sessions.js"
import { newId } from "../store/parking.js"
import { ExistsError, NotFoundError } from "../store/errors.js"
import { toolResult as typed } from "../results/typed.js"

/** @import { AskContext, Answer, Askers, Question } from "../calls/askers.js" */
/** @import { Failed, Outcome } from "../calls/driver.js" */
/** @import { Json } from "../engine/call.js" */
/** @import { HostSide } from "../calls/request.js" */
/** @import { CallToolResult, Tool } from "../results/schema.js" */
/** @import { Session } from "../calls/session.js" */
/** @import { ServerTool } from "./sessions.js" */
/** @import { Holding, Holdings } from "../store/contract.js" */

/**
 * What keeps a chat's calls: a ParkingStore, or a Store, such as one that many processes share.
 *
 * @typedef {Holdings & {
 *   list: () => Promise<Iterable<{id: string, time: number}>> | AsyncIterable<{id: string, time: number}>,
 *   delete: (id: string) => Promise<void>,
 * }} ChatStore
 */

/** What a model's tools are called on; a Session is one. @typedef {Pick<Session, "call" | "resume" | "tools">} ToolServer */

/** One session, or several by the names of their servers. @typedef {ToolServer | Record<string, ToolServer> | Sessions} SomeSessions */

/**
 * @typedef {object} ToolLoopOptions
 * @property {Askers} [askers]
 *   answer while the turn waits, in place of the session's. With a store, elicitations and what the model may be
 *   sampled for wait in the chat, and these answer the rest, and what a server of an earlier era cannot wait for
 * @property {ChatStore} [store]
 *   lets questions outlive the turn: calls wait here, and the chat has only their ids and questions. Give it to nobody
 *   else, with a box, or with `seal` and `open`
 * @property {string} [principal] who calls: a waiting call goes on for nobody else
 * @property {(server: string, error: unknown) => void} [onUnlisted] is told of a server whose tools cannot be listed; without it, that rejects
 */

/**
 * Something that waits for the person, as data. Its answer is given under `id`,
 * and has the shape of an ElicitResult whatever is asked. With the action
 * `discard` a call is given up, and the server is not told.
 *
 * @typedef {object} Waiting
 * @property {string} id
 * @property {"question" | "again" | "approval"} kind
 *   a server asks; or a call failed, and can be made again; or the chat host wants a call approved. Accepting the last two, or the question
 *   of a server for the model, takes no content
 * @property {string} tool
 * @property {string} [server]
 * @property {Question} [question] for `engine.questionForm`, or an asker
 * @property {string} [problem] what went wrong
 * @property {boolean} [inDoubt] the tool may have run already
 * @property {boolean} [startOver] the server does not know the call any more: accepted, it is made from its beginning, with forms filled in as before
 * @property {unknown} [input] what the tool to be approved is called with
 */

/**
 * The result of a tool call that waits for the person. It is kept with the chat.
 *
 * @typedef {object} Pending
 * @property {"pending"} status
 * @property {string} about for a model that sees it
 * @property {string} call its id in the store
 * @property {string} server
 * @property {string} tool
 * @property {Waiting[]} questions
 */

/** @typedef {Pick<Pending, "call" | "server" | "tool">} PendingCall */

/** What the store has of a call: where it is, and why it does not go on by itself; or its result. @typedef {{server: string, principal?: string, snapshot?: string, again?: Waiting, result?: string}} Kept */

/** By the ids of what waits: an ElicitResult, or its JSON text. @typedef {Record<string, Json>} Answers */

/** How long the result of a call that had waited is kept after it was given, in milliseconds. */
const resultKept = 86_400_000

/** The tool calls of a model's turns, whichever SDK runs the turns. */
export class ToolLoop {
  #sessions
  #options
  /** @type {ToolServer | undefined} */
  #one
  /** @type {Promise<unknown> | undefined} */
  #swept

  /** @param {SomeSessions} sessions @param {ToolLoopOptions} options */
  constructor(sessions, options) {
    this.#options = options
    if ("servers" in sessions && Array.isArray(sessions.servers)) {
      this.#sessions = /** @type {Sessions} */ (sessions)
      return
    }
    this.#sessions = new Sessions()
    if (typeof sessions.call === "function") this.#one = /** @type {ToolServer} */ (sessions)
    const all = this.#one ? { server: this.#one } : /** @type {Record<string, ToolServer>} */ (sessions)
    for (const [server, session] of Object.entries(all)) this.#sessions.add(server, () => /** @type {Session} */ (session))
  }

  /** The tools of all servers. The only one may want a sign-in first, of many nobody is asked. @param {AbortSignal} [signal] @returns {Promise<ServerTool[]>} */
  async list(signal) {
    if (this.#one) {
      const tools = []
      for await (const tool of this.#one.tools({ signal })) tools.push({ server: "server", tool })
      const names = nameApart(tools.map(({ server, tool: { name } }) => ({ server, name })))
      return tools.map((tool, i) => ({ name: names[i] ?? "", ...tool }))
    }
    const { tools, failed } = await this.#sessions.tools({ signal })
    for (const { server, error } of failed) {
      if (!this.#options.onUnlisted) throw error
      this.#options.onUnlisted(server, error)
    }
    return tools
  }

  /**
   * Calls a tool. A call with an `id` is made once, however often this is called;
   * an id needs a store.
   *
   * @param {{server: string, tool: Pick<Tool, "name">}} named @param {unknown} args
   * @param {{id?: string, meta?: object, signal?: AbortSignal}} [settings]
   * @returns {Promise<CallToolResult | Pending>}
   */
  async call({ server, tool: { name } }, args, { id, meta, signal } = {}) {
    const { store, askers, principal } = this.#options
    const request = { method: "tools/call", params: { name, arguments: args ?? {}, ...(meta && { _meta: meta }) } }
    const options = { peer: server, principal }
    if (!store) return toolResult(await this.#sessions.call(server, { ...request, options, askers, signal }))
    this.#swept ??= sweep(store).catch(() => {}) // another time
    const call = id ?? newId()
    const pending = { call, server, tool: name }
    if (id !== undefined) {
      try {
        return await this.resume(pending, {}, signal)
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error
      }
    }
    // All questions of a round wait together.
    return this.#drive(await store.create(call), pending, {}, id !== undefined, signal, (side) => this.#sessions.call(server, { ...request, options: { ...options, askConcurrency: -1 }, ...side }))
  }

  /**
   * Goes on with a call that waits. Answers that are not to its questions are
   * left alone. A call that is over has its result.
   *
   * @param {PendingCall} pending @param {Answers} answers @param {AbortSignal} [signal]
   * @returns {Promise<CallToolResult | Pending>}
   */
  async resume(pending, answers, signal) {
    const { store, principal } = this.#options
    if (!store) throw new TypeError("parley: only a tool loop with a store has calls that wait")
    const { call, server } = pending
    this.#sessions.session(server) // which throws if there is none
    const [lease, kept] = await take(store, call).catch((error) => (error instanceof NotFoundError ? take(store, call + over) : Promise.reject(error)))
    const { snapshot = "", result, again } = kept
    const theirs = kept.server !== server || kept.principal !== principal
    const said = again && answers[again.id]
    const discards = Object.entries(answers).some(([id, answer]) => id.startsWith(`${call}-`) && actionOf(answer) === "discard")
    const idle = again && !said && !discards
    if (theirs || result !== undefined || idle) await lease.release()
    if (theirs) throw new ParleyError(Code.peer, say`the call is of another server, or of somebody else`)
    if (result !== undefined) return toolResult({ status: "done", result })
    if (idle) return waits(pending, [again])
    if (discards || (said && !accepts(said))) return this.#end(lease, pending, givenUp)
    const how = again && (again.startOver ? { again: true } : { resend: true, moreRounds })
    return this.#drive(lease, pending, answers, true, signal, (side) => this.#sessions.resume(server, { snapshot, expect: { peer: server, principal }, ...how, ...side }))
  }

  /** As resume, but a call that has failed for good, or that is not there, has a result that says so. @param {Pending} pending @param {Answers} answers @param {AbortSignal} [signal] */
  async answer(pending, answers, signal) {
    try {
      return await this.resume(pending, answers, signal)
    } catch (error) {
      if (!(error instanceof Failure || error instanceof NotFoundError)) throw error
      return /** @type {CallToolResult} */ ({ isError: true, content: [{ type: "text", text: error.message }] })
    }
  }

  /** What waits of these: a server may say that something does. @param {Pending[]} pending */
  async waiting(pending) {
    const kept = new Set()
    for await (const { id } of (await this.#options.store?.list()) ?? []) kept.add(id)
    return pending.flatMap(({ call, questions }) => (kept.has(call) || kept.has(call + over) ? questions : []))
  }

  /**
   * @param {Holding} lease @param {PendingCall} pending @param {Answers} answers @param {boolean} remember
   * @param {AbortSignal | undefined} signal @param {(side: HostSide) => Promise<Outcome>} start
   * @returns {Promise<CallToolResult | Pending>}
   */
  async #drive(lease, pending, answers, remember, signal, start) {
    const { call, server, tool } = pending
    const stop = new AbortController()
    const abort = () => stop.abort(signal?.reason)
    if (signal?.aborted) abort()
    signal?.addEventListener("abort", abort)
    lease.keep().catch((error) => stop.abort(error))
    /** @type {Map<string, Question>} */
    const asked = new Map()
    let declined = false
    const save = (/** @type {string} */ snapshot, /** @type {Waiting | undefined} */ again = undefined) => lease.save(this.#kept(server, { snapshot, again }))
    const outcome = await start({ askers: this.#askers(call, answers, asked, () => (declined = true)), save, signal: stop.signal })
      .catch((error) => lease.release().then(() => Promise.reject(error)))
      .finally(() => signal?.removeEventListener("abort", abort))
    if (outcome.status === "done" && remember) return this.#end(lease, pending, outcome.result)
    if (outcome.status === "failed" && declined) return this.#end(lease, pending, givenUp)
    if (outcome.status === "parked" && asked.size) {
      await save(outcome.snapshot).finally(() => lease.release())
      return waits(pending, [...asked].map(([id, question]) => ({ id, kind: "question", server, tool, question })))
    }
    // What a person has answered is kept, and whether to send again is for a person to say. So is when to go on with what the host has parked.
    const { snapshot, inDoubt, code, detail: problem = "the call was parked" } = /** @type {Partial<Failed>} */ (outcome)
    if (snapshot === undefined || !(remember || outcome.status === "parked" || (inDoubt && !signal?.aborted))) {
      await lease.done().catch(() => {}) // nobody will look for it, and what came of it counts
      return toolResult(outcome)
    }
    /** @type {Waiting} */
    const again = { id: `${call}-${newId()}`, kind: "again", server, tool, problem, ...(inDoubt ? { inDoubt } : code === Code.state && { startOver: true }) }
    await save(snapshot, again).finally(() => lease.release())
    return waits(pending, [again])
  }

  /** Ends a call whose result may be wanted once more, if the host dies before it has kept it. @param {Holding} lease @param {PendingCall} pending @param {string} result */
  async #end(lease, { call, server }, result) {
    const store = /** @type {ChatStore} */ (this.#options.store)
    const id = call + over
    const kept = await store.create(id).catch((error) => (error instanceof ExistsError ? store.take(id).then(({ lease }) => lease) : Promise.reject(error)))
    await kept.save(this.#kept(server, { result })).finally(() => kept.release())
    await lease.done()
    return toolResult({ status: "done", result })
  }

  /** As text. @param {string} server @param {Omit<Kept, "server" | "principal">} of */
  #kept(server, of) {
    return JSON.stringify({ ...of, server, principal: this.#options.principal })
  }

  /** Askers that park what was not answered. @param {string} call @param {Answers} answers @param {Map<string, Question>} asked @param {() => void} decline what has no answer that says no */
  #askers(call, answers, asked, decline) {
    const { askers: live = {} } = this.#options
    /** @param {Question} question @param {AskContext} context @returns {Answer | Promise<Answer>} */
    const park = (question, context) => {
      const id = `${call}-${question.ask}`
      const name = asker(question)
      const here = live[name]
      const answer = answers[id]
      if (asked.has(id)) { // a server of an earlier era, which cannot wait
        if (!here) throw new Error("the server cannot wait, and nobody can be asked now")
        return here(question, context)
      }
      if (answer !== undefined && question.problem === undefined) {
        if (name !== "sample") return answer
        if (here && accepts(answer)) return here(question, /** @type {AskContext} */ ({ signal: context.signal, allowed: true }))
        decline()
        throw new Error("the person did not let the model answer")
      }
      asked.set(id, question)
      return PARK
    }
    const { authorize, sample } = live
    /** @param {Question} question @param {AskContext} context */
    const signIn = async (question, context) => {
      const id = `${call}-${question.ask}`
      asked.set(id, question)
      const answer = await authorize?.(question, context)
      if (answer !== PARK) asked.delete(id)
      return /** @type {Answer} */ (answer)
    }
    return { ...live, elicit: park, elicitURL: park, sample: sample && park, authorize: authorize && signIn }
  }
}

/** @param {PendingCall} pending @param {Waiting[]} questions @returns {Pending} */
function waits({ call, server, tool }, questions) {
  return { status: "pending", about: "The call waits for the person. What it does, or did, is not known yet.", call, server, tool, questions }
}

/** @param {ChatStore} store @param {string} id @returns {Promise<[Holding, Kept]>} */
async function take(store, id) {
  const { lease, snapshot } = await store.take(id)
  return [lease, JSON.parse(snapshot)]
}

/** What a tool returned, if it waits. @param {any} value @returns {Pending | undefined} */
export function asPending(value) {
  return value?.status === "pending" && typeof value.call === "string" && Array.isArray(value.questions) ? value : undefined
}

/** Whether something that waits is answered. @param {Pending | undefined} pending @param {Answers} answers */
export function isAnswered(pending, answers) {
  return pending?.questions.some(({ id }) => Object.hasOwn(answers, id)) ?? false
}

/** @param {Json | undefined} answer @returns {unknown} */
const actionOf = (answer) => (typeof answer === "string" ? JSON.parse(answer) : answer)?.action

/** @param {Json} answer */
export const accepts = (answer) => actionOf(answer) === "accept"

/** An id of the same for the same. @param {string} text */
export async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
  return Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("")
}

/** Ends the id under which a result is kept. */
const over = "-over"

/** How many rounds a call that is sent again may have beyond those it had. */
const moreRounds = 10

const givenUp = '{"isError":true,"content":[{"type":"text","text":"The person gave the call up. What it did before is not known."}]}'

/** Deletes results that were kept long enough. @param {ChatStore} store */
async function sweep(store) {
  for await (const { id, time } of await store.list()) {
    if (id.endsWith(over) && Date.now() - time > resultKept) await store.delete(id).catch(() => {}) // somebody else does
  }
}

/** What a tool returned, for a chat. @param {Outcome} outcome */
const toolResult = (outcome) => legible(typed(outcome))
