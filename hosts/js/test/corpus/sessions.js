import { noted } from "./frames.js"
import { answered, valued } from "./hosts.js"

/** @import { Engine } from "../../dist/index.js" */
/** @import { Exports } from "./exports.js" */

/**
 * What makes sessions of what stands in scripts, as enginetest.SessionHost. It answers a session, or {"error":…} as text.
 *
 * @typedef {(request: string) => HostSession | string} SessionHost
 */

/**
 * @typedef {object} HostSession
 * @property {(request: string) => string} call
 * @property {(request: string) => string} restore
 * @property {(now: number, event: string) => string} step
 * @property {(call: number) => string} snapshot
 * @property {(call: number) => void} drop
 * @property {() => void} free
 */

/**
 * The module's exports, with nothing between.
 *
 * @param {Exports} instance
 * @returns {SessionHost}
 */
export function bareSessions(instance) {
  return (request) => {
    const answer = instance.give("parley_session_new", request)
    const handle = /^\{"session":(\d+)\}$/.exec(answer)?.[1]
    if (handle === undefined) return answer
    const id = Number(handle)
    return {
      call: (request) => instance.give("parley_session_call", request, id),
      restore: (request) => instance.give("parley_session_restore", request, id),
      step: (now, event) => instance.give("parley_session_step", event, id, now),
      snapshot: (call) => instance.ask("parley_session_snapshot", id, call),
      drop: (call) => instance.free("parley_session_drop", id, call),
      free: () => instance.free("parley_session_free", id),
    }
  }
}

/**
 * The package's own engine.
 *
 * @param {Engine} engine
 * @returns {SessionHost}
 */
export function engineSessions(engine) {
  return (request) =>
    answered(() => {
      const session = engine.newSession(valued(request))
      /** @param {() => object} call */
      const text = (call) => answered(() => noted(call()))
      return {
        call: (request) => {
          const { method, params, options } = valued(request)
          return text(() => ({ call: session.call(method, params, options) }))
        },
        restore: (request) => {
          const { snapshot, ...expect } = valued(request)
          return text(() => ({ call: session.restore(snapshot, expect) }))
        },
        step: (now, event) => text(() => ({ actions: session.step(now, valued(event)) })),
        snapshot: (call) => text(() => ({ snapshot: session.snapshot(call) })),
        drop: (call) => session.drop(call),
        free: () => session.free(),
      }
    })
}

/** Makes the calls of a script of sessions; enginetest.RunSessions describes them. */
export class SessionReplay {
  #host
  /** @type {HostSession | undefined} */
  #session

  /** @param {SessionHost} host */
  constructor(host) {
    this.#host = host
  }

  /** @param {string} text */
  call(text) {
    const [verb = "", arg = ""] = text.split(/ (.*)/s)
    if (verb === "session") {
      const session = this.#host(arg)
      if (typeof session === "string") return session
      this.free()
      this.#session = session
      return "ok"
    }
    if (!this.#session) throw new Error(`${verb} without a session`)
    switch (verb) {
      case "call":
        return this.#session.call(arg)
      case "restore":
        return this.#session.restore(arg)
      case "snapshot":
        return this.#session.snapshot(Number(arg))
      case "drop":
        this.#session.drop(Number(arg))
        return "ok"
    }
    if (!/^\d+$/.test(verb)) throw new Error(`unknown call ${verb}`)
    return this.#session.step(Number(verb), arg)
  }

  free() {
    this.#session?.free()
    this.#session = undefined
  }
}
