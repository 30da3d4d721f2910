// One JSON object a line in, one a line out: how tests in other languages use
// the files here as commands.
import { realpathSync } from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/**
 * Answers every line of standard input, if the module of this url is what Node
 * was started with. A token that is refused is an answer; a request that makes
 * no sense ends the process with status 1, lest a negative test pass by mistake.
 *
 * @param {string} url import.meta.url
 * @param {(request: any) => object} answer throws on a request that makes no sense
 */
export async function serve(url, answer) {
  if (!isMain(url)) return
  let line = 0
  for await (const text of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    line++
    if (text === "") continue
    try {
      process.stdout.write(JSON.stringify(answer(parse(text))) + "\n")
    } catch (error) {
      console.error(`line ${line}: unusable request: ${error instanceof Error ? error.message : error}`)
      process.exitCode = 1
      return
    }
  }
}

// JSON.parse quotes the text it fails on, which may hold a secret.
/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    throw new SyntaxError("not JSON")
  }
}

/** @param {string} url import.meta.url */
export const isMain = (url) => process.argv[1] !== undefined && fileURLToPath(url) === realpathSync(process.argv[1])
