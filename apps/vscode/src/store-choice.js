// Where this window keeps calls: as the setting parley.store says or, where that
// is empty, the environment; otherwise in the extension's own storage.

import * as vscode from "vscode"

import { FileEntries } from "./entries.js"
import { folderAt, homeOf } from "./folder.js"
import { folderPlace } from "./place.js"
import { storeSettings } from "./settings.js"
import { secretFor, withoutPassword } from "./store-url.js"
import { Vault } from "./vault.js"

/** @import { ExtensionContext, SecretStorage } from "vscode" */
/** @import { KeyQuestion } from "./key-question.js" */
/** @import { Place } from "./place.js" */
/** @import { Platform } from "./sessions.js" */

/**
 * @param {ExtensionContext} context @param {Platform} platform @param {WebAssembly.Module} codec parley-codec.wasm
 * @param {KeyQuestion} question
 * @returns {Promise<Place>}
 */
export async function placeOf({ globalStorageUri, secrets }, { sharedPlace, environment = {} }, codec, question) {
  const set = storeSettings()
  const url = withoutPassword(set.url) || environment.PARLEY_STORE
  if (!url) {
    const vault = new Vault(codec, await question.key())
    const entries = new FileEntries(folderAt(await homeOf(globalStorageUri)))
    return folderPlace(entries, vault.box, (id, sealed) => vault.openEarlier(id, sealed), () => vault.close())
  }
  if (!sharedPlace) throw new Error("where VS Code runs in a browser it reaches no store but its own: empty the setting parley.store")
  try {
    return await sharedPlace({
      url,
      password: await secrets.get(secretFor(url)),
      keyFile: set.keyFile || environment.PARLEY_SNAPSHOT_KEY_FILE,
      codec,
      folder: (dir) => folderAt(vscode.Uri.file(dir)),
    })
  } catch (error) {
    throw new Error(`the store that parley.store or PARLEY_STORE names cannot be used: ${error instanceof Error ? error.message.replace(/^parley: /, "") : error}`)
  }
}

/** Asks for the password of the store; an empty one forgets the last. @param {SecretStorage} secrets */
export async function setPassword(secrets) {
  const { url } = storeSettings()
  if (!withoutPassword(url)) return void vscode.window.showInformationMessage("Parley: name the store in the setting parley.store first.")
  const typed = await vscode.window.showInputBox({
    title: "Password of the store",
    prompt: "It goes to the server in parley.store, and is kept among VS Code’s secrets. Leave it empty to forget the one there is.",
    password: true,
    ignoreFocusOut: true,
  })
  if (typed === undefined) return
  if (typed) await secrets.store(secretFor(url), typed)
  else await secrets.delete(secretFor(url))
  const again = "Reload Window"
  if ((await vscode.window.showInformationMessage("Parley: the password is used once the window is reloaded.", again)) === again) {
    await vscode.commands.executeCommand("workbench.action.reloadWindow")
  }
}
