// The lines of scripts of hosts/testdata/drivers.

/** @import { Question } from "../../dist/index.js" */

/** JSON text that stays as it is. */
export class Raw {
  /** @param {string} text */
  constructor(text) {
    this.text = text
  }
}

/** A name and an object. @param {string} name @param {Record<string, unknown>} object */
export function line(name, object) {
  const members = Object.entries(object).filter(([, value]) => value !== undefined)
  return `${name} {${members.map(([name, value]) => `"${name}":${value instanceof Raw ? value.text : JSON.stringify(value)}`).join(",")}}`
}

/** @param {Question} question */
export function asked({ ask, key, mode, params, round, host, loopback, punycode, repeat, problem, earlier }) {
  return { ask, key, mode, params: params && new Raw(params), round, host, loopback, punycode, repeat, problem, earlier: earlier && new Raw(earlier) }
}

/** What comes at the same time, in the order of the lines. @param {string[]} calls */
export function sorted(calls) {
  const concurrent = calls.filter((call) => rank(call) > 0 && rank(call) < 4)
  concurrent.sort((a, b) => rank(a) - rank(b) || (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0))
  const rest = calls.filter((call) => !concurrent.includes(call))
  const end = rest.findIndex((call) => rank(call) === 4)
  rest.splice(end < 0 ? rest.length : end, 0, ...concurrent)
  return rest
}

const ranks = [[], ["aborted", "withdrawn"], ["send", "tell"], ["elicit", "elicitUrl", "sample", "listRoots"], ["done", "parked", "failed", "misuse"]]

/** @param {string} call */
function rank(call) {
  const [name = ""] = call.replace(/^other /, "").split(" ")
  return Math.max(ranks.findIndex((names) => names.includes(name)), 0)
}

/** @param {string} call */
function order(call) {
  return call.replace(/^other /, "").replace(/^\S+ ?/, "")
}
