// Signing in and out, without a call that wants it.

import * as vscode from "vscode"

import { NotNow, signedIn, signedOut, whyNot } from "../../shared-js/sign-in.js"
import { Left } from "./leaving.js"
import { pickServer } from "./pick-server.js"
import { inert, line } from "./shown.js"

/** @import { Account } from "@parley-mcp/parley/oauth" */
/** @import { Sessions } from "../../shared-js/sessions.js" */
/** @import { Accounts, Remote } from "./accounts.js" */
/** @import { Server } from "./servers.js" */

/** @param {Accounts} accounts */
export async function signInTo(accounts) {
  const server = await pickRemote("Which server do you want to sign in to?", accounts)
  if (!server) return
  const before = await accounts.account(server)
  if (before) return tell(`You are signed in to ${server.label} already, at ${hostOf(before)}. Sign out to use another account.`)
  const stop = new AbortController()
  const title = `${line(server.label, 60)}: signing in`
  try {
    const account = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_, cancel) => {
      cancel.onCancellationRequested(() => stop.abort(new Left("stop")))
      return accounts.signIn(server, stop.signal)
    })
    if (account) tell(signedIn(hostOf(account)))
  } catch (error) {
    if (error instanceof Left || error instanceof NotNow) return
    void vscode.window.showErrorMessage(inert(line(`${server.label}: ${whyNot(error)}`, 1300)))
  }
}

/** @param {Accounts} accounts @param {Sessions<Server>} sessions */
export async function signOutOf(accounts, sessions) {
  const server = await pickRemote("Which server do you want to sign out of?", accounts)
  const account = server && (await accounts.account(server))
  if (!server) return
  if (!account) return tell(`You are not signed in to ${server.label}.`)
  const revoked = await accounts.signOut(server)
  sessions.leave(server.address)
  tell(signedOut(hostOf(account), revoked))
}

/** @param {string} placeholder @param {Accounts} accounts @returns {Promise<Remote | undefined>} */
async function pickRemote(placeholder, accounts) {
  const server = await pickServer(placeholder, accounts)
  if (server && server.url === undefined) return void tell(`${server.label} is a program: give it what it needs in its env, in the settings.`)
  return server
}

/** @param {Account} account */
function hostOf({ issuer }) {
  return new URL(issuer).host
}

/** @param {string} text */
function tell(text) {
  void vscode.window.showInformationMessage(inert(line(text, 1300)))
}
