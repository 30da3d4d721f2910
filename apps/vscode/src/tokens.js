// Access tokens for servers, which the person gives once. They are kept where
// the system keeps secrets, and go to the server they were given for.

import * as vscode from "vscode"

/** @import { SecretStorage } from "vscode" */
/** @import { Server } from "./servers.js" */

export class Tokens {
  #secrets

  /** @param {SecretStorage} secrets */
  constructor(secrets) {
    this.#secrets = secrets
  }

  /** The header fields that let a request in. @param {string} url @returns {Promise<Record<string, string>>} */
  async headers(url) {
    const token = await this.#secrets.get(keyOf(url))
    return token ? { Authorization: `Bearer ${token}` } : {}
  }

  /** Asks the person for a token; an empty one forgets the last. @param {Server} server */
  async ask({ label, url }) {
    if (url === undefined) {
      void vscode.window.showInformationMessage(`${label} is a program: give it what it needs in its env, in the settings.`)
      return
    }
    const token = await vscode.window.showInputBox({
      title: `Access token for ${label}`,
      prompt: `It is sent to ${new URL(url).origin} as a bearer token. Leave it empty to forget the one there is.`,
      password: true,
      ignoreFocusOut: true,
      validateInput: (typed) => (/^[\x21-\x7e]*$/.test(typed.trim()) ? undefined : "A token has no blanks and no letters beyond ASCII."),
    })
    if (token === undefined) return
    if (token.trim()) await this.#secrets.store(keyOf(url), token.trim())
    else await this.#secrets.delete(keyOf(url))
  }
}

/** @param {string} url */
function keyOf(url) {
  return `parley.token ${url}`
}
