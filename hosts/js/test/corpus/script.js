// Scripts of engine/testdata/flows; engine/enginetest describes them.

/** @typedef {{call: string, answer: string}} Block */
/** @typedef {{header: string, blocks: Block[]}} Script */

/** @param {string} text @returns {Script} */
export function readScript(text) {
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

/** @param {Script} script */
export function writeScript({ header, blocks }) {
  return header + blocks.map(({ call, answer }) => `\n${call}\n----\n${answer}\n`).join("")
}

/** Replaces every @repeat. @param {string} text */
export function expand(text) {
  return text.replace(/@repeat\((..?),(\d+)\)/gu, (_, char, times) => char.repeat(Number(times)))
}

/** Writes long runs of one character as @repeat. @param {string} text */
export function collapse(text) {
  return text.replace(/([\x21-\x7e])\1{299,}/g, (run, char) => `@repeat(${char},${run.length})`)
}
