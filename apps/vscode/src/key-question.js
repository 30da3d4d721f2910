// Where the key in use cannot be seen in this window, the person decides.

import { ParkingStore } from "@parley-mcp/parley/core"
import * as vscode from "vscode"

import { FileEntries } from "./entries.js"
import { folderAt } from "./folder.js"
import { KeyError, keyInUse } from "./key.js"

/** @import { ExtensionContext } from "vscode" */

const text =
  "Parley’s parked calls are sealed with a key that this window cannot see. If another window has just made it, reload this one. With a new key they can only be discarded."
const choices = /** @type {const} */ (["Reload Window", "Make a New Key"])

/** The key for what is kept, and what stands between it and the person. */
export class KeyQuestion {
  #secrets
  #marks
  /** While it is open. @type {((choice: typeof choices[number]) => void) | undefined} */
  #decide

  /** @param {ExtensionContext} context */
  constructor({ secrets, globalStorageUri }) {
    this.#secrets = secrets
    this.#marks = new ParkingStore(new FileEntries(folderAt(vscode.Uri.joinPath(globalStorageUri, "key"))), { lease: 15_000 })
  }

  /** The key in use, as a key file: it takes as long as the person needs. */
  async key() {
    try {
      return await keyInUse(this.#secrets, this.#marks)
    } catch (error) {
      if (!(error instanceof KeyError)) throw error
    }
    const choice = await new Promise((resolve) => {
      this.#decide = resolve
      this.remind()
    })
    this.#decide = undefined
    if (choice === "Make a New Key") return keyInUse(this.#secrets, this.#marks, { replace: true })
    await vscode.commands.executeCommand("workbench.action.reloadWindow")
    return new Promise(() => {}) // the window goes
  }

  /** Asks again, if it is open: whoever closed it wants something that needs the key. */
  remind() {
    if (this.#decide) void vscode.window.showWarningMessage(text, ...choices).then((choice) => choice && this.#decide?.(choice))
  }
}
