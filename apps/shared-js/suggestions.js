// What a server suggests for an argument while somebody fills it in.

import { hasHidden } from "./plain.js"

/** @import { Offer } from "./offers.js" */
/** @import { Session } from "./parley.js" */

/** The best first; `more` says that there are others. @typedef {{values: string[], more: boolean}} Suggestions */

/** @type {Suggestions} */
const none = { values: [], more: false }

/** Whether servers may have suggestions for the arguments of an offer. @param {Offer} offer */
export function maySuggest({ method, template }) {
  return method === "prompts/get" || template === true
}

/**
 * What an argument could be, given what else is filled in. What cannot be seen
 * in a value, or could be taken for something else, keeps it out: nobody could
 * choose it knowingly. Nobody is asked to sign in for this, and a server that
 * fails has no suggestions.
 *
 * @param {Session} session @param {Offer} offer @param {string} argument @param {Record<string, string>} texts of the fields, by their names
 * @param {AbortSignal} signal
 * @returns {Promise<Suggestions>}
 */
export async function suggestions(session, { name, template }, argument, texts, signal) {
  const others = Object.entries(texts).filter(([other, text]) => other !== argument && text !== "")
  try {
    const { values, hasMore } = await session.complete({
      ...(template ? { template: name } : { prompt: name }),
      argument,
      value: texts[argument] ?? "",
      ...(others.length > 0 && { context: Object.fromEntries(others) }),
      askers: {},
      signal,
    })
    return { values: values.filter((value) => value !== "" && !hasHidden(value) && !/[\n\r\t]/.test(value)), more: hasMore }
  } catch {
    return none
  }
}
