// What the person can do with calls, as commands: of the palette, of the list of
// calls, and of notifications.

import { Failure, TakenError } from "@parley-mcp/parley/core"
import * as vscode from "vscode"

import { whyNoOffer } from "../../shared-js/failure.js"
import { NotNow } from "../../shared-js/sign-in.js"
import { signInTo, signOutOf } from "./account-commands.js"
import { compose } from "./compose.js"
import { pickServer } from "./pick-server.js"
import { giveToFile, goOnFromFile } from "./handover.js"
import { app, told } from "./failure.js"
import { BACK, Left } from "./leaving.js"
import { servers } from "./settings.js"
import { Sheet } from "./question-sheet.js"
import { itemOf } from "./call-tree.js"
import { calledOf } from "./record.js"

/** @import { Engine } from "@parley-mcp/parley" */
/** @import { Accounts } from "./accounts.js" */
/** @import { Calls, Listed } from "./calls.js" */
/** @import { Begun } from "./compose.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Log } from "./log.js" */
/** @import { Sessions } from "../../shared-js/sessions.js" */
/** @import { Server } from "./servers.js" */
/** @import { Platform } from "./sessions.js" */
/** @import { Tokens } from "./tokens.js" */
/** @import { Node } from "./call-tree.js" */

/** @typedef {{engine: Engine, platform: Platform, sessions: Sessions<Server>, calls: Calls, desk: Desk, accounts: Accounts, tokens: Tokens, log: Log}} Parts */

/** @param {Listed} listed */
const notHere = ({ phase }) => phase !== "here"

/**
 * The commands by their names. They take what VS Code gives them: nothing, the
 * id of a call, or a node of the list.
 *
 * @param {Parts} parts
 * @returns {Record<string, (...given: any[]) => unknown>}
 */
export function commandsFor({ engine, platform, sessions, calls, desk, accounts, tokens, log }) {
  /** A command for one of the calls. @param {(listed: Listed) => boolean} fits @param {string} placeholder @param {(listed: Listed, ask?: number) => unknown} act */
  function choosing(fits, placeholder, act) {
    return async (/** @type {string | Node | undefined} */ given, /** @type {number | undefined} */ ask) => {
      if (typeof given === "object") return act(given.listed, given.waiting?.ask)
      if (given === undefined) await calls.refresh()
      const fitting = calls.list().filter(given === undefined ? fits : ({ id }) => id === given)
      if (!fitting.length) return void vscode.window.showInformationMessage("There is no such call: nothing waits for you.")
      const sheet = new Sheet({ title: "Parley" })
      const picked = given === undefined ? await sheet.pick({ step: 1, total: 1, prompt: "Your calls, the oldest first.", placeholder, items: fitting.map(itemOf) }) : { listed: fitting[0] }
      if (picked !== BACK && picked.listed) await act(picked.listed, ask)
    }
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
    const called = calledOf(record)
    const server = servers().servers.find(({ address, label }) => (record.address ? address === record.address : label === record.server)) // no snapshot goes to another
    if (!server) {
      void vscode.window.showErrorMessage(`${called} is a call of a server that the setting parley.servers does not have. Put it there to resume the call.`)
      return
    }
    if (record.failure?.inDoubt) {
      const detail = told(record.failure, record.server).text
      if ((await vscode.window.showWarningMessage(`Send ${called} again?`, { modal: true, detail }, "Send Again")) === undefined) return
    }
    if (phase === "elsewhere" && !calls.takesOver) {
      return void vscode.window.showInformationMessage(`Somebody else has ${called}. It can be resumed here once they let go of it, or 30 seconds after they are gone.`)
    }
    if (phase === "elsewhere") {
      const detail = "It continues here and ends there. Nothing that was answered is asked again."
      if ((await vscode.window.showWarningMessage(`Another window has ${called}. Take it over?`, { modal: true, detail }, "Take It Over")) === undefined) return
    }
    try {
      await calls.goOn(id, server, { takeOver: phase === "elsewhere", failure: record.failure })
    } catch (error) {
      if (!(error instanceof TakenError)) throw error
      await calls.refresh()
      void vscode.window.showInformationMessage(`${called}: another window has just taken it.`)
    }
  }

  /** @param {Listed} listed */
  async function discard({ id, record }) {
    const called = record ? calledOf(record) : "a call that cannot be read"
    const detail = "What you answered is deleted. The server is not told."
    if ((await vscode.window.showWarningMessage(`Discard ${called}?`, { modal: true, detail }, "Discard")) === undefined) return
    await calls.discard(id)
  }

  /** @type {Begun} */
  const begun = new Map()

  return {
    async "parley.call"() {
      try {
        const made = await compose(engine, sessions, accounts, begun)
        if (made) await calls.start(made.server, made.request)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        const { cause } = error
        if (cause instanceof Left) throw cause
        if (!(cause instanceof NotNow)) throw new Error(whyNoOffer(error, app))
      }
    },
    "parley.list": choosing(() => true, "Which call do you want to resume?", answer),
    "parley.answer": choosing(({ phase, record }) => phase === "here" && Boolean(record?.open.length), "Which call do you want to answer?", answer),
    "parley.resume": choosing(notHere, "Which call do you want to resume?", answer),
    "parley.discard": choosing(notHere, "Which call do you want to discard?", discard),
    "parley.give": choosing(({ phase }) => phase === "kept", "Which call do you want to export?", (listed) => giveToFile(platform, calls, listed)),
    "parley.stop": choosing(({ phase }) => phase === "here", "Which call do you want to stop?", ({ id }) => calls.stop(id)),
    "parley.goOnFromFile": () => goOnFromFile(engine, calls, accounts),
    "parley.signIn": () => signInTo(accounts),
    "parley.signOut": () => signOutOf(accounts, sessions),
    async "parley.setToken"() {
      const server = await pickServer("Which server is the token for?", accounts)
      if (server) await tokens.ask(server)
    },
    "parley.refresh": () => calls.refresh(),
    "parley.showLog": () => log.show(),
  }
}
