import { PARK, ParleyError } from "../../dist/index.js"
import { asked, line, Raw } from "./driver-lines.js"
import { Impossible } from "./script.js"

/** @import { Askers, Outbound, Outcome, HostSide, SendContext, Watchers } from "../../dist/index.js" */
/** @import { Connection } from "./connection.js" */
/** @import { Stage } from "./drivers.js" */

/** What stands behind call. @typedef {{method: string, params?: object, options?: object, callbacks?: string[], session?: string[], canceled?: string}} Call */

/** What stands behind resume. @typedef {{callbacks?: string[], expect?: object, resend?: boolean, again?: boolean, moreRounds?: number, from?: string, snapshot?: string}} Resume */

/** A callback that has not returned. @typedef {{settle: (value: any) => void, fail: (error: unknown) => void, ends?: string, signal?: AbortSignal, progress?: (params: string) => void}} Waiting */

/** A call of a script. */
export class Played {
  /** @type {Connection | undefined} */
  connection
  open = false
  #stage
  #prefix
  /** @type {Call} */
  #script = { method: "" }
  #stop = new AbortController()
  #park = new AbortController()
  /** By leg, key or save. @type {Map<string, Waiting>} */
  #waiting = new Map()
  /** Those of the call before it was resumed. @type {Waiting[]} */
  #left = []
  /** The snapshot of the outcome. @type {string | undefined} */
  #last
  /** @type {string | undefined} */
  #saved
  /** @type {string[]} */
  #threw = []

  /** @param {Stage} stage @param {string} prefix */
  constructor(stage, prefix) {
    this.#stage = stage
    this.#prefix = prefix
  }

  /** @param {string} verb @param {string} rest */
  async do(verb, rest) {
    switch (verb) {
      case "call":
        this.#script = JSON.parse(rest)
        return this.#start((connection, running) => connection.call(this.#script, raw(rest, "params"), running))
      case "resume": {
        /** @type {Resume} */
        const how = JSON.parse(rest)
        if (how.callbacks) this.#script.callbacks = how.callbacks
        const snapshot = how.snapshot ?? (how.from === "save" ? this.#saved : this.#last)
        if (snapshot === undefined) throw new Impossible("there is no snapshot")
        return this.#start((connection, running) => connection.resume(snapshot, how, running))
      }
      case "park":
        return this.#park.abort()
      case "cancel":
        return this.#stop.abort(this.#error(rest))
      case "saved":
        return this.#take("save").settle(undefined)
      case "unsaved":
        return this.#take("save").fail(this.#error(rest))
    }
    const [target = "", words = ""] = rest.split(/ (.*)/s)
    switch (verb) {
      case "response":
      case "answer":
        return this.#take(target).settle(words)
      case "base64":
        return this.#take(target).settle(Uint8Array.from(atob(words), (char) => char.charCodeAt(0)))
      case "trap":
        return this.#take(target).settle(`{"jsonrpc":"2.0","id":1,"result":{"text":"${"x".repeat((1 << 20) - 1000)}"}}`)
      case "lost":
      case "refuse":
      case "panic":
        return this.#take(target).fail(this.#error(words))
      case "unsent":
        return this.#take(target).fail(Object.assign(this.#error(words), { unsent: true }))
      case "parks":
        return this.#take(target).settle(PARK)
      case "minds":
        return this.#mind(target, this.#error(words))
      case "progress":
        return this.#waits(target).progress?.(words)
    }
    throw new Impossible("nothing of this name can happen")
  }

  /** Notes which contexts have ended. */
  ended() {
    for (const waiting of this.#waiting.values()) {
      if (!waiting.ends || !waiting.signal?.aborted) continue
      this.#note(waiting.ends)
      waiting.ends = undefined
    }
  }

  release() {
    for (const { fail } of [...this.#waiting.values(), ...this.#left]) fail(new Error("the script is over"))
    this.#waiting.clear()
    this.#stop.abort(new Error("the script is over"))
  }

  /** @param {(connection: Connection, running: HostSide) => Promise<Outcome>} run */
  #start(run) {
    if (this.open) throw new Impossible("the call before is not over")
    this.#left.push(...this.#waiting.values())
    this.#waiting.clear()
    void this.connection?.close()
    this.connection = new this.#stage.connection(this.#stage.engine(), this.#askers(this.#script.session ?? []), (request, context) => this.#send(request, context))
    this.#stop = new AbortController()
    this.#park = new AbortController()
    if (this.#script.canceled) this.#stop.abort(this.#error(this.#script.canceled))
    this.#script.canceled = undefined
    this.open = true
    run(this.connection, this.#running(this.#script.callbacks ?? [])).then(
      (outcome) => this.#end(this.#outcome(outcome)),
      (error) => {
        if (!(error instanceof ParleyError)) this.#stage.faults.push(error)
        this.#end(line("misuse", error instanceof ParleyError ? { code: error.code, detail: error.detail } : {}))
      },
    ).catch((error) => this.#stage.faults.push(error))
  }

  /** @param {string} text */
  #end(text) {
    this.open = false
    this.#note(text)
  }

  /** @param {Outcome} outcome */
  #outcome(outcome) {
    this.#last = "snapshot" in outcome ? outcome.snapshot : undefined
    if (outcome.status === "parked") return this.#last ? "parked" : "parked without a snapshot"
    if (outcome.status === "done") return `done {"result":${outcome.result}${outcome.noStore ? ',"noStore":true' : ""}}`
    const { code, detail, resumable, inDoubt, response, cause } = outcome
    const why = this.#threw.filter((words) => says(cause, words)).at(-1)
    const text = line("failed", { code, detail: code ? detail : undefined, resumable: resumable || undefined, inDoubt: inDoubt || undefined, response: response && new Raw(response), cause: why })
    return resumable === (this.#last !== undefined) ? text : `${text} and the snapshot is not as it says`
  }

  /** @param {string} text */
  #note(text) {
    this.#stage.note(this.#prefix + text)
  }

  /** An error of the script. @param {string} words */
  #error(words) {
    this.#threw.push(words)
    return new Error(words)
  }

  /** @param {string} name */
  #waits(name) {
    const waiting = this.#waiting.get(name)
    if (!waiting) throw new Impossible(`no callback waits for ${name}`)
    return waiting
  }

  /** @param {string} name */
  #take(name) {
    const waiting = this.#waits(name)
    this.#waiting.delete(name)
    return waiting
  }

  /** Lets a callback fail as soon as its context ends. @param {string} name @param {Error} error */
  #mind(name, error) {
    const waiting = this.#waits(name)
    waiting.signal?.addEventListener("abort", () => {
      if (this.#waiting.get(name) === waiting) this.#take(name).fail(error)
    })
  }

  /** Notes a line and waits until the script lets the callback return. @param {string} name @param {string} text @param {Partial<Waiting>} [more] @returns {Promise<any>} */
  #wait(name, text, more) {
    this.#note(text)
    if (this.#stage.over) return Promise.reject(new Error("the script is over"))
    return new Promise((settle, fail) => this.#waiting.set(name, { settle, fail, ...more }))
  }

  /** The transport. @param {Outbound} request @param {SendContext} context */
  #send({ leg, method, params, capabilities }, { signal, progress }) {
    const text = (/** @type {string} */ name) => line(name, { leg: leg || undefined, method, params: new Raw(params), capabilities: new Raw(capabilities) })
    if (leg) return this.#wait(`${leg}`, text("send"), { ends: `aborted ${leg}`, signal, progress })
    this.#note(text("tell"))
    return Promise.reject(new Error("nobody waits for it"))
  }

  /** What runs with a call, as a script names it. @param {string[]} names @returns {HostSide} */
  #running(names) {
    /** @type {HostSide} */
    const running = { signal: this.#stop.signal }
    /** @type {Watchers} */
    const watchers = {}
    for (const name of names) {
      if (name === "noAskers" || isAsker(name)) running.askers ??= this.#askers(names)
      else if (name === "park") running.park = this.#park.signal
      else if (name === "save") running.save = (snapshot) => ((this.#saved = snapshot), this.#wait("save", "save"))
      else if (name !== "watchersPanic") Object.assign(watchers, this.#watcher(name, names.includes("watchersPanic")))
    }
    return { ...running, watchers }
  }

  /** @param {string[]} names @returns {Askers} */
  #askers(names) {
    /** @type {Askers} */
    const askers = {}
    for (const name of names.filter(isAsker)) {
      if (name === "sampleTools" || name === "tasks" || name === "anyForm" || name === "fill") askers[name] = true
      else askers[name === "elicitUrl" ? "elicitURL" : name] = (question, { signal }) => this.#wait(question.key, line(name, asked(question)), { ends: `withdrawn ${question.key}`, signal })
    }
    return askers
  }

  /** @param {string} name @param {boolean} panics @returns {Watchers} */
  #watcher(name, panics) {
    const watch = (/** @type {string} */ text, /** @type {Record<string, unknown>} */ object) => {
      this.#note(line(text, object))
      if (panics) throw new Error("a watcher that throws")
    }
    switch (name) {
      case "onTask":
        return { onTask: (status, message) => watch("task", { status, message }) }
      case "onProgress":
        return { onProgress: (leg, params) => watch("progress", { leg, params: new Raw(params) }) }
      case "onNote":
        return { onNote: ({ kind, leg, ask, action }) => watch("note", { kind, leg: leg || undefined, ask, action }) }
      case "onLeg":
        return { onLeg: ({ leg, method, size, answer, state, asks }) => watch("leg", { leg, method, size: size || undefined, answer: answer || undefined, state: state || undefined, asks: asks || undefined }) }
      case "onPause":
        return { onPause: ({ waits }) => watch("pause", { waits: waits || undefined }) }
    }
    throw new Error(`nobody knows ${name}`)
  }
}

/** Who answers. @param {string} name @returns {name is "elicit" | "elicitUrl" | "sample" | "sampleTools" | "listRoots" | "tasks" | "anyForm" | "fill"} */
function isAsker(name) {
  return ["elicit", "elicitUrl", "sample", "sampleTools", "listRoots", "tasks", "anyForm", "fill"].includes(name)
}

/** A member's JSON text: the driver passes on what it gets. @param {string} object without spaces @param {string} name */
function raw(object, name) {
  return JSON.stringify(JSON.parse(object)[name] ?? {})
}

/** Whether an error, or what caused it, is of these words. @param {unknown} error @param {string} words */
function says(error, words) {
  for (let e = error; e instanceof Error; e = e.cause) if (e.message.includes(words)) return true
  return false
}
