import { Unsaid } from "./hosts.js"
import { collapse, expand, readScript } from "./script.js"

/** @import { Host, HostFlow } from "./hosts.js" */

/**
 * How to replay: as it stands, or with a snapshot taken and restored between
 * every two events.
 *
 * @typedef {"plain" | "parked"} Mode
 */

/** Makes the calls of one script. @typedef {{call: (text: string) => string, free: () => void}} Player */

/** Replays one script of flows. @param {string} text @param {Host} host @param {Mode} mode */
export function replay(text, host, mode) {
  play(text, new Replay(host, mode))
}

/** Replays one script. @param {string} text @param {Player} player */
export function play(text, player) {
  try {
    for (const [i, block] of readScript(text).blocks.entries()) {
      const want = expand(block.answer)
      const got = said(() => player.call(expand(block.call)), want)
      if (got !== want) throw new Error(`block ${i}, ${collapse(block.call)}\n got ${collapse(got)}\nwant ${collapse(want)}`)
    }
  } finally {
    player.free()
  }
}

/** What a call answers. One that cannot be said in values is an error that changes nothing. @param {() => string} call @param {string} want */
function said(call, want) {
  try {
    return call()
  } catch (error) {
    if (!(error instanceof Unsaid) || !want.startsWith('{"error":')) throw error
    return want
  }
}

export class Replay {
  /** @type {HostFlow | undefined} */
  flow
  #host
  #mode
  /** The last event was a part of one. */
  #sliced = false
  /** A snapshot is to be kept, and nothing has said that it is. */
  #saving = false
  /** To restore with. @type {{peer?: string, principal?: string, can?: object}} */
  #labels = {}

  /** @param {Host} host @param {Mode} mode */
  constructor(host, mode) {
    this.#host = host
    this.#mode = mode
  }

  /** Makes one call of a script and returns its answer. @param {string} text @returns {string} */
  call(text) {
    const [verb = "", arg = ""] = text.split(/ (.*)/s)
    switch (verb) {
      case "new":
        this.#labels = labels(arg, "options")
        return this.#take(this.#host.newFlow(arg))
      case "load":
        this.#labels = labels(arg)
        return this.#take(this.#host.restoreFlow(arg))
    }
    if (!this.flow) throw new Error(`${verb} without a flow`)
    if (verb === "snapshot") return this.flow.snapshot()
    if (verb === "restore") return this.#restore(arg ? JSON.parse(arg) : {})
    if (!/^-?\d+$/.test(verb)) throw new Error(`unknown call ${verb}`)
    // begin goes on with a restored flow, so it must find the flow it had. What
    // came of a response is not in a snapshot, nor what waits for a save.
    const sliced = this.#sliced
    this.#sliced = arg.includes('"type":"part"')
    if (this.#mode === "parked" && !sliced && !this.#saving && !arg.includes('"type":"begin"')) {
      const got = this.#restore(this.#labels)
      if (got !== "ok") throw new Error(`restoring before it: ${got}`)
    }
    const answer = this.flow.step(Number(verb), arg)
    if (answer.includes('{"type":"save"}')) this.#saving = true
    else if (!answer.includes('{"error"') && /{"type":"(saved"}|begin")|{"type":"(done|parked|failed)"/.test(arg + answer)) this.#saving = false
    return answer
  }

  free() {
    this.flow?.free()
  }

  /**
   * Goes on with a flow restored from the one at hand. If that fails, the one
   * at hand stays.
   *
   * @param {object} expect
   */
  #restore(expect) {
    const { snapshot, error } = JSON.parse(/** @type {HostFlow} */ (this.flow).snapshot())
    return error ? JSON.stringify({ error }) : this.#take(this.#host.restoreFlow(JSON.stringify({ ...expect, snapshot })))
  }

  /** @param {HostFlow | string} flow */
  #take(flow) {
    if (typeof flow === "string") return flow
    this.flow?.free()
    this.flow = flow
    return "ok"
  }
}

/** The labels a flow is made with; what is not JSON is the engine's to refuse. @param {string} request @param {string} [under] */
function labels(request, under) {
  try {
    const { peer, principal, can } = under ? JSON.parse(request)[under] : JSON.parse(request)
    return { peer, principal, ...(can?.anyForm && { can }) } // which no snapshot tells
  } catch {
    return {}
  }
}
