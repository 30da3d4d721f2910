// Why a call ended without a result, and what can be done next, in words.

import { explain } from "../../shared-js/failure.js"
import { inert, line } from "./shown.js"

/** @import { App, Failure, Next } from "../../shared-js/failure.js" */

/** How the extension speaks of itself. @type {App} */
export const app = { name: "VS Code", address: "go into the setting parley.servers", access: ": sign in, or set its access token" }

/** A failure in one line, and the first that can be done about it, which is called as buttons are here. @param {Failure} failure @param {string} server @returns {{text: string, next: Next}} */
export function told(failure, server) {
  const { title, text, said, next } = explain(failure, line(server, 60), app)
  const [first = { label: "" }] = next.filter(({ how }) => how)
  const words = [`${line(title)}.`, line(text, 800), said && `The server says: ${line(said, 400)}.`]
  return { text: inert(words.filter(Boolean).join(" ")), next: { ...first, label: first.label.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) } }
}
