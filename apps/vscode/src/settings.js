// What the person has set. The servers come from the settings of the person,
// never from a folder or a container that was opened: a command would run.

import * as vscode from "vscode"

import { readServers } from "./servers.js"

/** @typedef {"ask" | "always" | "never"} Policy */

const section = "parley"

/** The servers that can be called, and what is wrong with the others, in words. */
export function servers() {
  return readServers(vscode.workspace.getConfiguration(section).get("servers"))
}

/** @param {"sampling" | "roots"} name @returns {Policy} */
export function policy(name) {
  const set = vscode.workspace.getConfiguration(section).get(name)
  return set === "always" || set === "never" ? set : "ask"
}

/** Whether a question opens by itself, or is only announced. */
export function opensQuestions() {
  return vscode.workspace.getConfiguration(section).get("questions") !== "announce"
}
