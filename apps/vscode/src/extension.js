// What both extension hosts have in common: the parts, put together.

import { ParkingStore } from "@parley-mcp/parley/core"
import { load } from "@parley-mcp/parley/inline"
import codec from "@parley-mcp/parley/parley-codec.wasm"
import * as vscode from "vscode"

import { Accounts } from "./accounts.js"
import { Calls } from "./calls.js"
import { commandsFor } from "./commands.js"
import { Desk } from "./desk.js"
import { FileEntries } from "./entries.js"
import { folderAt } from "./folder.js"
import { KeyQuestion } from "./key-question.js"
import { Left, leavingWith } from "./leaving.js"
import { Log } from "./log.js"
import { settled } from "./policy-answer.js"
import { formQuestion } from "./question-form.js"
import { rootsQuestion } from "./question-roots.js"
import { sampleQuestion } from "./question-sample.js"
import { Sheet } from "./question-sheet.js"
import { signInQuestion } from "./question-sign-in.js"
import { urlQuestion } from "./question-url.js"
import { Results } from "./results.js"
import { sessionsOf } from "./sessions.js"
import { line } from "./shown.js"
import { Returns } from "./sign-in-return.js"
import { Tokens } from "./tokens.js"
import { CallTree } from "./call-tree.js"
import { placeOf, setPassword } from "./store-choice.js"

/** @import { ExtensionContext } from "vscode" */
/** @import { Asker } from "@parley-mcp/parley" */
/** @import { Show } from "./desk.js" */
/** @import { Server } from "./servers.js" */
/** @import { Platform } from "./sessions.js" */

/** Leaves everything as it is. @type {() => Promise<void>} */
let leave = async () => {}

/** For deactivate, which VS Code waits for, if not for long. */
export function stop() {
  return leave()
}

/**
 * The commands are there at once, and wait for the rest: it may need to ask.
 *
 * @param {ExtensionContext} context @param {Platform} platform
 */
export function start(context, platform) {
  const question = new KeyQuestion(context)
  const commands = assemble(context, platform, question)
  commands.catch((error) => trouble("the extension could not start", error)) // VS Code says nothing
  /** @param {string} name @param {any[]} given */
  const run = async (name, given) => {
    if (name === "parley.setStorePassword") return setPassword(context.secrets) // without it, nothing may start
    question.remind()
    const command = (await commands)[name]
    if (!command) throw new Error(`there is no command ${name}`)
    await command(...given)
  }
  for (const { command: name } of context.extension.packageJSON.contributes.commands) {
    // Whoever leaves a sheet of a command has done nothing wrong.
    const ran = (/** @type {any[]} */ ...given) => run(name, given).catch((error) => error instanceof Left || trouble("that did not work", error))
    context.subscriptions.push(vscode.commands.registerCommand(name, ran))
  }
}

/** @param {ExtensionContext} context @param {Platform} platform @param {KeyQuestion} question */
async function assemble(context, platform, question) {
  const engine = await load()
  const place = await placeOf(context, platform, await WebAssembly.compile(codec), question)
  const results = new Results()
  const log = new Log()
  const tokens = new Tokens(context.secrets)
  const returns = new Returns(context.extension.id, platform)
  const accounts = new Accounts({
    secrets: context.secrets,
    tokens,
    locks: new ParkingStore(new FileEntries(folderAt(vscode.Uri.joinPath(context.globalStorageUri, "accounts"))), { lease: 15_000 }),
    callback: (wanted) => returns.callback(wanted),
    alone: (server) => (step, signal) => signInQuestion(step, server.label, new Sheet({ title: line(server.label, 60), signal: leavingWith(signal) }), () => tokens.ask(server)),
  })
  /** @param {Server} server @returns {Asker} */
  const roots = ({ label }) => async (question, { signal }) => {
    return (await settled(question, signal)) ?? rootsQuestion(label, new Sheet({ title: line(label, 60), signal: leavingWith(signal) }))
  }
  const sessions = sessionsOf(engine, platform, accounts, roots, log, context.extension.packageJSON.version)

  /** @type {Show} */
  const show = (open, sheet) => {
    const { kind, mode, step } = open.question
    const { server } = open.call
    if (step) return signInQuestion(step, server.label, sheet, () => tokens.ask(server))
    if (kind === "sampling/createMessage") return sampleQuestion(results, open, sheet)
    if (kind === "roots/list") return rootsQuestion(open.call.record.server, sheet, open)
    return mode === "url" ? urlQuestion(open, sheet) : formQuestion(engine, results, open, sheet)
  }
  const desk = new Desk(show)
  const calls = new Calls({ engine, sessions, desk, results, log, trouble }, place)
  const tree = new CallTree(calls)
  leave = () => calls.leave()

  context.subscriptions.push(results, log, tree, vscode.window.registerUriHandler(returns))

  await calls.refresh()
  const { waiting } = calls
  if (waiting) {
    const text = waiting === 1 ? "A call of earlier waits for you." : `${waiting} calls of earlier wait for you.`
    void vscode.window.showInformationMessage(`${text} Nothing that you answered is asked again.`, "Show").then((chosen) => chosen && tree.reveal())
  }
  return commandsFor({ engine, platform, sessions, calls, desk, accounts, tokens, log })
}

/** Tells the person that something of ours failed. @param {string} what @param {unknown} error */
function trouble(what, error) {
  const why = (error instanceof Error ? error.message : String(error)).replace(/^parley: /, "")
  void vscode.window.showErrorMessage(`Parley: ${what}: ${line(why, 400)}`)
}
