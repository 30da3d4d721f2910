// What the person has set. The servers come from the settings of the person,
// never from a folder or a container that was opened: a command would run.

import * as vscode from "vscode"

import { readServers } from "./servers.js"

/** @import { Asker, Askers } from "@parley-mcp/parley" */

/** @typedef {"ask" | "always" | "never"} Policy */

const section = "parley"

/** The servers that can be called, and what is wrong with the others, in words. */
export function servers() {
  return readServers(vscode.workspace.getConfiguration(section).get("servers"))
}

/** Where calls are to be kept, and the key file of there; empty where nothing is said. */
export function storeSettings() {
  const read = (/** @type {string} */ name) => {
    const set = vscode.workspace.getConfiguration(section).get(name)
    return typeof set === "string" ? set.trim() : ""
  }
  return { url: read("store"), keyFile: read("keyFile") }
}

/** @param {"sampling" | "roots"} name @returns {Policy} */
export function policy(name) {
  const set = vscode.workspace.getConfiguration(section).get(name)
  return set === "always" || set === "never" ? set : "ask"
}

/** Who answers what servers may ask for. @param {Asker} ask @returns {Askers} */
export function allowed(ask) {
  const unless = (/** @type {Policy} */ set) => (set === "never" ? undefined : ask)
  return { elicit: ask, elicitURL: ask, sample: unless(policy("sampling")), listRoots: unless(policy("roots")), tasks: true }
}

/** Whether a question opens by itself, or is only announced. */
export function opensQuestions() {
  return vscode.workspace.getConfiguration(section).get("questions") !== "announce"
}
