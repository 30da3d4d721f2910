// What the engine and the library say, in the person's language.

import { t, texts } from "./language.js"
import { translate } from "./parley.js"

/** @import { Sentence } from "./parley.js" */

/** @param {Sentence} sentence @param {string} [name] what the app calls itself, where its limits are meant @returns {string} */
export function spoken({ template, params }, name) {
  const words = params.map((param) => (typeof param === "string" ? param : spoken(param, name)))
  return plainer[template]?.(words, name) ?? translate({ template, params: words }, texts())
}

/** What is said otherwise than in English: options are the app's, and nobody counts milliseconds. @type {Record<string, (words: string[], name?: string) => string | undefined>} */
const plainer = {
  "{0} has {1} bytes, and limits.{2} allows {3}": ([what = "", has = "", , most = ""], name) => (name === undefined ? undefined : t`${what} has ${has} bytes, and ${name} takes ${most}`),
  "no answer within {0} ms ({1})": ([time = ""]) => (time.endsWith("000") ? t`no answer within ${time.slice(0, -3)} seconds` : undefined),
  "a question was open for longer than {0} ms ({1})": ([time = ""]) => (time.endsWith("000") ? t`a question was open for longer than ${time.slice(0, -3)} seconds` : undefined),
}
