import { call, Code, connect, fetchTransport, http, resume } from "../../dist/index.js"
import { contains, equal } from "../../test/assert.js"
import { failed, snapshotOf, until } from "../../test/peer.js"
import { askers, every, everyAtOnce, callbacks } from "../../test/stories.js"
import { setting } from "./report.js"

/** @import { Env } from "../../test/suite.js" */

/** Calls by the browser's own fetch: against tests/stories/go-server at another origin, and against servers that are not well. @param {Pick<Env, "test" | "load">} env */
export default function live({ test, load }) {
  const clientInfo = { name: "parley-test", version: "0" }

  for (const form of ["stream", "json"]) {
    test(`go-server at another origin, ${form}`, async () => {
      const engine = await load()
      await every(engine, http(engine, setting(form), { clientInfo }))
    })

    test(`go-server by a session, ${form}`, async () => {
      const engine = await load()
      const session = connect(engine, fetchTransport(setting(form)), { clientInfo, ...askers })
      await everyAtOnce(session)
      await session.close()
      equal(engine.live, 0, "live")
    })
  }

  test("a server that lets no pages in leaves a tool call in doubt, and may be asked again", async () => {
    const engine = await load()
    const refused = failed(await call(engine, "tools/call", { name: "get_weather", arguments: { location: "Oslo" } }, callbacks(http(engine, setting("closed")))))
    equal([refused.code, refused.cause instanceof TypeError], [Code.inDoubt, true])
    const outcome = await resume(engine, snapshotOf(refused, Code.inDoubt), callbacks(http(engine, setting("stream"))), { resend: true })
    contains(outcome.status === "done" && outcome.result, "°F")
    equal(engine.live, 0, "flows live")
  })

  test("a redirect is not followed", async () => {
    const engine = await load()
    const moved = failed(await call(engine, "tools/call", { name: "t" }, callbacks(http(engine, "/moved"))))
    contains(moved.cause, "the endpoint has moved")
  })

  test("cancelling ends the request", async () => {
    const engine = await load()
    const controller = new AbortController()
    const mine = "?" + crypto.randomUUID()
    const ended = call(engine, "tools/call", { name: "t" }, { ...callbacks(http(engine, "/hang" + mine)), signal: controller.signal })
    await until(async () => (await hanging(mine)) === 1, "the request is there")
    controller.abort()
    equal(failed(await ended).code, Code.canceled)
    await until(async () => (await hanging(mine)) === 0, "the request is gone")
    equal(engine.live, 0, "flows live")
  })
}

/** @param {string} query */
async function hanging(query) {
  return Number(await (await fetch("/hanging" + query)).text())
}
