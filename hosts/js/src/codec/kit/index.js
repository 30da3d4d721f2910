import { checks } from "./checks.js"
import { Report } from "./report.js"

/** @import { OwnCodec } from "../own.js" */

/**
 * A codec to be checked.
 *
 * @typedef {object} Tested
 * @property {OwnCodec} codec
 * @property {OwnCodec} other of the same kind, with other keys
 * @property {number} [maxToken] the longest token `codec` makes, in characters: 16,384 if absent
 */

/**
 * The tests that every codec of a Guard passes: it gives back what it sealed,
 * hides it, and opens nothing else. `test` registers one, as that of node:test
 * does.
 *
 * @param {(name: string, run: () => Promise<void>) => void} test @param {() => Tested | Promise<Tested>} newCodec
 */
export function testCodec(test, newCodec) {
  for (const [name, check] of Object.entries(checks)) {
    test(name, async () => {
      const report = new Report(await newCodec(), name)
      await report.run(check)
      if (report.found.length > 0) throw new Error(report.found.join("\n"))
    })
  }
}

/**
 * What those tests find, one line for each defect: none if the codec is right.
 *
 * @param {Tested} tested
 */
export async function codecDefects(tested) {
  /** @type {string[]} */
  const found = []
  for (const [name, check] of Object.entries(checks)) {
    const report = new Report(tested, name)
    await report.run(check)
    found.push(...report.found)
  }
  return found
}
