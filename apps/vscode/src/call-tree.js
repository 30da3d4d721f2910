// The calls that wait for the person, as a tree, and how many as a number.

import * as vscode from "vscode"

import { plainText } from "../../shared-js/plain.js"
import { count } from "../../shared-js/words.js"
import { told } from "./failure.js"
import { line } from "./shown.js"

/** @import { Calls, Listed } from "./calls.js" */
/** @import { Waiting } from "./record.js" */

/** A call, or a question of one. @typedef {{listed: Listed, waiting?: Waiting}} Node */

/** @implements {vscode.TreeDataProvider<Node>} */
export class CallTree {
  #calls
  #view
  #status
  #listening
  onDidChangeTreeData

  /** @param {Calls} calls */
  constructor(calls) {
    this.#calls = calls
    this.onDidChangeTreeData = calls.onChange
    this.#view = vscode.window.createTreeView("parley.calls", { treeDataProvider: this })
    this.#status = vscode.window.createStatusBarItem("parley.waiting", vscode.StatusBarAlignment.Right, 100)
    this.#status.name = "Parley: waiting for you"
    this.#status.command = "parley.list"
    this.#listening = calls.onChange(() => this.#count())
    this.#count()
  }

  /** @param {Node} [node] @returns {Node[]} */
  getChildren(node) {
    if (!node) return this.#calls.list().map((listed) => ({ listed }))
    if (node.waiting) return []
    return (node.listed.record?.open ?? []).map((waiting) => ({ listed: node.listed, waiting }))
  }

  /** @param {Node} node */
  getTreeItem({ listed, waiting }) {
    const { id, phase, record } = listed
    const command = { command: phase === "here" ? "parley.answer" : "parley.resume", title: "Answer", arguments: [id, waiting?.ask] }
    if (waiting) {
      const item = new vscode.TreeItem(line(waiting.says, 120))
      item.iconPath = new vscode.ThemeIcon("comment-unresolved")
      item.tooltip = plainText(waiting.says, 600)
      item.contextValue = "parley.question"
      return Object.assign(item, { command })
    }
    const open = record?.open.length ?? 0
    const { label, description } = itemOf(listed)
    const item = new vscode.TreeItem(label, open ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.None)
    item.id = id
    item.description = description
    item.tooltip = [description, record?.failure && told(record.failure, record.server).text].filter(Boolean).join("\n")
    item.iconPath = new vscode.ThemeIcon(phase === "here" ? (open ? "comment-unresolved" : "sync") : phase === "kept" ? "debug-pause" : phase === "elsewhere" ? "multiple-windows" : "lock")
    item.contextValue = `parley.${phase}` // the menus of package.json go by it
    return phase === "here" && !open ? item : Object.assign(item, { command })
  }

  /** Shows the tree. */
  async reveal() {
    await vscode.commands.executeCommand("parley.calls.focus")
  }

  dispose() {
    this.#listening.dispose()
    this.#status.dispose()
    this.#view.dispose()
  }

  #count() {
    const { waiting } = this.#calls
    this.#status.text = `$(comment-unresolved) ${waiting}`
    const words = `${count(waiting, "call waits", "calls wait")} for you`
    this.#status.tooltip = `Parley: ${words}`
    this.#status.accessibilityInformation = { label: words }
    if (waiting) this.#status.show()
    else this.#status.hide()
    this.#view.badge = waiting ? { value: waiting, tooltip: words } : undefined
  }
}

/** Where a call stands, in our words. @param {Listed} listed */
function stateOf({ phase, record }) {
  const open = record?.open.length ?? 0
  const waits = open ? count(open, "question") : ""
  switch (phase) {
    case "here":
      return waits ? `waits for you: ${waits}` : "under way"
    case "elsewhere":
      return ["in another window", waits].filter(Boolean).join(", ")
    case "kept":
      return record?.failure ? (record.failure.inDoubt ? "in doubt" : "interrupted") : waits ? `parked: ${waits}` : "it was under way"
    case "unreadable":
      return "cannot be read"
  }
}

/** A call as an item of a list. @param {Listed} listed */
export function itemOf(listed) {
  const { record } = listed
  return {
    label: line(record?.title ?? "A call that cannot be read", 80),
    description: line(record ? `${record.server} — ${stateOf(listed)}` : "its key is gone", 160),
    detail: record?.open.length ? line(record.open.map(({ says }) => says).join(" · "), 200) : undefined,
    listed,
  }
}
