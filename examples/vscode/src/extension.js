// What both extension hosts have in common: the parts, put together.

import { ParkingStore } from "@parley-mcp/parley/core"
import { load } from "@parley-mcp/parley/inline"
import codec from "@parley-mcp/parley/parley-codec.wasm"
import * as vscode from "vscode"

import { Calls } from "./calls.js"
import { commandsFor } from "./commands.js"
import { Desk } from "./desk.js"
import { FileEntries } from "./entries.js"
import { folderAt, homeOf } from "./folder.js"
import { KeyError, keyInUse } from "./key.js"
import { Log } from "./log.js"
import { formQuestion } from "./question-form.js"
import { rootsQuestion } from "./question-roots.js"
import { sampleQuestion } from "./question-sample.js"
import { urlQuestion } from "./question-url.js"
import { Results } from "./results.js"
import { Sessions } from "./sessions.js"
import { line } from "./shown.js"
import { Tokens } from "./tokens.js"
import { CallTree } from "./tree.js"
import { Vault } from "./vault.js"

/** @import { ExtensionContext } from "vscode" */
/** @import { Show } from "./desk.js" */
/** @import { Platform } from "./sessions.js" */

/** Leaves everything as it is. @type {() => Promise<void>} */
let leave = async () => {}

/** For deactivate, which VS Code waits for, if not for long. */
export function stop() {
  return leave()
}

/** @param {ExtensionContext} context @param {Platform} platform */
export async function start(context, platform) {
  try {
    await assemble(context, platform)
  } catch (error) {
    if (!(error instanceof KeyError)) trouble("the extension could not start", error) // VS Code says nothing
    throw error
  }
}

/** @param {ExtensionContext} context @param {Platform} platform */
async function assemble(context, platform) {
  const engine = await load()
  const vault = new Vault(await WebAssembly.compile(codec), await keyOf(context))
  const results = new Results()
  const log = new Log()
  const tokens = new Tokens(context.secrets)
  const sessions = new Sessions(engine, platform, tokens, log, context.extension.packageJSON.version)

  /** @type {Show} */
  const show = (open, sheet) => {
    const { kind, mode } = open.question
    if (kind === "sampling/createMessage") return sampleQuestion(results, open, sheet)
    if (kind === "roots/list") return rootsQuestion(open, sheet)
    return mode === "url" ? urlQuestion(open, sheet) : formQuestion(engine, results, open, sheet)
  }
  const desk = new Desk(show)
  const home = folderAt(await homeOf(context.globalStorageUri))
  const calls = new Calls({ engine, sessions, desk, results, log, trouble }, vault, new FileEntries(home))
  const tree = new CallTree(calls)
  leave = async () => {
    await calls.leave()
    vault.close()
  }

  const commands = commandsFor({ engine, sessions, calls, desk, tokens, log })
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, (...given) => run(...given).catch((error) => trouble("that did not work", error))))
  }
  context.subscriptions.push(results, log, tree)

  await calls.refresh()
  const { waiting } = calls
  if (waiting) {
    const text = waiting === 1 ? "A call of earlier waits for you." : `${waiting} calls of earlier wait for you.`
    void vscode.window.showInformationMessage(`${text} Nothing that you answered is asked again.`, "Show").then((chosen) => chosen && tree.reveal())
  }
}

/** The key for what is kept. Where it cannot be had the person decides. @param {ExtensionContext} context */
async function keyOf({ secrets, globalStorageUri }) {
  const marks = new ParkingStore(new FileEntries(folderAt(vscode.Uri.joinPath(globalStorageUri, "key"))), { lease: 15_000 })
  try {
    return await keyInUse(secrets, marks)
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    const text = "Parley’s parked calls are sealed with a key that this window cannot see. If another window has just made it, reload this one."
    const chosen = await vscode.window.showWarningMessage(text, "Reload Window", "Make a New Key")
    if (chosen === "Make a New Key") return keyInUse(secrets, marks, { replace: true })
    if (chosen === "Reload Window") await vscode.commands.executeCommand("workbench.action.reloadWindow")
    throw error
  }
}

/** Tells the person that something of ours failed. @param {string} what @param {unknown} error */
function trouble(what, error) {
  const why = (error instanceof Error ? error.message : String(error)).replace(/^parley: /, "")
  void vscode.window.showErrorMessage(`Parley: ${what}: ${line(why, 400)}`)
}
