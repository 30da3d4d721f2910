import * as vscode from "vscode"

import { shared } from "../../shared-js/question.js"
import { line } from "./shown.js"
import { BACK } from "./leaving.js"

/** @import { Sheet } from "./question-sheet.js" */

/**
 * Which of the workspace's folders the server may be told about. Nothing of what
 * is in them is read.
 *
 * @param {string} label what the person calls the server @param {Sheet} sheet @param {{ticked?: string[]}} [open] what was ticked before
 * @returns {Promise<string>} the answer, JSON text
 */
export async function rootsQuestion(label, sheet, open = {}) {
  const roots = workspaceRoots()
  const server = line(label, 60)
  const items = roots.map((root) => ({ label: line(root.name, 80), description: line(root.uri, 200), root }))
  const picked = await sheet.pickSome({
    step: 1,
    total: 1,
    prompt: items.length ? `${server} asks which folders it may work on. It gets their addresses, and nothing of what is in them.` : `${server} asks for folders, and none is open here that it could reach. Press Enter to share none.`,
    placeholder: "Tick what is to be shared, then press Enter",
    items,
    picked: items.filter(({ root }) => !open.ticked || open.ticked.includes(root.uri)),
    onTick: (items) => (open.ticked = items.map(({ root }) => root.uri)),
    check: () => undefined,
  })
  return shared(picked === BACK ? [] : picked.map(({ root }) => root))
}

/** The folders with an address that means something to a server. */
export function workspaceRoots() {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file").map(({ uri, name }) => ({ uri: uri.toString(), name }))
}
