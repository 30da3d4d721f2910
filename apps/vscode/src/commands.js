// What the person can do with calls, as commands: of the palette, of the list of
// calls, and of notifications.

import { StatusError, TakenError } from "@parley-mcp/parley/core"
import * as vscode from "vscode"

import { compose, pickServer } from "./compose.js"
import { giveToFile, goOnFromFile } from "./handover.js"
import { Left } from "./leaving.js"
import { servers } from "./settings.js"
import { escape, Sheet } from "./question-sheet.js"
import { inert, line } from "./shown.js"
import { itemOf } from "./call-tree.js"

/** @import { Engine } from "@parley-mcp/parley" */
/** @import { Calls, Listed } from "./calls.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Log } from "./log.js" */
/** @import { Platform, Sessions } from "./sessions.js" */
/** @import { Tokens } from "./tokens.js" */
/** @import { Node } from "./call-tree.js" */

/** @typedef {{engine: Engine, platform: Platform, sessions: Sessions, calls: Calls, desk: Desk, tokens: Tokens, log: Log}} Parts */

/**
 * The commands by their names. They take what VS Code gives them: nothing, the
 * id of a call, or a node of the list.
 *
 * @param {Parts} parts
 * @returns {Record<string, (...given: any[]) => Promise<void>>}
 */
export function commandsFor({ engine, platform, sessions, calls, desk, tokens, log }) {
  /** One of the calls, by what a command was given or by asking. @param {unknown} given @param {(listed: Listed) => boolean} fits @param {string} placeholder */
  async function pickCall(given, fits, placeholder) {
    const id = typeof given === "string" ? given : /** @type {Node | undefined} */ (given)?.listed?.id
    if (id !== undefined) return calls.list().find((listed) => listed.id === id)
    await calls.refresh()
    const items = calls.list().filter(fits).map(itemOf)
    if (!items.length) return void vscode.window.showInformationMessage("There is no such call: nothing waits for you.")
    const picked = await new Sheet({ title: "Parley" }).pick({ step: 1, total: 1, prompt: "Your calls, the oldest first.", placeholder, items })
    return typeof picked === "symbol" ? undefined : picked.listed
  }

  /** Opens a question of a call that runs here, or goes on with one that is kept. @param {Listed} listed @param {number} [ask] */
  async function answer({ id }, ask) {
    await calls.refresh() // the window that had it may be gone by now
    const { phase, record } = calls.list().find((listed) => listed.id === id) ?? {}
    if (phase === undefined) return
    if (phase === "here") {
      if (!desk.open(id, ask)) void vscode.window.showInformationMessage("The server is at it: it asks nothing at the moment.")
      return
    }
    if (!record) return discard({ id, phase })
    const called = inert(`${line(record.label, 60)}: ${line(record.title, 80)}`)
    const server = servers().servers.find(({ address }) => address === record.address)
    if (!server) {
      void vscode.window.showErrorMessage(`${called} is a call of a server that the setting parley.servers does not have any more. Put it back to go on.`)
      return
    }
    let resend = false
    if (record.trouble?.doubt) {
      const detail = `${record.trouble.text}\n\nWhatever it does may be done twice.`
      if ((await vscode.window.showWarningMessage(`Send ${called} again?`, { modal: true, detail }, "Send It Again")) === undefined) return
      resend = true
    }
    let takeOver = false
    if (phase === "elsewhere") {
      const detail = "It goes on here, and ends there. Nothing that was answered is asked again."
      if ((await vscode.window.showWarningMessage(`Another window has ${called}. Take it over?`, { modal: true, detail }, "Take It Over")) === undefined) return
      takeOver = true
    }
    try {
      await calls.goOn(id, server, { resend, takeOver })
    } catch (error) {
      if (!(error instanceof TakenError)) throw error
      await calls.refresh()
      void vscode.window.showInformationMessage(`${called}: another window has just taken it.`)
    }
  }

  /** @param {Listed} listed */
  async function discard({ id, record }) {
    const called = record ? inert(`${line(record.label, 60)}: ${line(record.title, 80)}`) : "a call that cannot be read"
    const detail = "What was answered is forgotten. The server is not told."
    if ((await vscode.window.showWarningMessage(`Discard ${called}?`, { modal: true, detail }, "Discard")) === undefined) return
    await calls.discard(id)
  }

  /** @type {Record<string, (...given: any[]) => unknown>} */
  const commands = {
    async "parley.call"() {
      try {
        const made = await compose(engine, sessions)
        if (made) await calls.start(made.server, made.request)
      } catch (error) {
        if (!(error instanceof StatusError) || error.status !== 401) throw error
        const text = "The server lets nobody in without an access token, and the one there is, if any, is not valid."
        if (await vscode.window.showErrorMessage(text, "Set the Token…")) await vscode.commands.executeCommand("parley.setToken")
      }
    },
    async "parley.list"() {
      const listed = await pickCall(undefined, () => true, "Which one is to go on?")
      if (listed) await answer(listed)
    },
    async "parley.answer"(given, ask) {
      const listed = await pickCall(given, ({ phase, record }) => phase === "here" && Boolean(record?.open.length), "Which one is to be answered?")
      if (listed) await answer(listed, ask ?? given?.waiting?.ask)
    },
    async "parley.resume"(given) {
      const listed = await pickCall(given, ({ phase }) => phase !== "here", "Which one is to go on?")
      if (listed) await answer(listed)
    },
    async "parley.discard"(given) {
      const listed = await pickCall(given, ({ phase }) => phase !== "here", "Which one is to be forgotten?")
      if (listed) await discard(listed)
    },
    async "parley.give"(given) {
      const listed = await pickCall(given, ({ phase }) => phase === "kept", "Which one is to be given to a file?")
      if (listed) await giveToFile(platform, calls, listed)
    },
    "parley.goOnFromFile": () => goOnFromFile(engine, calls),
    async "parley.stop"(given) {
      const listed = await pickCall(given, ({ phase }) => phase === "here", "Which one is to be stopped?")
      if (listed) calls.stop(listed.id)
    },
    async "parley.setToken"() {
      const server = await pickServer("Which server is the token for?")
      if (server) await tokens.ask(server)
    },
    "parley.refresh": () => calls.refresh(),
    "parley.showLog": () => log.show(),
    "parley.escape": escape,
  }
  // Whoever leaves a sheet of a command has done nothing wrong.
  return Object.fromEntries(
    Object.entries(commands).map(([name, run]) => [
      name,
      async (...given) => {
        try {
          await run(...given)
        } catch (error) {
          if (!(error instanceof Left)) throw error
        }
      },
    ]),
  )
}
