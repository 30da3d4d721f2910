// Where the browser comes back to when somebody has signed in.

import { SignInError } from "@parley-mcp/parley/oauth"
import * as vscode from "vscode"

/** @import { Uri, UriHandler } from "vscode" */
/** @import { Callback, CallbackWanted } from "@parley-mcp/parley/oauth" */
/** @import { Platform } from "./sessions.js" */

/**
 * The way back to this window. A window in a browser has an address of its own
 * for it, of http or https. A window on a desktop has one with a scheme of the
 * editor's, which authorization servers need not take: there it is a port of
 * this machine, or of the one that the window works on, which VS Code forwards.
 *
 * Source: MCP 2026-07-28, basic/authorization, Communication Security: a
 * redirect URI is "localhost" or https.
 *
 * @implements {UriHandler}
 */
export class Returns {
  #own
  #loopback
  /** The sign-ins that wait, by their state. @type {Map<string, (url: string) => void>} */
  #waiting = new Map()

  /** @param {string} id of the extension @param {Platform} platform */
  constructor(id, { loopback }) {
    this.#own = vscode.Uri.from({ scheme: vscode.env.uriScheme, authority: id, path: "/signed-in" })
    this.#loopback = loopback
  }

  /** Any page can call this, so what nobody waits for changes nothing. @param {Uri} uri */
  handleUri({ query }) {
    const state = new URLSearchParams(query).get("state") ?? ""
    this.#waiting.get(state)?.(`?${query}`)
    this.#waiting.delete(state) // it is good for once
  }

  /** A way back for one sign-in. @param {CallbackWanted} wanted @returns {Promise<Callback>} */
  async callback(wanted) {
    const uri = await vscode.env.asExternalUri(this.#own)
    if (/^https?$/.test(uri.scheme)) {
      /** @type {Promise<string>} */
      const response = new Promise((resolve) => this.#waiting.set(wanted.state, resolve))
      return { redirectUri: uri.toString(true), response, close: () => void this.#waiting.delete(wanted.state) }
    }
    if (!this.#loopback) throw new SignInError("callback", "there is no address at which a browser could bring the answer of a sign-in to this window: open the folder in a window whose extensions run in Node")
    const here = await this.#loopback(wanted)
    const outside = await vscode.env.asExternalUri(vscode.Uri.parse(here.redirectUri))
    return { ...here, redirectUri: outside.toString(true) }
  }
}
