// Calls that go from host to host as files: what is in one is the engine's
// snapshot, which any host of Parley's can go on with. It holds a secret.

import * as vscode from "vscode"

import { member, string } from "../../shared-js/raw-json.js"
import { servers } from "./settings.js"
import { inert, line } from "./shown.js"

/** @import { Engine } from "@parley-mcp/parley" */
/** @import { Accounts } from "./accounts.js" */
/** @import { Calls, Listed } from "./calls.js" */
/** @import { Platform } from "./sessions.js" */

/** What such files are called, for dialogs. */
const filters = { "Calls of Parley": ["parley"] }

/** The longest file that is read, in bytes: what the engine takes. */
const most = 8 << 20

/** Gives a call that is kept to a file; this window forgets it when the file is written. @param {Platform} platform @param {Calls} calls @param {Listed} listed */
export async function giveToFile({ writePrivately }, calls, { id, record }) {
  if (!record) return void vscode.window.showErrorMessage("This call cannot be read, so no file can be made of it.")
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri
  const name = `${record.title.replace(/[^\w.-]+/g, "-").slice(0, 100)}.parley`
  const defaultUri = folder && vscode.Uri.joinPath(folder, name)
  const file = await vscode.window.showSaveDialog({ defaultUri, filters, saveLabel: "Export", title: "Export a call to a file" })
  if (!file) return
  let isPrivate = false
  await calls.give(id, async (snapshot) => {
    const data = new TextEncoder().encode(snapshot)
    if (writePrivately && file.scheme === "file") isPrivate = await writePrivately(file.fsPath, data)
    else await vscode.workspace.fs.writeFile(file, data)
  })
  const secret = isPrivate ? "The file holds a secret" : "The file holds a secret, and others on the computer may be able to read it"
  void vscode.window.showInformationMessage(`${inert(line(record.title, 80))} is in the file now, and no longer in VS Code. ${secret}: delete it when the call was resumed.`)
}

/** Goes on with a call from a file. @param {Engine} engine @param {Calls} calls @param {Accounts} accounts */
export async function goOnFromFile(engine, calls, accounts) {
  const [file] = (await vscode.window.showOpenDialog({ filters, openLabel: "Import", title: "Import a call from a file" })) ?? []
  if (!file) return
  if ((await vscode.workspace.fs.stat(file)).size > most) throw new Error("the file is too long to be a call")
  const snapshot = new TextDecoder().decode(await vscode.workspace.fs.readFile(file))
  const { server, principal, method, params } = await whose(engine, accounts, snapshot)
  const title = string(member(params, "name") ?? member(params, "uri")) ?? method
  await calls.start(server, { method, params, title, principal }, snapshot)
}

/** Which server of the settings a call is of, with which account, and what it is. @param {Engine} engine @param {Accounts} accounts @param {string} snapshot */
async function whose(engine, accounts, snapshot) {
  const { method, params, peer, principal } = engine.snapshotInfo(snapshot)
  const there = servers().servers.filter(({ address }) => address === peer)
  for (const server of there) {
    if (!principal || principal === (await accounts.account(server))?.label) return { server, principal, method, params }
  }
  throw new Error(there.length ? "the call is of another account than the one that is signed in at its server" : "the call's server is not in the setting parley.servers")
}
