import { InstanceError } from "../../dist/engine/errors.js"
import { Instance } from "../../dist/engine/instance.js"
import { equal, ok } from "../assert.js"
import { Exports } from "../corpus/exports.js"
import { bare, packaged } from "../corpus/hosts.js"
import { play, replay, Replay } from "../corpus/replay.js"
import { expand, readScript } from "../corpus/script.js"
import { bareSessions, engineSessions, SessionReplay } from "../corpus/sessions.js"

/** @import { Env } from "../suite.js" */

/**
 * Replays the corpus of engine/testdata: what comes out must be the very bytes
 * of the scripts.
 *
 * @param {Env} env
 */
export default async function corpus({ test, load, module, flowModule, scripts, sessions }) {
  for (const mode of /** @type {const} */ (["plain", "parked"])) {
    test(`corpus, ${mode}, on the exports`, async () => {
      const instance = new Exports(await flowModule())
      every(scripts, 200, (text) => replay(text, bare(instance), mode))
      equal(instance.live, 0, "flows live")
    })

    test(`corpus, ${mode}, by the package's frames`, async () => {
      const instance = new Instance(await flowModule())
      every(scripts, 200, (text) => replay(text, packaged(instance), mode))
      equal(instance.live, 0, "flows live")
    })
  }

  test("corpus, parked, from one instance to another and back", async () => {
    const compiled = await flowModule()
    const pair = [new Instance(compiled), new Instance(compiled)]
    every(scripts, 200, (text) => replay(text, packaged(...pair), "parked"))
    for (const { live } of pair) equal(live, 0, "flows live")
  })

  // Garbage is collected between calls only, and must take nothing that a flow
  // still needs: every script at once, block by block, with all flows kept.
  test("corpus, interleaved on one instance", async () => {
    const instance = new Exports(await flowModule())
    const host = bare(instance)
    const runs = Array.from({ length: 5 }, () => scripts)
      .flat()
      .map(({ text }) => ({ ...readScript(text), run: new Replay(host, "plain") }))
    let steps = 0
    for (let block = 0, before = -1; steps > before; block++) {
      before = steps
      for (const { blocks, run } of runs) {
        const { call, answer } = blocks[block] ?? {}
        if (call === undefined || answer === undefined) continue
        equal(run.call(expand(call)), expand(answer), call)
        steps++
      }
    }
    ok(steps > 5000, "steps made")
    for (const { run } of runs) run.free()
    equal(instance.live, 0, "flows live")
  })

  test("corpus of sessions, on the exports", async () => {
    const instance = new Exports(await module())
    every(sessions, 90, (text) => play(text, new SessionReplay(bareSessions(instance))))
    equal(instance.live, 0, "sessions live")
  })

  test("corpus of sessions, on the engine", async () => {
    const engine = await load()
    every(sessions, 90, (text) => play(text, new SessionReplay(engineSessions(engine))))
    equal(engine.live, 0, "sessions live")
  })
}

/** @param {Env["scripts"]} scripts @param {number} least @param {(text: string) => void} check */
function every(scripts, least, check) {
  ok(scripts.length > least, "scripts")
  for (const { name, text } of scripts) {
    try {
      check(text)
    } catch (error) {
      const why = error instanceof InstanceError ? `${error}: ${error.cause}` : error
      throw new Error(`${name}: ${why}`, { cause: error })
    }
  }
}
