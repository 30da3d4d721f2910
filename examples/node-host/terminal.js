// The terminal: lines that a person types, and text that is safe to show.
import { createInterface } from "node:readline"

const input = createInterface({ input: process.stdin })
const lines = input[Symbol.asyncIterator]()

/** No more lines are read. */
export const close = () => input.close()

/** Asks for one line. /decline, or the end of the input, refuses the whole question. @param {string} prompt */
export async function readLine(prompt) {
  process.stdout.write(`  ${prompt} (or /decline): `)
  const { value: typed, done } = await lines.next()
  if (done) return { typed: "", refusal: { action: "cancel" } }
  return { typed, refusal: typed === "/decline" ? { action: "decline" } : undefined }
}

/**
 * Text of a server without what a terminal would obey, such as escape sequences, and on lines that cannot pass for this
 * program's own.
 *
 * @param {string} text
 */
export function shown(text) {
  return text.replace(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd").replaceAll("\n", "\n| ")
}
