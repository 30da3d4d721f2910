// Which server, of the person's settings.

import * as vscode from "vscode"

import { BACK } from "./leaving.js"
import { Sheet } from "./question-sheet.js"
import { servers } from "./settings.js"
import { line } from "./shown.js"

/** @import { Accounts } from "./accounts.js" */
/** @import { Server } from "./servers.js" */

/** One of the person's servers: the only one goes without asking. @param {string} placeholder @param {Accounts} accounts @returns {Promise<Server | undefined>} */
export async function pickServer(placeholder, accounts) {
  const { servers: list, problems } = servers()
  if (problems.length) void vscode.window.showWarningMessage(line(problems.join(" "), 600))
  if (list.length < 2) {
    if (!list.length) await offerSettings()
    return list[0]
  }
  const items = await Promise.all(list.map(async (server) => ({ label: line(server.label, 80), description: line(server.url ?? server.command ?? "", 120), detail: await accountAt(accounts, server), server })))
  const picked = await new Sheet({ title: "Parley" }).pick({ step: 1, total: 1, prompt: "The servers of your settings.", placeholder, items })
  return picked === BACK ? undefined : picked.server
}

/** @param {Accounts} accounts @param {Server} server */
async function accountAt(accounts, server) {
  const account = await accounts.account(server)
  return account && `$(account) Signed in at ${line([new URL(account.issuer).host, account.subject].filter(Boolean).join(" as "), 120)}`
}

async function offerSettings() {
  const chosen = await vscode.window.showInformationMessage("There is no server to call yet: name one in the setting parley.servers.", "Open Settings")
  if (chosen) await vscode.commands.executeCommand("workbench.action.openSettingsJson", { revealSetting: { key: "parley.servers", edit: true } })
}
