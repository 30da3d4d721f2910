// What is wrong with a field's entry, in the person's language.

import { spoken } from "./spoken.js"

/** @import { Problem } from "./parley.js" */

/**
 * Goes on after the field's title. Words that are not the engine's stay, as those of
 * this app.
 *
 * @param {string} said @param {Problem} [problem] of the engine
 */
export function wording(said, problem) {
  return problem?.message === said && problem.sentence ? spoken(problem.sentence) : said
}
