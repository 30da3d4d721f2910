// Scripts of engine/testdata/flows and sessions; internal/testkit/enginetest describes them.
import { answered, asked, quoted } from "./frames.js"

/** @typedef {{call: string, answer: string}} Block */
/** @typedef {{header: string, blocks: Block[]}} Script */

/** What cannot happen: a fault of the script. */
export class Impossible extends Error {}

/** A script, in the notation. @param {string} text @returns {Script} */
export function readScript(text) {
  const { header, blocks } = readBlocks(text)
  return { header, blocks: blocks.map(({ call, answer }) => ({ call: unfold(call, asked), answer: unfold(answer, answered) })) }
}

/** Any file of calls and answers, as they stand there. @param {string} text @returns {Script} */
export function readBlocks(text) {
  const header = /^(#.*\n)*/.exec(text)?.[0] ?? ""
  if (!header) throw new Error("the first line must say with # what the script shows")
  const blocks = text.slice(header.length).replace(/^\n+|\n+$/g, "").split("\n\n")
  return {
    header,
    blocks: blocks.map((block) => {
      const at = block.indexOf("\n----")
      if (at < 0) throw new Error(`the block ${block.slice(0, 60)} has no line ----`)
      return { call: block.slice(0, at).trim(), answer: block.slice(at + 5).trim() }
    }),
  }
}

/**
 * A line of a script in the notation: a raw member that is an object or an array
 * stands for the string that holds its text, byte for byte. The error that an
 * export answers is no raw member.
 *
 * @param {string} line @param {Set<string>} raw
 */
function unfold(line, raw) {
  if (line.startsWith('{"error":')) return line
  const token = /"([^"\\]*(?:\\.[^"\\]*)*)"(:?)|[[\]{}]/g
  const next = () => token.exec(line) ?? []
  let out = ""
  let from = 0
  for (let found = next(); found.length > 0; found = next()) {
    const [, name = "", colon] = found
    if (!colon || !raw.has(name) || !/[[{]/.test(line.charAt(token.lastIndex))) continue
    const at = token.lastIndex
    let depth = 0
    do {
      const [text] = next()
      if (text === undefined) return out + line.slice(from) // it has no end
      if (text === "{" || text === "[") depth++
      if (text === "}" || text === "]") depth--
    } while (depth > 0)
    out += line.slice(from, at) + quoted(line.slice(at, token.lastIndex))
    from = token.lastIndex
  }
  return out + line.slice(from)
}

/** Replaces every @repeat. @param {string} text */
export function expand(text) {
  return text.replace(/@repeat\((..?),(\d+)\)/gu, (_, char, times) => char.repeat(Number(times)))
}

/** Writes long runs of one character as @repeat. @param {string} text */
export function collapse(text) {
  return text.replace(/([\x21-\x7e])\1{299,}/g, (run, char) => `@repeat(${char},${run.length})`)
}
