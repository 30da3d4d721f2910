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

  /** The value of the Authorization header, if there is a token. @param {string} url */
  async authorization(url) {
    const token = await this.#secrets.get(keyOf(url))
    return token ? `Bearer ${token}` : undefined
  }

  /** @param {string} url */
  async forget(url) {
    await this.#secrets.delete(keyOf(url))
  }

  /** Asks the person for a token; an empty one forgets the last. True if there is one now. @param {Server} server */
  async ask({ label, url }) {
    if (url === undefined) {
      void vscode.window.showInformationMessage(`${label} is a program: give it what it needs in its env, in the settings.`)
      return false
    }
    const typed = await vscode.window.showInputBox({
      title: `Access token for ${label}`,
      prompt: `It is sent to ${new URL(url).origin} as a bearer token. Leave it empty to forget the one there is.`,
      password: true,
      ignoreFocusOut: true,
      validateInput: (typed) => (/^[\x21-\x7e]*$/.test(typed.trim()) ? undefined : "A token has no blanks and no letters beyond ASCII."),
    })
    const token = typed?.trim()
    if (token) await this.#secrets.store(keyOf(url), token)
    else if (token !== undefined) await this.forget(url)
    return Boolean(token)
  }
}

/** @param {string} url */
function keyOf(url) {
  return `parley.token ${url}`
}
