import { Engine } from "../../dist/index.js"
import { equal, ok } from "../assert.js"
import { marks, playDriver, Stage } from "../corpus/drivers.js"
import { limited } from "../modules.js"
import { Traps } from "../traps.js"

/** @import { Env } from "../suite.js" */

/**
 * Plays the corpus of hosts/testdata/drivers: what is called must be the very
 * lines of the scripts.
 *
 * @param {Env} env
 */
export default function drivers({ test, module, wasm, drivers }) {
  test("corpus of drivers", async () => {
    ok(drivers.length > 45, "scripts")
    const [large, small] = [await module(), limited(await wasm(), 40)]
    /** Those that scripts are done with: a browser frees the memory of one much later than it is let go. @type {Engine[]} */
    const spare = []
    /** @type {string[]} */
    const wrong = []
    /** @type {string[]} */
    const changing = []
    for (const { name, text } of drivers) {
      const { changes, needs } = marks(text)
      /** @type {Engine[]} */
      const engines = []
      const engine = () => {
        if (needs.includes("instance") && engines[0]) return engines[0]
        engines.unshift(needs.includes("instance") ? new Engine(small) : (spare.pop() ?? new Engine(large)))
        return /** @type {Engine} */ (engines[0])
      }
      const traps = needs.includes("instance") ? new Traps() : undefined
      const fault = await playDriver(text, new Stage(engine, undefined, traps)).then(
        () => undefined,
        (error) => error,
      )
      traps?.end()
      const marked = changes.includes("js")
      if (marked && fault) changing.push(name)
      else if (marked) wrong.push(`${name}: it does what is wanted: take the line "to change" away`)
      else if (fault) wrong.push(`${name}: ${fault.message}`)
      for (const { live } of engines) equal(live, 0, `${name}: live`)
      if (!traps && !fault) spare.push(...engines)
    }
    if (changing.length) console.log(`corpus of drivers: ${changing.length} of ${drivers.length} scripts to change: ${changing.join(", ")}`)
    if (wrong.length) throw new Error(wrong.join("\n\n"))
  })
}
