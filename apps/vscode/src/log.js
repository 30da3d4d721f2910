// What happened, for the output channel: when, with which server, in which call
// and round. Never what was asked or answered, and no state.

import * as vscode from "vscode"

import { line } from "./shown.js"

/** @import { Note } from "@parley-mcp/parley" */
/** @import { Server } from "./servers.js" */

export class Log {
  #channel = vscode.window.createOutputChannel("Parley", { log: true })

  /** @param {Server} server @param {string} text */
  info({ label }, text) {
    this.#channel.info(`${line(label)}: ${text}`)
  }

  /** @param {Server} server @param {string} text in the engine's words, with names of the server's */
  warn({ label }, text) {
    this.#channel.warn(`${line(label)}: ${line(text, 400)}`)
  }

  /** An audit record of a call. @param {Server} server @param {Note} note */
  note({ label }, { kind, flow = "", leg, round, ask, action, fingerprint, code }) {
    const facts = { leg, round, ask, action, fingerprint, code }
    const told = Object.entries(facts).flatMap(([name, value]) => (value === undefined || value === "" ? [] : `${name} ${value}`))
    this.#channel.info([`${line(label)}: call ${flow.slice(0, 6)}: ${kind}`, ...told].join(", "))
  }

  show() {
    this.#channel.show(true)
  }

  dispose() {
    this.#channel.dispose()
  }
}
