import * as vscode from "vscode"

import { accepted, declined, dismissed, pageOf, says, warning } from "../../shared-js/question.js"
import { inert, line } from "./shown.js"
import { BACK, Left } from "./leaving.js"
import { refusals } from "./question-form.js"

/** @import { Question } from "@parley-mcp/parley" */
/** @import { MessageItem } from "vscode" */
/** @import { Open } from "./desk.js" */
/** @import { Sheet } from "./question-sheet.js" */

/**
 * A page to be opened: nothing is opened without consent, and one that comes
 * again is not opened again by itself.
 *
 * @param {Open} open @param {Sheet} sheet
 * @returns {Promise<string>} the answer, JSON text
 */
export async function urlQuestion(open, sheet) {
  const url = pageOf(open.question)
  return open.question.repeat ? stillWaiting(open, url, sheet) : consent(open, url, sheet)
}

/** @param {Open} open @param {string} url @param {Sheet} sheet */
async function consent({ question, call }, url, sheet) {
  const server = line(call.record.server, 60)
  const detail = inert([`${sheet.trouble}${line(says(question), 1000)}`, `It leads to:  ${question.host ?? "the address below"}`, `The whole address:\n${url}`, ...marks(question)].join("\n\n"))
  /** @type {MessageItem[]} */
  const buttons = ["Open the Page", "Decline", "Dismiss", "Park for Later", "Stop This Call"].map((title) => ({ title }))
  buttons.push({ title: "Answer Later", isCloseAffordance: true }) // what Esc chooses
  const chosen = await Promise.race([
    vscode.window.showInformationMessage(inert(`${server} wants you to open a page on ${question.host ?? "another site"}`), { modal: true, detail }, ...buttons),
    // A modal cannot be taken away; what is chosen there then goes nowhere.
    new Promise((_, reject) => sheet.signal.addEventListener("abort", () => reject(sheet.signal.reason))),
  ])
  switch (chosen?.title) {
    case "Open the Page":
      await openPage(url)
      return accepted
    case "Decline":
      return declined
    case "Dismiss":
      return dismissed
    case "Park for Later":
      throw new Left("park")
    case "Stop This Call":
      throw new Left("stop")
  }
  throw new Left("aside")
}

/** @param {Open} open @param {string} url @param {Sheet} sheet */
async function stillWaiting({ question, call }, url, sheet) {
  const server = line(call.record.server, 60)
  const items = [
    { label: "$(check) I’m done: check again", does: "again" },
    { label: "$(link-external) Open the page again", description: line(question.host ?? "", 100), does: "open" },
    ...refusals(server),
    ...sheet.ways,
  ]
  for (;;) {
    const picked = await sheet.pick({
      step: 1,
      total: 1,
      prompt: line(`${server} is still waiting for what you do on its page at ${question.host}. Nothing was opened by itself.`, 400),
      placeholder: "Check again when you are done there. Esc puts the question aside.",
      items,
    })
    if (picked === BACK) continue
    if ("how" in picked) throw new Left(picked.how)
    if (picked.does === "again") return accepted
    if (picked.does !== "open") return picked.does
    await openPage(url)
  }
}

/** @param {Question} question */
function marks({ host, loopback, punycode }) {
  const marks = []
  if (loopback) marks.push("This page is on the computer that VS Code works on.")
  if (punycode) marks.push(warning(host ?? ""))
  return [...marks, "It opens in your browser. What you do there goes to that page, not through VS Code."]
}

/** Opens a page that the person has agreed to. @param {string} url */
export async function openPage(url) {
  // As text: a Uri would be written anew, and the person agreed to this address.
  const exact = /** @type {vscode.Uri} */ (/** @type {unknown} */ (url))
  if (!(await vscode.env.openExternal(exact))) void vscode.window.showWarningMessage("VS Code did not open the page. You can open its address by hand.")
}
