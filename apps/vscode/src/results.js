// What a server says at length, as documents that cannot be changed: text and
// nothing else.

import * as vscode from "vscode"

import { plainText } from "../../shared-js/plain.js"
import { isError, partsOf } from "../../shared-js/result.js"

/** @import { Part } from "../../shared-js/result.js" */
/** @import { CallRecord } from "./record.js" */

const scheme = "parley"

/** As package.json has it. */
const language = "mcp-text"

/** How many documents are kept to come back to. */
const mostKept = 50

/** @implements {vscode.TextDocumentContentProvider} */
export class Results {
  /** By their paths. @type {Map<string, string>} */
  #texts = new Map()
  #number = 0
  #registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this)

  /** @param {vscode.Uri} uri */
  provideTextDocumentContent(uri) {
    return this.#texts.get(uri.path) ?? "This is not kept any more."
  }

  /** Shows the result of a call. @param {CallRecord} record @param {string} result JSON text */
  async show({ server, title, method }, result) {
    await this.read(`${server}, ${title}`, resultText(method, result))
  }

  /** Shows a text. @param {string} name of its tab @param {string} text as it came @param {boolean} [quietly] a question stands over it */
  async read(name, text, quietly = false) {
    const path = `/${++this.#number}/${name.replaceAll(/[^\p{L}\p{N} ,_-]+/gu, "_").slice(0, 80)}.txt`
    this.#texts.set(path, plainText(text))
    for (const old of [...this.#texts.keys()].slice(0, -mostKept)) this.#texts.delete(old)
    // Of a language of its own, in which the editor makes no links of addresses.
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme, path }))
    await vscode.languages.setTextDocumentLanguage(document, language)
    await vscode.window.showTextDocument(document, { preview: quietly, preserveFocus: true })
  }

  dispose() {
    this.#registered.dispose()
  }
}

/** The result of a method as text to read. @param {string} method @param {string} result JSON text */
export function resultText(method, result) {
  return `${isError(result) ? "The tool says that this is an error.\n\n" : ""}${partsOf(method, result).map(textOf).join("")}`.trimEnd()
}

/** @param {Part} part */
function textOf(part) {
  if (part.type === "resource") return `Resource ${part.name}${part.at === undefined ? ":" : ` at ${part.at}`}\n`
  return part.type === "who" ? `${part.text}:\n` : `${part.text}\n\n`
}
