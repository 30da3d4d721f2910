// A server that answers by script, and a host that notes what it did.

import { connect, requests, translate } from "../dist/index.js"

/** @import { Askers, CallOptions, Engine, Json, Outbound, Outcome, Question, Resumption, HostSide, Send, Session, Watchers } from "../dist/index.js" */

/** The host's side of a call, all beside each other, and its connection. @typedef {Askers & Watchers & Omit<HostSide, "askers" | "watchers"> & {send: Send}} Sending */

export const done = `{"resultType":"complete","content":[],"n":1.0}`
export const oneAsk = `{"resultType":"input_required","requestState":"secret-state","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}`
export const threeAsk =
  `{"resultType":"input_required","inputRequests":{` +
  `"a":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}},` +
  `"b":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"?"}}],"maxTokens":5}},` +
  `"c":{"method":"roots/list"}}}`

export const someModel = `{"role":"assistant","content":{"type":"text","text":"x"},"model":"m"}`
/** What a transport told, in English. @param {any} event */
export const inEnglish = (event) => (typeof event.reason === "object" ? { ...event, reason: translate(event.reason) } : event)

export const someRoots = `{"roots":[]}`

/**
 * Makes a call in a session of its own, over requests.
 *
 * @param {Engine} engine @param {string} method @param {Json} params @param {Sending} sending @param {CallOptions} [options]
 */
export function call(engine, method, params, { send, ...others }, options) {
  return alone(engine, send, (session) => session.call({ method, params, options, ...running(others) }))
}

/** The same from a snapshot. @param {Engine} engine @param {string} snapshot @param {Sending} sending @param {Omit<Resumption, "snapshot" | keyof HostSide>} [how] */
export function resume(engine, snapshot, { send, ...others }, how) {
  return alone(engine, send, (session) => session.resume({ snapshot, ...how, ...running(others) }))
}

/** @param {Omit<Sending, "send">} sending @returns {HostSide} */
function running({ save, park, signal, onNote, onProgress, onTask, onLeg, onPause, onNotification, ...askers }) {
  return { askers, watchers: { onNote, onProgress, onTask, onLeg, onPause, onNotification }, save, park, signal }
}

/** @param {Engine} engine @param {Send} send @param {(session: Session) => Promise<Outcome>} run */
async function alone(engine, send, run) {
  const session = connect(engine, requests(send))
  try {
    return await run(session)
  } finally {
    await session.close()
  }
}

/** Answers legs with results, in order. @param {...string} results */
export function script(...results) {
  return async (/** @type {Outbound} */ { leg }) => response(results[leg - 1] ?? "null", leg)
}

/** @param {string} result @param {number} [id] */
export function response(result, id = 1) {
  return `{"jsonrpc":"2.0","id":${id},"result":${result}}`
}

/** Callbacks that answer everything, and note in order what was sent and asked. */
export class Host {
  /** @type {string[]} */
  log = []

  /** @param {Send} send @param {Omit<Sending, "send">} [others] @returns {Sending} */
  callbacks(send, others = {}) {
    /** @param {string} raw */
    const answer = (raw) => (/** @type {Question} */ { key }) => {
      this.log.push(`ask ${key}`)
      return raw
    }
    return {
      send: (request, context) => {
        this.log.push(`send ${request.leg}`)
        return send(request, context)
      },
      elicit: answer('{"action":"decline"}'),
      sample: answer(someModel),
      listRoots: answer(someRoots),
      ...others,
    }
  }

  /** What was noted since the last time. */
  take() {
    return this.log.splice(0).join(", ")
  }
}

/** @param {number} ms @returns {Promise<void>} */
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Waits until a condition holds, long enough for any machine.
 *
 * @param {() => unknown} condition @param {string} what it is that is waited for
 */
export async function until(condition, what) {
  for (const end = Date.now() + 120_000; !(await condition()); await sleep(5)) if (Date.now() > end) throw new Error(`waited for: ${what}`)
}

/** A promise and what settles it. */
export function deferred() {
  /** @type {(value?: unknown) => void} */
  let resolve = () => {}
  const promise = new Promise((r) => (resolve = r))
  return { promise, resolve }
}

/**
 * The outcome as one of failed calls.
 *
 * @param {Outcome} outcome
 */
export function failed(outcome) {
  if (outcome.status !== "failed") throw new Error(`the call did not fail: ${JSON.stringify(outcome)}`)
  return outcome
}

/** The snapshot of a call that stopped. @param {Outcome} outcome @param {number} [code] it failed with; it parked if absent */
export function snapshotOf(outcome, code) {
  if (code === undefined ? outcome.status === "parked" : outcome.status === "failed" && outcome.code === code && outcome.resumable) {
    if ("snapshot" in outcome && outcome.snapshot) return outcome.snapshot
  }
  throw new Error(`got ${JSON.stringify(outcome)}, want a snapshot with ${code ?? "parked"}`)
}
